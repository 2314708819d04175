// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/attribute_map.h"

#include <sched.h>

#include <algorithm>

#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::mm {

absl::StatusOr<AttributeMap> AttributeMap::Make(uint32_t granules) {
  NPU_ASSIGN_OR_RETURN(BitTree changes, BitTree::Make(granules));
  NPU_ASSIGN_OR_RETURN(auto values,
                       PagedArray<std::atomic<uint64_t>>::Make(granules));
  return AttributeMap(std::move(changes), std::move(values));
}

AttributeMap::AttributeMap(AttributeMap&& other) noexcept
    : changes_(std::move(other.changes_)), values_(std::move(other.values_)) {}

uint64_t AttributeMap::ValueAt(GranuleIndex granule) const {
  const std::optional<uint32_t> change = changes_.Previous(granule.value());
  return change ? values_[*change].load(std::memory_order_relaxed) : 0;
}

GranuleIndex AttributeMap::RunEnd(GranuleIndex granule,
                                  GranuleIndex limit) const {
  const std::optional<uint32_t> change = changes_.Next(granule.value() + 1);
  return change ? std::min(GranuleIndex(*change), limit) : limit;
}

// Makes `granule` begin a run of `value` behind a granule of value `left`.
void AttributeMap::Mark(uint32_t granule, uint64_t left, uint64_t value) {
  if (left == value) {
    changes_.Remove(granule);
    return;
  }
  values_[granule].store(value, std::memory_order_relaxed);
  changes_.Add(granule);
}

void AttributeMap::Set(GranuleRange range, uint64_t value) {
  const uint32_t begin = range.begin().value();
  const uint32_t end = range.end().value();
  NPU_CHECK(end <= changes_.size());
  const uint64_t left = begin == 0 ? 0 : ValueAt(GranuleIndex(begin - 1));
  const bool has_right = end < changes_.size();
  const uint64_t right = has_right ? ValueAt(range.end()) : 0;

  const uint32_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (auto at = changes_.Next(begin + 1); at && *at < end;
       at = changes_.Next(*at + 1)) {
    changes_.Remove(*at);
  }
  Mark(begin, left, value);
  if (has_right) Mark(end, value, right);
  version_.store(version + 2, std::memory_order_release);
}

template <typename Read>
auto AttributeMap::Consistent(Read&& read) const {
  while (true) {
    const uint32_t before = version_.load(std::memory_order_acquire);
    if (before % 2 == 0) {
      const auto result = read();
      std::atomic_thread_fence(std::memory_order_acquire);
      if (version_.load(std::memory_order_relaxed) == before) return result;
    }
    sched_yield();  // the writer may need this core
  }
}

uint64_t AttributeMap::Get(GranuleIndex granule) const {
  return Consistent([&] { return ValueAt(granule); });
}

std::optional<uint64_t> AttributeMap::Uniform(GranuleRange range) const {
  return Consistent([&]() -> std::optional<uint64_t> {
    if (RunEnd(range.begin(), range.end()) < range.end()) return std::nullopt;
    return ValueAt(range.begin());
  });
}

uint64_t AttributeMap::All(GranuleRange range) const {
  return Consistent([&] {
    uint64_t common = ~uint64_t{0};
    GranuleIndex at = range.begin();
    while (at < range.end() && common != 0) {
      common &= ValueAt(at);
      // A torn reading may point backwards; the version tells it afterwards.
      at = std::max(RunEnd(at, range.end()), Advance(at, 1));
    }
    return common;
  });
}

void AttributeMap::CheckInvariants() const {
  changes_.CheckInvariants();
  NPU_CHECK(version_.load(std::memory_order_relaxed) % 2 == 0);
  uint64_t left = 0;
  for (auto at = changes_.Next(0); at; at = changes_.Next(*at + 1)) {
    const uint64_t value = values_[*at].load(std::memory_order_relaxed);
    NPU_CHECK(value != left);
    left = value;
  }
}

}  // namespace npu::mm
