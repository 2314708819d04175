// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// HostMemory: pinned memory of the host, and the physical budget of the
// machine.

#ifndef HAL_API_HOST_MEMORY_H_
#define HAL_API_HOST_MEMORY_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/api/memory_capacity.h"
#include "hal/base/address_range.h"

namespace npu::hal {

// What it is: the allocator of pinned host memory, and one physical budget over
// all nodes (an emulated device's memory is the machine's, too). Owns the
// memory. Threads: any; Capacity is also fault path (lock-free). Cost: O(log n)
// for n live blocks.
class HostMemory {
 public:
  virtual ~HostMemory() = default;

  // `size` bytes, zeroed, aligned to a page. Errors: kInvalidValue for size 0,
  // kOutOfMemory.
  absl::StatusOr<AddressRange> Allocate(ByteSize size);

  // Errors: kInvalidValue when no live block begins at `begin`.
  absl::Status Free(Address begin) { return DoFree(begin); }

  // The live block around an address; nullopt where there is none.
  std::optional<AddressRange> Locate(Address address) const {
    return DoLocate(address);
  }

  // The physical budget.
  MemoryCapacity Capacity() const noexcept { return DoCapacity(); }

 private:
  virtual absl::StatusOr<AddressRange> DoAllocate(ByteSize size) = 0;
  virtual absl::Status DoFree(Address begin) = 0;
  virtual std::optional<AddressRange> DoLocate(Address address) const = 0;
  virtual MemoryCapacity DoCapacity() const noexcept = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_HOST_MEMORY_H_
