// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// write_sample SPEC: prints what the writer makes of one spec.
#include <iostream>

#include "conformance/gen/case_builder.h"
#include "conformance/gen/gtest_writer.h"
#include "conformance/spec/loader.h"

int main(int argc, char** argv) {
  using namespace npu::conformance;  // NOLINT: one file, one function.
  if (argc != 2) return 2;
  const absl::StatusOr<std::string> text = ReadTextFile(argv[1]);
  if (!text.ok()) {
    std::cerr << text.status().message() << "\n";
    return 1;
  }
  const absl::StatusOr<FunctionSpec> spec = ParseFunctionSpec(*text, argv[1]);
  if (!spec.ok()) {
    std::cerr << spec.status().message() << "\n";
    return 1;
  }
  std::cout << WriteGtest(*spec, "sample",
                          BuildPairCases({*spec}, 100).front());
  return 0;
}
