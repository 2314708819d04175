// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// FakeResidency: page tables in which every node has bytes of its own.

#ifndef HAL_FAKE_FAKE_RESIDENCY_H_
#define HAL_FAKE_FAKE_RESIDENCY_H_

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hal/api/memory_capacity.h"
#include "hal/api/page_residency.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"

namespace npu::hal::fake {

// What a dropped copy reads as, to whoever still looks at it.
inline constexpr uint64_t kDropped = 0xDBDBDBDBDBDBDBDB;

// Fails calls of one method by number: first .. first + count - 1, from 1.
struct FakeFailure {
  std::string method;  // "Populate", "Transfer", ...
  uint64_t first = 1;
  uint64_t count = 1;
  PageOutcome outcome = PageOutcome::kFailed;
};

// How much fits.
struct FakeCapacity {
  ByteSize device = GiB(1);
  ByteSize physical = GiB(1);
};

// What it is: one word per node and granule stands for the granule's bytes. A
// copy that a decision forgot is a copy that is lost, and shows: copies are
// made from the owner's word, dropped ones become kDropped, a node without a
// mapping cannot read or write. Every copy is charged to its holder. Owns all
// of it. Threads: any; one mutex, since tests look from outside. Cost:
// O(nodes). It checks the contract of PageResidency and keeps what was broken.
class FakeResidency final : public PageResidency {
 public:
  using Hook = std::function<void(const char* method, GranuleIndex granule)>;

  FakeResidency(GranuleWindow window, int32_t device_count,
                FakeCapacity capacity);

  // What an instruction of a node would do now; nullopt: it faults.
  std::optional<uint64_t> Read(NodeId node, GranuleIndex granule) const;
  enum class Store : uint8_t { kDone, kFaults };
  Store Write(NodeId node, GranuleIndex granule, uint64_t value);

  // The bytes as the copy engine sees them: those of the owner. kDropped when
  // there are none. A write changes every copy, as one that does not end them
  // would not.
  uint64_t ReadPhysical(GranuleIndex granule) const;
  void WritePhysical(GranuleIndex granule, uint64_t value);

  NodeSet HoldersOf(GranuleIndex granule) const;
  bool IsCharged(NodeId node, GranuleIndex granule) const;
  MemoryCapacity DeviceCapacity(DeviceId device) const;
  MemoryCapacity PhysicalCapacity() const;

  // A device's process is gone, with its mappings.
  void LoseMappings(DeviceId device);

  void Fail(const FakeFailure& failure);
  uint64_t Calls(const std::string& method) const;
  // Called before each method, without the lock.
  void SetHook(Hook hook);

  // Broken rules of the contract, in words.
  std::vector<std::string> Violations() const;

 private:
  enum class Rights : uint8_t { kNone, kRead, kWrite };

  struct Cell {
    uint64_t word = kDropped;
    Rights rights = Rights::kNone;
    bool charged = false;
    bool remote = false;  // reaches the owner's word
  };
  struct Granule {
    bool populated = false;
    NodeId owner;
    std::array<Cell, kMaxNodes> cells;
  };

  PageOutcome DoPopulate(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoTransfer(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoDuplicate(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoCollapse(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoMapRemote(GranuleIndex granule, NodeId node) noexcept override;
  void DoDiscard(GranuleIndex granule) noexcept override;

  // Counts the call, runs the hook, answers an ordered failure.
  PageOutcome Enter(const char* method, GranuleIndex granule);
  void Expect(bool holds, const char* rule, GranuleIndex granule);
  Granule& At(GranuleIndex granule) { return granules_[granule.value()]; }
  static Cell& CellOf(Granule& granule, NodeId node) {
    return granule.cells[static_cast<size_t>(node.index())];
  }
  static const Cell& CellOf(const Granule& granule, NodeId node) {
    return granule.cells[static_cast<size_t>(node.index())];
  }
  uint64_t UsedBy(NodeId node) const;
  PageOutcome Charge(Granule& granule, NodeId node);
  PageOutcome MakeOnlyCopy(GranuleIndex granule, NodeId node);

  const int32_t device_count_;
  const FakeCapacity capacity_;
  mutable std::mutex mutex_;
  std::vector<Granule> granules_;
  std::map<std::string, uint64_t> calls_;
  std::vector<FakeFailure> failures_;
  std::vector<std::string> violations_;
  Hook hook_;
};

}  // namespace npu::hal::fake

#endif  // HAL_FAKE_FAKE_RESIDENCY_H_
