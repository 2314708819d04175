// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Mapping: an owned piece of address space.

#ifndef HAL_EMU_MAPPING_H_
#define HAL_EMU_MAPPING_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/base/address_range.h"

namespace npu::hal::emu {

// What a mapping shows.
struct MappingPlan {
  std::string name;  // for errors: "the managed window"
  Address place;     // 0: anywhere
  ByteSize size;
  int fd = -1;  // shared memory; -1: reserved, nothing can be touched
  uint64_t offset = 0;
};

// What it is: a mapping that ends with its owner, kept out of core dumps and of
// children (MADV_DONTDUMP, MADV_DONTFORK). Move only. Threads: none of its own.
class Mapping {
 public:
  // Error: kOutOfMemory, which names the mapping, where and why.
  static absl::StatusOr<Mapping> Make(const MappingPlan& plan);

  Mapping(Mapping&& other) noexcept
      : range_(other.range_), owned_(std::exchange(other.owned_, false)) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();

  AddressRange range() const { return range_; }
  Address begin() const { return range_.begin(); }

 private:
  explicit Mapping(AddressRange range) : range_(range) {}

  AddressRange range_;
  bool owned_ = true;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_MAPPING_H_
