// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/node.h"

namespace npu {

std::ostream& operator<<(std::ostream& out, NodeSet set) {
  const char* separator = "";
  out << "{";
  set.ForEach([&](NodeId node) {
    out << separator << node;
    separator = ", ";
  });
  return out << "}";
}

}  // namespace npu
