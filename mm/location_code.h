// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// A hal::Location as the 64-bit value of an AttributeMap; 0 is nowhere.

#ifndef MM_LOCATION_CODE_H_
#define MM_LOCATION_CODE_H_

#include <cstdint>

#include "hal/api/location.h"

namespace npu::mm {

inline uint64_t EncodeLocation(hal::Location location) {
  if (location.is_none()) return 0;
  const auto number = static_cast<uint32_t>(location.number());
  return static_cast<uint64_t>(location.kind()) | uint64_t{number} << 8;
}

inline hal::Location DecodeLocation(uint64_t code) {
  const auto number = static_cast<int32_t>(static_cast<uint32_t>(code >> 8));
  switch (static_cast<hal::Location::Kind>(code & 0xff)) {
    case hal::Location::Kind::kNone:
      return hal::Location::None();
    case hal::Location::Kind::kDevice:
      return hal::Location::Device(DeviceId(number));
    case hal::Location::Kind::kHost:
      return hal::Location::Host();
    case hal::Location::Kind::kNuma:
      return hal::Location::Numa(hal::NumaNode(number));
  }
  return hal::Location::None();
}

}  // namespace npu::mm

#endif  // MM_LOCATION_CODE_H_
