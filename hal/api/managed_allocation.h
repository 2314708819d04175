// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ManagedAllocation: managed memory as a driver hands it out.

#ifndef HAL_API_MANAGED_ALLOCATION_H_
#define HAL_API_MANAGED_ALLOCATION_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/base/address_range.h"
#include "hal/base/node.h"

namespace npu::hal {

// A live allocation of managed memory.
struct ManagedBlock {
  AddressRange range;  // 2 MiB granules
  DeviceId device;     // current when it was allocated
};

// What it is: allocate, free and find managed memory. Threads: any. Cost:
// Locate is O(1), the rest O(granules).
class ManagedAllocation {
 public:
  virtual ~ManagedAllocation() = default;

  // `size` bytes rounded up to 2 MiB, nothing resident. Errors: kInvalidValue
  // for size 0; kOutOfMemory when the rounding wraps, the window's total is
  // used up or has no hole of that size.
  absl::StatusOr<AddressRange> Allocate(ByteSize size, DeviceId current);

  // Errors: kInvalidValue when no live allocation begins at `begin`.
  absl::Status Free(Address begin) { return DoFree(begin); }

  // The live allocation around an address; nullopt where there is none.
  std::optional<ManagedBlock> Locate(Address address) const {
    return DoLocate(address);
  }

  // Whether every byte of `range` is in live managed memory; adjacent
  // allocations may follow one another. Error: kInvalidValue, with the first
  // address that is not.
  absl::Status CheckLive(AddressRange range) const {
    return DoCheckLive(range);
  }

  // Where managed memory can be at all.
  AddressRange Window() const { return DoWindow(); }

 private:
  virtual absl::StatusOr<AddressRange> DoAllocate(ByteSize size,
                                                  DeviceId current) = 0;
  virtual absl::Status DoFree(Address begin) = 0;
  virtual std::optional<ManagedBlock> DoLocate(Address address) const = 0;
  virtual absl::Status DoCheckLive(AddressRange range) const = 0;
  virtual AddressRange DoWindow() const = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_MANAGED_ALLOCATION_H_
