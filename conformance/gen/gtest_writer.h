// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Cases -> a readable GoogleTest source, and the product table -> C++.
#ifndef CONFORMANCE_GEN_GTEST_WRITER_H_
#define CONFORMANCE_GEN_GTEST_WRITER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "conformance/gen/case_builder.h"
#include "conformance/spec/constraint.pb.h"

namespace npu::conformance {

// The source of one function's cases: a constant per row, the cases of each
// row below its text, the pairs at the end. Lines are at most 80 columns wide.
// `spec_name` is the textproto's name, for the banner.
std::string WriteGtest(const FunctionSpec& spec, absl::string_view spec_name,
                       const std::vector<Case>& pairs);

// The definitions of conformance/harness/product_table.h.
std::string WriteProductTable(const ProductTable& table);

}  // namespace npu::conformance

#endif  // CONFORMANCE_GEN_GTEST_WRITER_H_
