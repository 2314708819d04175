// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// StrongValue: an identity that is stored as a number but is not one. Two
// values of the same kind compare, hash and print; kinds do not mix and nothing
// adds them up.
//
//   using StreamId = StrongValue<struct StreamIdTag, uint64_t>;
//   StreamId a(1);
//   a == StreamId(1);   // compiles
//   a == DeviceId(1);   // does not
//   a + 1;              // does not

#ifndef HAL_BASE_STRONG_VALUE_H_
#define HAL_BASE_STRONG_VALUE_H_

#include <ostream>
#include <utility>

namespace npu {

// What it is: a value class; copy it freely. Cost: that of the number. No
// thread rules, owns nothing.
template <typename Tag, typename Number>
class StrongValue {
 public:
  constexpr StrongValue() = default;
  constexpr explicit StrongValue(Number value) : value_(value) {}

  constexpr Number value() const { return value_; }

  friend constexpr bool operator==(StrongValue a, StrongValue b) {
    return a.value_ == b.value_;
  }
  friend constexpr bool operator!=(StrongValue a, StrongValue b) {
    return a.value_ != b.value_;
  }
  // An order for containers; it has no meaning beyond that.
  friend constexpr bool operator<(StrongValue a, StrongValue b) {
    return a.value_ < b.value_;
  }
  friend std::ostream& operator<<(std::ostream& out, StrongValue v) {
    return out << v.value_;
  }
  template <typename H>
  friend H AbslHashValue(H h, StrongValue v) {
    return H::combine(std::move(h), v.value_);
  }

 private:
  Number value_ = {};
};

}  // namespace npu

#endif  // HAL_BASE_STRONG_VALUE_H_
