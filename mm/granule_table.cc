// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/granule_table.h"

#include <sched.h>

#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::mm {
namespace {

// Bits of the word of an entry, from 0: 3 of state, 7 of owner index, three
// flags; 32 and up hold the version.
constexpr int kOwnerShift = 3;
constexpr uint64_t kHostHolds = uint64_t{1} << 10;
constexpr uint64_t kReadMostly = uint64_t{1} << 11;
constexpr uint64_t kHostAccesses = uint64_t{1} << 12;
constexpr int kVersionShift = 32;
constexpr uint64_t kVersionOne = uint64_t{1} << kVersionShift;
constexpr uint64_t kStateMask = kVersionOne - 1;

uint64_t Pack(const GranuleState& state) {
  uint64_t word = static_cast<uint64_t>(state.residency);
  word |= static_cast<uint64_t>(state.owner.index()) << kOwnerShift;
  if (state.holders.host()) word |= kHostHolds;
  if (state.is_read_mostly()) word |= kReadMostly;
  if (state.accessors.host()) word |= kHostAccesses;
  return word;
}

NodeId OwnerOf(uint64_t word) {
  const auto index = static_cast<int32_t>((word >> kOwnerShift) & 0x7f);
  return index == 0 ? NodeId::Host() : NodeId::Device(DeviceId(index - 1));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const GranuleState& state) {
  out << NameOf(state.residency);
  if (state.populated()) {
    out << " owner " << state.owner << " holders " << state.holders;
  }
  if (state.is_read_mostly()) out << " read-mostly";
  if (!state.accessors.empty()) out << " accessors " << state.accessors;
  return out;
}

void CheckInvariants(const GranuleState& state) {
  const NodeSet& holders = state.holders;
  switch (state.residency) {
    case ResidencyState::kUnpopulated:
      NPU_CHECK(holders.empty() && !state.is_read_mostly());
      return;
    case ResidencyState::kExclusive:
      NPU_CHECK(holders == NodeSet(state.owner) && !state.is_read_mostly());
      return;
    case ResidencyState::kExclusiveRemote:
      NPU_CHECK(holders.Contains(state.owner) && holders.size() > 1);
      NPU_CHECK(!state.is_read_mostly());
      return;
    case ResidencyState::kShared:
      NPU_CHECK(holders.Contains(state.owner) && state.is_read_mostly());
      return;
    case ResidencyState::kOwnedUnmapped:
      NPU_CHECK(!holders.Contains(state.owner));
      return;
    case ResidencyState::kCount:
      break;
  }
  NPU_CHECK(false);
}

absl::StatusOr<GranuleTable> GranuleTable::Make(uint32_t granules) {
  NPU_ASSIGN_OR_RETURN(PagedArray<Entry> entries,
                       PagedArray<Entry>::Make(granules));
  return GranuleTable(std::move(entries));
}

GranuleState GranuleTable::Unpack(uint64_t word, const Entry& entry) {
  GranuleState state;
  state.residency = static_cast<ResidencyState>(word & 7);
  state.owner = OwnerOf(word);
  state.holders =
      NodeSet::FromBits((word & kHostHolds) != 0,
                        entry.device_holders.load(std::memory_order_relaxed));
  state.read_mostly =
      (word & kReadMostly) != 0 ? hal::ReadMostly::kYes : hal::ReadMostly::kNo;
  state.accessors =
      NodeSet::FromBits((word & kHostAccesses) != 0,
                        entry.device_accessors.load(std::memory_order_relaxed));
  return state;
}

GranuleState GranuleTable::ReadOwn(GranuleIndex granule) const {
  const Entry& entry = entries_[granule.value()];
  return Unpack(entry.word.load(std::memory_order_relaxed), entry);
}

GranuleState GranuleTable::Read(GranuleIndex granule) const {
  const Entry& entry = entries_[granule.value()];
  while (true) {
    const uint64_t before = entry.word.load(std::memory_order_acquire);
    if ((before & kVersionOne) == 0) {
      const GranuleState state = Unpack(before, entry);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (entry.word.load(std::memory_order_relaxed) == before) return state;
    }
    sched_yield();  // the writer may need this core
  }
}

void GranuleTable::Write(GranuleIndex granule, const GranuleState& state) {
  Entry& entry = entries_[granule.value()];
  const uint64_t old = entry.word.load(std::memory_order_relaxed);
  entry.word.store(old + kVersionOne, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  entry.device_holders.store(state.holders.devices(),
                             std::memory_order_relaxed);
  entry.device_accessors.store(state.accessors.devices(),
                               std::memory_order_relaxed);
  const uint64_t version = (old & ~kStateMask) + 2 * kVersionOne;
  entry.word.store(version | Pack(state), std::memory_order_release);
}

}  // namespace npu::mm
