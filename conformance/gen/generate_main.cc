// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// generate SPEC.textproto... PRODUCTS.textproto OUT_DIR: writes NAME_cases.cc
// for each spec NAME and product_table.cc. A spec with findings of the linter
// is an error.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "conformance/gen/case_builder.h"
#include "conformance/gen/gtest_writer.h"
#include "conformance/spec/lint.h"
#include "conformance/spec/loader.h"

namespace npu::conformance {
namespace {

constexpr size_t kPairs = 100;

std::string StemOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t start = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(start, path.find('.', start) - start);
}

absl::Status Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write ", path));
}

absl::StatusOr<std::vector<FunctionSpec>> LoadSpecs(
    const std::vector<std::string>& paths) {
  std::vector<FunctionSpec> specs;
  for (const std::string& path : paths) {
    absl::StatusOr<std::string> text = ReadTextFile(path);
    if (!text.ok()) return text.status();
    absl::StatusOr<FunctionSpec> spec = ParseFunctionSpec(*text, path);
    if (!spec.ok()) return spec.status();
    specs.push_back(*std::move(spec));
  }
  return specs;
}

absl::StatusOr<ProductTable> LoadProducts(const std::string& path) {
  absl::StatusOr<std::string> text = ReadTextFile(path);
  if (!text.ok()) return text.status();
  return ParseProductTable(*text, path);
}

absl::Status Lint(const std::vector<FunctionSpec>& specs,
                  const ProductTable& products) {
  std::vector<std::string> findings = LintProducts(products, specs);
  for (const FunctionSpec& spec : specs) {
    for (std::string& finding : LintFunction(spec)) {
      findings.push_back(std::move(finding));
    }
  }
  if (findings.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(findings, "\n"));
}

absl::Status Generate(const std::vector<std::string>& spec_paths,
                      const std::string& products_path,
                      const std::string& out_dir) {
  absl::StatusOr<std::vector<FunctionSpec>> specs = LoadSpecs(spec_paths);
  if (!specs.ok()) return specs.status();
  absl::StatusOr<ProductTable> products = LoadProducts(products_path);
  if (!products.ok()) return products.status();
  absl::Status status = Lint(*specs, *products);
  const auto pairs = BuildPairCases(*specs, kPairs);
  for (size_t i = 0; status.ok() && i < specs->size(); ++i) {
    const std::string stem = StemOf(spec_paths[i]);
    status = Write(absl::StrCat(out_dir, "/", stem, "_cases.cc"),
                   WriteGtest((*specs)[i], stem, pairs[i]));
  }
  if (!status.ok()) return status;
  return Write(absl::StrCat(out_dir, "/product_table.cc"),
               WriteProductTable(*products));
}

}  // namespace
}  // namespace npu::conformance

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) {
    std::cerr << "usage: generate SPEC... PRODUCTS OUT_DIR\n";
    return 2;
  }
  const std::vector<std::string> specs(arguments.begin(), arguments.end() - 2);
  const absl::Status status = npu::conformance::Generate(
      specs, arguments[arguments.size() - 2], arguments.back());
  if (status.ok()) return 0;
  std::cerr << "generate: " << status.message() << "\n";
  return 1;
}
