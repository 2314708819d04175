// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceHeap: plain device memory, in the slice of each device.

#ifndef HAL_EMU_DEVICE_HEAP_H_
#define HAL_EMU_DEVICE_HEAP_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/api/device_memory.h"
#include "hal/base/paged_array.h"
#include "hal/base/ranked_mutex.h"
#include "hal/emu/address_space.h"
#include "hal/emu/ledger.h"

namespace npu::hal::emu {

// What it is: first-fit free lists over the slices, in whole pages, so that two
// blocks share none; a bit per page says "live" to the service thread, which
// takes no lock. Owns lists and bits; borrows address space and ledger. The
// memory belongs to this process and survives a device's. Threads: any; one
// mutex (LockRank::kDriver), IsLive lock-free. Cost: O(log blocks) plus
// O(pages) bits. Pages are punched when they are freed, and once more for a new
// block: it is zeroed, whatever a late writer did.
class DeviceHeap final : public DeviceMemory {
 public:
  // Error: kOutOfMemory.
  static absl::StatusOr<std::unique_ptr<DeviceHeap>> Make(
      const AddressSpace& space, int32_t device_count, Ledger& ledger);

  // Whether the page of an address inside the device windows is live. Fault
  // path.
  bool IsLive(Address address) const noexcept;
  // The live pages around an address within a piece of 64 KiB: what one fault
  // maps.
  AddressRange LivePiece(Address address) const noexcept;

  // Which block is around an address, counted from 1 over all that there ever
  // were; 0 where there is none.
  uint64_t NumberOf(Address address) const;

  // Frees every block of a device.
  void FreeAll(DeviceId device);

  // Lists, bits and charges agree. O(blocks).
  void CheckInvariants() const;

 private:
  using Offsets = std::map<uint64_t, uint64_t>;  // begin -> size, in a slice

  struct Block {
    uint64_t size;
    uint64_t number;
  };
  using Blocks = std::map<uint64_t, Block>;  // by begin, in a slice

  struct Slice {
    Offsets free;
    Blocks live;
  };

  DeviceHeap(const AddressSpace& space, Ledger& ledger,
             PagedArray<std::atomic<uint64_t>> live)
      : space_(space), ledger_(ledger), live_(std::move(live)) {}

  absl::StatusOr<AddressRange> DoAllocate(DeviceId device,
                                          ByteSize size) override;
  absl::Status DoFree(Address begin) override;
  std::optional<DeviceBlock> DoLocate(Address address) const override;
  MemoryCapacity DoCapacity(DeviceId device) const noexcept override;

  // First fit; nullopt when no hole is large enough.
  static std::optional<uint64_t> Take(Offsets& free, uint64_t size,
                                      uint64_t alignment);
  static void GiveBack(Offsets& free, uint64_t begin, uint64_t size);
  enum class Life : uint8_t { kDead, kLive };
  void Mark(AddressRange range, Life life);
  void PunchOut(DeviceId device, uint64_t begin, uint64_t size);
  // The block around an address; the end where there is none.
  Blocks::const_iterator FindLocked(DeviceId device, Address address) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FreeLocked(DeviceId device, Blocks::iterator block)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const AddressSpace& space_;
  Ledger& ledger_;
  mutable RankedMutex mutex_{LockRank::kDriver};
  std::vector<Slice> slices_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  PagedArray<std::atomic<uint64_t>> live_;  // a bit per page of all slices
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_HEAP_H_
