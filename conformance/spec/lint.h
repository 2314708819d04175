// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What must hold for the spec itself.
#ifndef CONFORMANCE_SPEC_LINT_H_
#define CONFORMANCE_SPEC_LINT_H_

#include <string>
#include <vector>

#include "conformance/spec/constraint.pb.h"

namespace npu::conformance {

// Findings about one function's rows, empty when there are none: a parameter
// without a rule or a reason, a rule without source, text, code or mark, a
// parameter that does not exist, an id twice or without the prefix, an order
// that is not 1, 2, 3 .., a code outside its class, a missing detail of a kind.
std::vector<std::string> LintFunction(const FunctionSpec& spec);

// Findings about the product table: a family missing or twice, a revision
// without a source or without one of the functions.
std::vector<std::string> LintProducts(const ProductTable& table,
                                      const std::vector<FunctionSpec>& specs);

}  // namespace npu::conformance

#endif  // CONFORMANCE_SPEC_LINT_H_
