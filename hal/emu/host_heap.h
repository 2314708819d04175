// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// HostHeap: pinned host memory.

#ifndef HAL_EMU_HOST_HEAP_H_
#define HAL_EMU_HOST_HEAP_H_

#include <map>
#include <optional>

#include "hal/api/host_memory.h"
#include "hal/base/ranked_mutex.h"
#include "hal/emu/ledger.h"

namespace npu::hal::emu {

// What it is: anonymous memory of the client's process, which no device can
// reach. Owns it; borrows the ledger. Threads: any; one mutex
// (LockRank::kDriver). Cost: O(log blocks) and a system call.
class HostHeap final : public HostMemory {
 public:
  explicit HostHeap(Ledger& ledger) : ledger_(ledger) {}
  ~HostHeap() override;
  HostHeap(const HostHeap&) = delete;
  HostHeap& operator=(const HostHeap&) = delete;

 private:
  absl::StatusOr<AddressRange> DoAllocate(ByteSize size) override;
  absl::Status DoFree(Address begin) override;
  std::optional<AddressRange> DoLocate(Address address) const override;
  MemoryCapacity DoCapacity() const noexcept override;

  Ledger& ledger_;
  mutable RankedMutex mutex_{LockRank::kDriver};
  std::map<Address, ByteSize> blocks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_HOST_HEAP_H_
