// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/host_heap.h"

#include <sys/mman.h>

#include <iterator>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"

namespace npu::hal::emu {

HostHeap::~HostHeap() {
  MutexLock lock(mutex_);
  for (const auto& [begin, size] : blocks_) {
    munmap(begin.pointer(), size.bytes());
    ledger_.physical().Remove(size);
  }
}

absl::StatusOr<AddressRange> HostHeap::DoAllocate(ByteSize size) {
  const auto refuse = [&] {
    return DriverError(DriverCode::kOutOfMemory,
                       absl::StrCat("the host has no ", size.bytes(),
                                    " bytes of pinned memory"));
  };
  const std::optional<ByteSize> rounded = RoundUp(size, KiB(4));
  if (!rounded || ledger_.physical().Add(*rounded) == Charge::kRefused) {
    return refuse();
  }
  void* const block = mmap(nullptr, rounded->bytes(), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) {
    ledger_.physical().Remove(*rounded);
    return refuse();
  }
  MutexLock lock(mutex_);
  blocks_[Address::Of(block)] = *rounded;
  return AddressRange::Of(Address::Of(block), size);
}

absl::Status HostHeap::DoFree(Address begin) {
  ByteSize size;
  {
    MutexLock lock(mutex_);
    const auto block = blocks_.find(begin);
    if (block == blocks_.end()) {
      return DriverError(DriverCode::kInvalidValue,
                         absl::StrCat("no pinned memory begins at 0x",
                                      absl::Hex(begin.value())));
    }
    size = block->second;
    blocks_.erase(block);
  }
  munmap(begin.pointer(), size.bytes());
  ledger_.physical().Remove(size);
  return absl::OkStatus();
}

std::optional<AddressRange> HostHeap::DoLocate(Address address) const {
  MutexLock lock(mutex_);
  auto block = blocks_.upper_bound(address);
  if (block == blocks_.begin()) return std::nullopt;
  block = std::prev(block);
  const AddressRange range = AddressRange::Of(block->first, block->second);
  if (!range.Contains(address)) return std::nullopt;
  return range;
}

MemoryCapacity HostHeap::DoCapacity() const noexcept {
  return ledger_.physical().Read();
}

}  // namespace npu::hal::emu
