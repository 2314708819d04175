// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Reads the spec's textproto files.
#ifndef CONFORMANCE_SPEC_LOADER_H_
#define CONFORMANCE_SPEC_LOADER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "conformance/spec/constraint.pb.h"

namespace npu::conformance {

// The content of a file. Errors: NotFound, with the path and the reason.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

// Parses one function's rows. `name` is for messages: the file it came from.
// Errors: InvalidArgument for text that does not parse or an unknown field,
// with file, line and column.
absl::StatusOr<FunctionSpec> ParseFunctionSpec(absl::string_view text,
                                               absl::string_view name);

// Parses the product table; as ParseFunctionSpec.
absl::StatusOr<ProductTable> ParseProductTable(absl::string_view text,
                                               absl::string_view name);

}  // namespace npu::conformance

#endif  // CONFORMANCE_SPEC_LOADER_H_
