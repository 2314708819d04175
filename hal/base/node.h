// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Who can hold memory: the host, or one of up to 64 devices.

#ifndef HAL_BASE_NODE_H_
#define HAL_BASE_NODE_H_

#include <cstdint>
#include <ostream>

#include "hal/base/check.h"
#include "hal/base/strong_value.h"

namespace npu {

// The logical number of a device, 0 .. device count - 1.
using DeviceId = StrongValue<struct DeviceIdTag, int32_t>;

// The most devices that one runtime can have (the driver's own limit).
inline constexpr int32_t kMaxDevices = 64;

// What it is: the host or a device, as a value of four bytes. Threads: a value.
// Cost: O(1). Breaks: NodeId::Device needs an id in [0, kMaxDevices).
class NodeId {
 public:
  // The host, so that a default-made node is valid.
  constexpr NodeId() = default;

  static constexpr NodeId Host() { return NodeId(); }
  static constexpr NodeId Device(DeviceId id) {
    NPU_CHECK(id.value() >= 0 && id.value() < kMaxDevices);
    return NodeId(id.value());
  }

  constexpr bool is_host() const { return number_ < 0; }
  constexpr bool is_device() const { return number_ >= 0; }

  // The device; a broken invariant on the host.
  constexpr DeviceId device() const {
    NPU_CHECK(is_device());
    return DeviceId(number_);
  }

  // -1 for the host, else the device's number: how the C ABI prints it.
  constexpr int32_t number() const { return number_; }

  // 0 for the host, 1 + number for a device: for arrays of kMaxNodes.
  constexpr int index() const { return number_ + 1; }

  friend constexpr bool operator==(NodeId a, NodeId b) {
    return a.number_ == b.number_;
  }
  friend constexpr bool operator!=(NodeId a, NodeId b) { return !(a == b); }
  friend constexpr bool operator<(NodeId a, NodeId b) {
    return a.number_ < b.number_;
  }
  friend std::ostream& operator<<(std::ostream& out, NodeId node) {
    if (node.is_host()) return out << "host";
    return out << "device " << node.number_;
  }

 private:
  constexpr explicit NodeId(int32_t number) : number_(number) {}

  int32_t number_ = -1;
};

// Entries of an array indexed by NodeId::index().
inline constexpr int kMaxNodes = kMaxDevices + 1;

// What it is: a set of nodes; 65 members do not fit in one word, hence two.
// Threads: a value. Cost: O(1) for all but iteration, which is O(members).
class NodeSet {
 public:
  constexpr NodeSet() = default;
  // The set {node}.
  constexpr explicit NodeSet(NodeId node) { Add(node); }
  static constexpr NodeSet FromBits(bool host, uint64_t devices) {
    NodeSet set;
    set.host_ = host;
    set.devices_ = devices;
    return set;
  }

  constexpr void Add(NodeId node) {
    if (node.is_host()) {
      host_ = true;
    } else {
      devices_ |= Bit(node);
    }
  }
  constexpr void Remove(NodeId node) {
    if (node.is_host()) {
      host_ = false;
    } else {
      devices_ &= ~Bit(node);
    }
  }
  constexpr bool Contains(NodeId node) const {
    return node.is_host() ? host_ : (devices_ & Bit(node)) != 0;
  }
  constexpr bool empty() const { return !host_ && devices_ == 0; }
  constexpr int size() const {
    return (host_ ? 1 : 0) + __builtin_popcountll(devices_);
  }
  constexpr bool host() const { return host_; }
  // Bit d is set when device d is a member.
  constexpr uint64_t devices() const { return devices_; }

  // Members of both sets.
  friend constexpr NodeSet Intersect(NodeSet a, NodeSet b) {
    return FromBits(a.host_ && b.host_, a.devices_ & b.devices_);
  }
  // Members of either set.
  friend constexpr NodeSet Unite(NodeSet a, NodeSet b) {
    return FromBits(a.host_ || b.host_, a.devices_ | b.devices_);
  }
  friend constexpr bool operator==(NodeSet a, NodeSet b) {
    return a.host_ == b.host_ && a.devices_ == b.devices_;
  }
  friend constexpr bool operator!=(NodeSet a, NodeSet b) { return !(a == b); }

  // Calls visit(NodeId) for each member, the host first, then by number.
  template <typename Visit>
  constexpr void ForEach(Visit&& visit) const {
    if (host_) visit(NodeId::Host());
    for (uint64_t rest = devices_; rest != 0; rest &= rest - 1) {
      visit(NodeId::Device(DeviceId(__builtin_ctzll(rest))));
    }
  }

 private:
  static constexpr uint64_t Bit(NodeId node) {
    return uint64_t{1} << node.number();
  }

  uint64_t devices_ = 0;
  bool host_ = false;
};

std::ostream& operator<<(std::ostream& out, NodeSet set);

}  // namespace npu

#endif  // HAL_BASE_NODE_H_
