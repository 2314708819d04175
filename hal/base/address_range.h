// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Address and AddressRange: places in the one address space that the host and
// all devices share.
//
//   begin                       end
//     |<--------- size --------->|      a half-open range: end is outside

#ifndef HAL_BASE_ADDRESS_RANGE_H_
#define HAL_BASE_ADDRESS_RANGE_H_

#include <cstdint>
#include <ostream>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/base/byte_size.h"

namespace npu {

// What it is: a virtual address as a number; it is never dereferenced by way of
// this type without a visible cast. Threads: a value. Cost: O(1).
class Address {
 public:
  constexpr Address() = default;
  constexpr explicit Address(uint64_t value) : value_(value) {}
  static Address Of(const void* pointer) {
    return Address(reinterpret_cast<uintptr_t>(pointer));
  }

  constexpr uint64_t value() const { return value_; }
  void* pointer() const {
    return reinterpret_cast<void*>(static_cast<uintptr_t>(value_));
  }

  // The address rounded down to a multiple of `unit` (a power of two).
  constexpr Address AlignDown(ByteSize unit) const {
    return Address(value_ & ~(unit.bytes() - 1));
  }
  constexpr bool IsAligned(ByteSize unit) const {
    return (value_ & (unit.bytes() - 1)) == 0;
  }

  // Must not wrap: for addresses that come from a caller make an AddressRange.
  friend constexpr Address operator+(Address a, ByteSize offset) {
    NPU_CHECK(a.value_ + offset.bytes() >= a.value_);
    return Address(a.value_ + offset.bytes());
  }
  // The distance; `a` is not below `b`.
  friend constexpr ByteSize operator-(Address a, Address b) {
    return ByteSize(a.value_) - ByteSize(b.value_);
  }
  friend constexpr bool operator==(Address a, Address b) {
    return a.value_ == b.value_;
  }
  friend constexpr bool operator!=(Address a, Address b) { return !(a == b); }
  friend constexpr bool operator<(Address a, Address b) {
    return a.value_ < b.value_;
  }
  friend constexpr bool operator>(Address a, Address b) { return b < a; }
  friend constexpr bool operator<=(Address a, Address b) { return !(b < a); }
  friend constexpr bool operator>=(Address a, Address b) { return !(a < b); }
  friend std::ostream& operator<<(std::ostream& out, Address address);
  template <typename H>
  friend H AbslHashValue(H h, Address address) {
    return H::combine(std::move(h), address.value_);
  }

 private:
  uint64_t value_ = 0;
};

// What it is: a half-open, non-empty, non-wrapping range of addresses; every
// value of the type is one. Threads: a value. Cost: O(1).
class AddressRange {
 public:
  // [begin, begin + size). Errors: InvalidArgument when size is 0, then when
  // the end does not fit in 64 bits.
  static absl::StatusOr<AddressRange> Make(Address begin, ByteSize size);

  // The same for values of our own; a broken invariant where Make would fail.
  static constexpr AddressRange Of(Address begin, ByteSize size) {
    NPU_CHECK(!size.zero() && begin.value() + size.bytes() > begin.value());
    return AddressRange(begin, size);
  }

  constexpr Address begin() const { return begin_; }
  constexpr Address end() const { return begin_ + size_; }
  constexpr ByteSize size() const { return size_; }

  constexpr bool Contains(Address address) const {
    return address >= begin() && address < end();
  }
  constexpr bool Contains(AddressRange other) const {
    return other.begin() >= begin() && other.end() <= end();
  }
  constexpr bool Overlaps(AddressRange other) const {
    return other.begin() < end() && begin() < other.end();
  }

  friend constexpr bool operator==(AddressRange a, AddressRange b) {
    return a.begin_ == b.begin_ && a.size_ == b.size_;
  }
  friend constexpr bool operator!=(AddressRange a, AddressRange b) {
    return !(a == b);
  }
  friend std::ostream& operator<<(std::ostream& out, AddressRange range);

 private:
  constexpr AddressRange(Address begin, ByteSize size)
      : begin_(begin), size_(size) {}

  Address begin_;
  ByteSize size_;
};

}  // namespace npu

#endif  // HAL_BASE_ADDRESS_RANGE_H_
