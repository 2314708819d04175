// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceMemory: plain memory of one device, which no other node can reach
// unless peer access is on.

#ifndef HAL_API_DEVICE_MEMORY_H_
#define HAL_API_DEVICE_MEMORY_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/api/memory_capacity.h"
#include "hal/base/address_range.h"
#include "hal/base/node.h"

namespace npu::hal {

// A live allocation.
struct DeviceBlock {
  DeviceId device;
  AddressRange range;
  ByteSize page_size;
};

// What it is: the allocator of device memory and the account of each device's
// capacity, to which resident managed granules are charged as well. Owns the
// memory. Threads: any; Capacity is also fault path (lock-free). Cost: O(log n)
// for n live blocks, plus O(size) for pages.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  // `size` bytes, zeroed, aligned to at least 512 bytes. Errors:
  // kInvalidDevice, kInvalidValue for size 0, kOutOfMemory.
  absl::StatusOr<AddressRange> Allocate(DeviceId device, ByteSize size);

  // Ends a block, with every mapping of it anywhere. Errors: kInvalidValue when
  // no live block begins at `begin`.
  absl::Status Free(Address begin) { return DoFree(begin); }

  // The live block around an address; nullopt where there is none.
  std::optional<DeviceBlock> Locate(Address address) const {
    return DoLocate(address);
  }

  // `device` is in range (checked by the caller).
  MemoryCapacity Capacity(DeviceId device) const noexcept {
    return DoCapacity(device);
  }

 private:
  virtual absl::StatusOr<AddressRange> DoAllocate(DeviceId device,
                                                  ByteSize size) = 0;
  virtual absl::Status DoFree(Address begin) = 0;
  virtual std::optional<DeviceBlock> DoLocate(Address address) const = 0;
  virtual MemoryCapacity DoCapacity(DeviceId device) const noexcept = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_DEVICE_MEMORY_H_
