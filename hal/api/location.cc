// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/location.h"

namespace npu::hal {

std::ostream& operator<<(std::ostream& out, Location location) {
  switch (location.kind()) {
    case Location::Kind::kNone:
      return out << "nowhere";
    case Location::Kind::kDevice:
      return out << "device " << location.number();
    case Location::Kind::kHost:
      return out << "host";
    case Location::Kind::kNuma:
      return out << "NUMA node " << location.number();
  }
  return out;
}

}  // namespace npu::hal
