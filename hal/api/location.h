// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Location: a place for memory as a caller names it. It is not a NodeId: a
// caller may name a NUMA node (which is the host for residency, and a name of
// its own in a query) or no place at all.

#ifndef HAL_API_LOCATION_H_
#define HAL_API_LOCATION_H_

#include <cstdint>
#include <ostream>

#include "hal/base/check.h"
#include "hal/base/node.h"

namespace npu::hal {

// The number of a NUMA node of the host, 0 .. numa_nodes - 1.
using NumaNode = StrongValue<struct NumaNodeTag, int32_t>;

// What it is: nowhere, a device, the host, or one NUMA node of the host. Made
// from the C ABI's location after NUMA_CURRENT has been resolved there.
// Threads: a value. Cost: O(1).
class Location {
 public:
  // The numbers are those of the driver's location type (an interface fact).
  enum class Kind : uint8_t { kNone = 0, kDevice = 1, kHost = 2, kNuma = 3 };

  constexpr Location() = default;  // nowhere
  static constexpr Location None() { return Location(); }
  static constexpr Location Host() { return Location(Kind::kHost, -1); }
  static constexpr Location Device(DeviceId id) {
    return Location(Kind::kDevice, id.value());
  }
  static constexpr Location Numa(NumaNode node) {
    return Location(Kind::kNuma, node.value());
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_none() const { return kind_ == Kind::kNone; }

  // The number of the device or NUMA node; -1 for the host, -2 for nowhere: how
  // the queries of the C ABI print it.
  constexpr int32_t number() const { return number_; }

  // Whose memory it is; a broken invariant on "nowhere".
  constexpr NodeId node() const {
    NPU_CHECK(!is_none());
    if (kind_ != Kind::kDevice) return NodeId::Host();
    return NodeId::Device(DeviceId(number_));
  }

  friend constexpr bool operator==(Location a, Location b) {
    return a.kind_ == b.kind_ && a.number_ == b.number_;
  }
  friend constexpr bool operator!=(Location a, Location b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& out, Location location);

 private:
  constexpr Location(Kind kind, int32_t number)
      : number_(number), kind_(kind) {}

  int32_t number_ = -2;
  Kind kind_ = Kind::kNone;
};

}  // namespace npu::hal

#endif  // HAL_API_LOCATION_H_
