// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Granules: the managed window counted in units of 2 MiB.
//
//   window   |g0    |g1    |g2    |g3    |
//   range        [-------------)             bytes
//   touched  [g0           g2 + 1)           granules: every one it touches

#ifndef HAL_BASE_GRANULE_H_
#define HAL_BASE_GRANULE_H_

#include <cstdint>
#include <ostream>

#include "hal/base/address_range.h"
#include "hal/base/byte_size.h"
#include "hal/base/check.h"
#include "hal/base/strong_value.h"

namespace npu {

// The number of a granule in its window, from 0.
using GranuleIndex = StrongValue<struct GranuleIndexTag, uint32_t>;

// The granule `count` places behind `index`.
constexpr GranuleIndex Advance(GranuleIndex index, uint32_t count) {
  NPU_CHECK(index.value() <= UINT32_MAX - count);
  return GranuleIndex(index.value() + count);
}

// What it is: a half-open, non-empty run of granules [begin, end). Threads: a
// value. Cost: O(1). Breaks: Of needs begin < end.
class GranuleRange {
 public:
  static constexpr GranuleRange Of(GranuleIndex begin, GranuleIndex end) {
    NPU_CHECK(begin < end);
    return GranuleRange(begin, end);
  }
  static constexpr GranuleRange One(GranuleIndex index) {
    return Of(index, Advance(index, 1));
  }

  constexpr GranuleIndex begin() const { return begin_; }
  constexpr GranuleIndex end() const { return end_; }
  constexpr uint32_t count() const { return end_.value() - begin_.value(); }
  constexpr bool Contains(GranuleIndex index) const {
    return !(index < begin_) && index < end_;
  }
  constexpr bool Contains(GranuleRange other) const {
    return !(other.begin_ < begin_) && !(end_ < other.end_);
  }
  constexpr bool Overlaps(GranuleRange other) const {
    return begin_ < other.end_ && other.begin_ < end_;
  }

  friend constexpr bool operator==(GranuleRange a, GranuleRange b) {
    return a.begin_ == b.begin_ && a.end_ == b.end_;
  }
  friend std::ostream& operator<<(std::ostream& out, GranuleRange range) {
    return out << "[g" << range.begin_ << ", g" << range.end_ << ")";
  }

 private:
  constexpr GranuleRange(GranuleIndex begin, GranuleIndex end)
      : begin_(begin), end_(end) {}

  GranuleIndex begin_;
  GranuleIndex end_;
};

// What it is: the managed address window, and the arithmetic between addresses
// and granules. Threads: a value, immutable. Cost: O(1). Breaks: base and size
// must be multiples of 2 MiB and the count of granules must fit in 32 bits.
class GranuleWindow {
 public:
  constexpr explicit GranuleWindow(AddressRange range) : range_(range) {
    NPU_CHECK(range.begin().IsAligned(kGranule));
    NPU_CHECK(range.size().IsMultipleOf(kGranule));
    NPU_CHECK(range.size().bytes() / kGranule.bytes() < UINT32_MAX);
  }

  constexpr AddressRange range() const { return range_; }
  constexpr uint32_t granule_count() const {
    return static_cast<uint32_t>(range_.size().bytes() / kGranule.bytes());
  }

  // The granule of an address inside the window.
  constexpr GranuleIndex IndexOf(Address address) const {
    NPU_CHECK(range_.Contains(address));
    return GranuleIndex(static_cast<uint32_t>(
        (address - range_.begin()).bytes() / kGranule.bytes()));
  }
  // Every granule that a range inside the window touches.
  constexpr GranuleRange Touched(AddressRange range) const {
    NPU_CHECK(range_.Contains(range));
    const Address last(range.end().value() - 1);
    return GranuleRange::Of(IndexOf(range.begin()), Advance(IndexOf(last), 1));
  }
  constexpr Address AddressOf(GranuleIndex index) const {
    NPU_CHECK(index.value() < granule_count());
    return range_.begin() + kGranule * index.value();
  }
  constexpr AddressRange AddressesOf(GranuleRange granules) const {
    return AddressRange::Of(AddressOf(granules.begin()),
                            kGranule * granules.count());
  }

 private:
  AddressRange range_;
};

}  // namespace npu

#endif  // HAL_BASE_GRANULE_H_
