// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/product_table.h"

namespace npu::conformance {

Support SupportOf(const std::string& contract, const std::string& function,
                  const std::string& product) {
  for (const ProductSupport& line : ProductTableLines()) {
    if (contract == line.contract && function == line.function &&
        product == line.product) {
      return Support::kHas;
    }
  }
  return Support::kLacks;
}

}  // namespace npu::conformance
