// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// NodeCounters: what the pager did, seen from one node.

#ifndef MM_NODE_COUNTERS_H_
#define MM_NODE_COUNTERS_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "hal/base/node.h"

namespace npu::mm {

// The numbers of npuEmuCounters, in its order. All but bytes_in count granules
// or faults; a migration is a move of the only copy.
struct NodeCounters {
  uint64_t faults = 0;          // faults of this node that were served
  uint64_t migrations_in = 0;   // granules that moved here
  uint64_t migrations_out = 0;  // granules that moved away
  uint64_t bytes_in = 0;        // bytes that moved or were copied here
  uint64_t duplicates = 0;      // read-only copies made here
  uint64_t collapses = 0;       // read-only sets ended in favour of this node
  uint64_t evictions = 0;       // granules that left for want of room
  uint64_t prefetches = 0;      // granules that a prefetch brought here
};

enum class Counter : uint8_t {
  kFaults,
  kMigrationsIn,
  kMigrationsOut,
  kBytesIn,
  kDuplicates,
  kCollapses,
  kEvictions,
  kPrefetches,
  kCount,
};

// What it is: the counters of all nodes. Threads: any; relaxed atomics, so a
// reading is no snapshot. Cost: O(1); Reset is O(nodes).
class CounterBoard {
 public:
  void Add(NodeId node, Counter counter, uint64_t amount = 1) noexcept {
    At(node, counter).fetch_add(amount, std::memory_order_relaxed);
  }

  NodeCounters Read(NodeId node) const {
    const auto read = [&](Counter counter) {
      return At(node, counter).load(std::memory_order_relaxed);
    };
    NodeCounters out;
    out.faults = read(Counter::kFaults);
    out.migrations_in = read(Counter::kMigrationsIn);
    out.migrations_out = read(Counter::kMigrationsOut);
    out.bytes_in = read(Counter::kBytesIn);
    out.duplicates = read(Counter::kDuplicates);
    out.collapses = read(Counter::kCollapses);
    out.evictions = read(Counter::kEvictions);
    out.prefetches = read(Counter::kPrefetches);
    return out;
  }

  void Reset() {
    for (auto& node : board_) {
      for (auto& counter : node) counter.store(0, std::memory_order_relaxed);
    }
  }

 private:
  using Slot = std::atomic<uint64_t>;
  static constexpr size_t kCounters = static_cast<size_t>(Counter::kCount);

  Slot& At(NodeId node, Counter counter) {
    return board_[static_cast<size_t>(node.index())]
                 [static_cast<size_t>(counter)];
  }
  const Slot& At(NodeId node, Counter counter) const {
    return board_[static_cast<size_t>(node.index())]
                 [static_cast<size_t>(counter)];
  }

  std::array<std::array<Slot, kCounters>, kMaxNodes> board_ = {};
};

}  // namespace npu::mm

#endif  // MM_NODE_COUNTERS_H_
