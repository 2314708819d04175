// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// RangeIndex: from an address to the allocation around it.

#ifndef MM_RANGE_INDEX_H_
#define MM_RANGE_INDEX_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"
#include "hal/base/paged_array.h"

namespace npu::mm {

// A live allocation.
struct RangeRecord {
  GranuleRange granules;
  DeviceId device;      // current when it was allocated
  uint64_t generation;  // never used twice
};

// What it is: a record number per granule and a table of records. Owns both.
// Threads: writers take turns (ManagedMemory's mutex); readers are lock-free,
// the fault path among them. Cost: Find and IsLive O(1), Insert and Erase
// O(granules of the range), no later allocation. Breaks: overlapping inserts,
// erasing what is not there (checked).
class RangeIndex {
 public:
  // Error: kOutOfMemory.
  static absl::StatusOr<std::unique_ptr<RangeIndex>> Make(uint32_t granules);

  // Whether a granule belongs to a live allocation.
  bool IsLive(GranuleIndex granule) const noexcept {
    return Slot(granule) != 0;
  }
  // The allocation around a granule; nullopt when there is none.
  std::optional<RangeRecord> Find(GranuleIndex granule) const;

  // The writers'.
  void Insert(GranuleRange granules, DeviceId device);
  void Erase(GranuleRange granules);
  // Any live allocation from `granule` on; nullopt when there is none.
  std::optional<RangeRecord> FindFrom(GranuleIndex granule) const;

  uint32_t live_count() const { return live_; }

  // Every record covers exactly the granules that name it. O(granules).
  void CheckInvariants() const;

 private:
  // A record is read under its generation: 0 while it is not valid.
  struct Record {
    std::atomic<uint64_t> generation;
    std::atomic<uint64_t> granules;  // begin in the low half, end in the high
    std::atomic<uint32_t> device;
    std::atomic<uint32_t> next_free;  // of a free record
  };
  using Id = std::atomic<uint32_t>;  // 0: nobody's, else record number + 1

  RangeIndex(PagedArray<Id> ids, PagedArray<Record> records)
      : ids_(std::move(ids)), records_(std::move(records)) {}

  uint32_t Slot(GranuleIndex granule) const noexcept {
    return ids_[granule.value()].load(std::memory_order_acquire);
  }
  uint32_t TakeRecord();

  PagedArray<Id> ids_;
  PagedArray<Record> records_;
  uint64_t next_generation_ = 1;
  uint32_t first_free_ = 0;  // as Id; records are reused before new ones
  uint32_t used_ = 0;        // records that were ever used
  uint32_t live_ = 0;
};

}  // namespace npu::mm

#endif  // MM_RANGE_INDEX_H_
