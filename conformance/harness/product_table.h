// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Which product has which function: the spec's table, as generated code.
#ifndef CONFORMANCE_HARNESS_PRODUCT_TABLE_H_
#define CONFORMANCE_HARNESS_PRODUCT_TABLE_H_

#include <string>
#include <vector>

namespace npu::conformance {

// One line of the table: the product has the function in that revision.
struct ProductSupport {
  const char* contract;
  const char* function;
  const char* product;
};

// All lines. Defined by generated code.
const std::vector<ProductSupport>& ProductTableLines();

// All product names. Defined by generated code.
const std::vector<std::string>& ProductNames();

// All revisions, the default first. Defined by generated code.
const std::vector<std::string>& ContractNames();

enum class Support { kLacks, kHas };

// O(lines).
Support SupportOf(const std::string& contract, const std::string& function,
                  const std::string& product);

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_PRODUCT_TABLE_H_
