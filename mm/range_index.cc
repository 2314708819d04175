// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/range_index.h"

#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::mm {
namespace {

uint64_t Pack(GranuleRange range) {
  return range.begin().value() | uint64_t{range.end().value()} << 32;
}

GranuleRange Unpack(uint64_t packed) {
  return GranuleRange::Of(GranuleIndex(static_cast<uint32_t>(packed)),
                          GranuleIndex(static_cast<uint32_t>(packed >> 32)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RangeIndex>> RangeIndex::Make(
    uint32_t granules) {
  NPU_ASSIGN_OR_RETURN(PagedArray<Id> ids, PagedArray<Id>::Make(granules));
  NPU_ASSIGN_OR_RETURN(PagedArray<Record> records,
                       PagedArray<Record>::Make(granules));
  return std::unique_ptr<RangeIndex>(
      new RangeIndex(std::move(ids), std::move(records)));
}

std::optional<RangeRecord> RangeIndex::Find(GranuleIndex granule) const {
  while (true) {
    const uint32_t id = Slot(granule);
    if (id == 0) return std::nullopt;
    const Record& record = records_[id - 1];
    const uint64_t before = record.generation.load(std::memory_order_acquire);
    if (before == 0) continue;  // erased since: the slot will tell
    const uint64_t packed = record.granules.load(std::memory_order_relaxed);
    const uint32_t device = record.device.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (record.generation.load(std::memory_order_relaxed) != before) continue;
    const GranuleRange range = Unpack(packed);
    if (!range.Contains(granule)) continue;  // the record has a new owner
    return RangeRecord{range, DeviceId(static_cast<int32_t>(device)), before};
  }
}

uint32_t RangeIndex::TakeRecord() {
  if (first_free_ == 0) return ++used_;
  const uint32_t id = first_free_;
  first_free_ = records_[id - 1].next_free.load(std::memory_order_relaxed);
  return id;
}

void RangeIndex::Insert(GranuleRange granules, DeviceId device) {
  const uint32_t id = TakeRecord();
  Record& record = records_[id - 1];
  record.granules.store(Pack(granules), std::memory_order_relaxed);
  record.device.store(static_cast<uint32_t>(device.value()),
                      std::memory_order_relaxed);
  record.generation.store(next_generation_++, std::memory_order_release);
  for (GranuleIndex g = granules.begin(); g < granules.end();
       g = Advance(g, 1)) {
    NPU_CHECK(Slot(g) == 0);
    ids_[g.value()].store(id, std::memory_order_release);
  }
  ++live_;
}

void RangeIndex::Erase(GranuleRange granules) {
  const uint32_t id = Slot(granules.begin());
  NPU_CHECK(id != 0);
  Record& record = records_[id - 1];
  NPU_CHECK(record.granules.load(std::memory_order_relaxed) == Pack(granules));
  for (GranuleIndex g = granules.begin(); g < granules.end();
       g = Advance(g, 1)) {
    ids_[g.value()].store(0, std::memory_order_release);
  }
  record.generation.store(0, std::memory_order_release);
  record.next_free.store(first_free_, std::memory_order_relaxed);
  first_free_ = id;
  --live_;
}

std::optional<RangeRecord> RangeIndex::FindFrom(GranuleIndex granule) const {
  for (uint32_t g = granule.value(); g < ids_.size(); ++g) {
    if (IsLive(GranuleIndex(g))) return Find(GranuleIndex(g));
  }
  return std::nullopt;
}

void RangeIndex::CheckInvariants() const {
  uint32_t live = 0;
  auto at = FindFrom(GranuleIndex(0));
  while (at) {
    ++live;
    const uint32_t id = Slot(at->granules.begin());
    for (GranuleIndex g = at->granules.begin(); g < at->granules.end();
         g = Advance(g, 1)) {
      NPU_CHECK(Slot(g) == id);
    }
    if (at->granules.end().value() == ids_.size()) break;
    at = FindFrom(at->granules.end());
  }
  NPU_CHECK(live == live_);
}

}  // namespace npu::mm
