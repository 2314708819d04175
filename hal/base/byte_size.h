// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ByteSize: a count of bytes, and the sizes that the whole house uses.

#ifndef HAL_BASE_BYTE_SIZE_H_
#define HAL_BASE_BYTE_SIZE_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <utility>

#include "hal/base/check.h"

namespace npu {

// What it is: a number of bytes, 0 .. 2^64 - 1. It never meets an address as an
// integer. Threads: a value. Cost: O(1). Breaks: plain + and - must not wrap
// (checked); for sizes that come from a caller use CheckedAdd and RoundUp,
// which answer nullopt.
class ByteSize {
 public:
  constexpr ByteSize() = default;
  constexpr explicit ByteSize(uint64_t bytes) : bytes_(bytes) {}

  constexpr uint64_t bytes() const { return bytes_; }
  constexpr bool zero() const { return bytes_ == 0; }

  // True when this is a whole number of `unit`s; 0 is.
  constexpr bool IsMultipleOf(ByteSize unit) const {
    return bytes_ % unit.bytes_ == 0;
  }

  friend constexpr ByteSize operator+(ByteSize a, ByteSize b) {
    NPU_CHECK(a.bytes_ + b.bytes_ >= a.bytes_);
    return ByteSize(a.bytes_ + b.bytes_);
  }
  friend constexpr ByteSize operator-(ByteSize a, ByteSize b) {
    NPU_CHECK(a.bytes_ >= b.bytes_);
    return ByteSize(a.bytes_ - b.bytes_);
  }
  friend constexpr ByteSize operator*(ByteSize a, uint64_t times) {
    NPU_CHECK(times == 0 || a.bytes_ <= UINT64_MAX / times);
    return ByteSize(a.bytes_ * times);
  }
  friend constexpr bool operator==(ByteSize a, ByteSize b) {
    return a.bytes_ == b.bytes_;
  }
  friend constexpr bool operator!=(ByteSize a, ByteSize b) { return !(a == b); }
  friend constexpr bool operator<(ByteSize a, ByteSize b) {
    return a.bytes_ < b.bytes_;
  }
  friend constexpr bool operator>(ByteSize a, ByteSize b) { return b < a; }
  friend constexpr bool operator<=(ByteSize a, ByteSize b) { return !(b < a); }
  friend constexpr bool operator>=(ByteSize a, ByteSize b) { return !(a < b); }
  friend std::ostream& operator<<(std::ostream& out, ByteSize size) {
    return out << size.bytes_ << " B";
  }
  template <typename H>
  friend H AbslHashValue(H h, ByteSize size) {
    return H::combine(std::move(h), size.bytes_);
  }

 private:
  uint64_t bytes_ = 0;
};

constexpr ByteSize KiB(uint64_t count) { return ByteSize(1024) * count; }
constexpr ByteSize MiB(uint64_t count) { return KiB(1024) * count; }
constexpr ByteSize GiB(uint64_t count) { return MiB(1024) * count; }
constexpr ByteSize TiB(uint64_t count) { return GiB(1024) * count; }

// The unit of residency and of managed-memory attributes (design decision; the
// API page's 2 MiB size rule of advice and prefetch).
inline constexpr ByteSize kGranule = MiB(2);

// a + b, or nullopt where that does not fit in 64 bits.
constexpr std::optional<ByteSize> CheckedAdd(ByteSize a, ByteSize b) {
  if (a.bytes() + b.bytes() < a.bytes()) return std::nullopt;
  return ByteSize(a.bytes() + b.bytes());
}

// The smallest multiple of `unit` that is not below `size`, or nullopt where
// that does not fit in 64 bits. `unit` is not zero.
constexpr std::optional<ByteSize> RoundUp(ByteSize size, ByteSize unit) {
  NPU_CHECK(!unit.zero());
  const uint64_t rest = size.bytes() % unit.bytes();
  if (rest == 0) return size;
  return CheckedAdd(size, ByteSize(unit.bytes() - rest));
}

}  // namespace npu

#endif  // HAL_BASE_BYTE_SIZE_H_
