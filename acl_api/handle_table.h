// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// HandleTable: the objects that clients hold handles of.
//
//   63      48 47  44 43              20 19           0
//   | 0x4E50  | kind |    generation    |     slot     |   a handle
//
// A handle is a number, never followed as a pointer: its upper half is no
// address that user code can have, so that a client which follows it faults
// there instead of reading something. A slot that is used again has another
// generation, so that a handle of the old object is found out.

#ifndef ACL_API_HANDLE_TABLE_H_
#define ACL_API_HANDLE_TABLE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hal/base/check.h"
#include "hal/base/ranked_mutex.h"

namespace npu::acl {

// The kinds of objects; one table each.
enum class HandleKind : uint8_t {
  kContext = 1,
  kStream = 2,
  kEvent = 3,
  kBinary = 4,
  kFunction = 5,
  kArguments = 6,
};

// The arithmetic of handles, apart from the table so that it can be tested at
// its edges. A value; O(1).
struct HandleParts {
  static constexpr uint64_t kTag = 0x4E50;
  static constexpr uint32_t kSlots = 1u << 20;
  static constexpr uint32_t kGenerations = 1u << 24;

  HandleKind kind;
  uint32_t generation;  // 1 .. kGenerations - 1
  uint32_t slot;        // 0 .. kSlots - 1

  void* Pack() const {
    const uint64_t bits = kTag << 48 |
                          uint64_t{static_cast<uint8_t>(kind)} << 44 |
                          uint64_t{generation} << 20 | slot;
    return reinterpret_cast<void*>(static_cast<uintptr_t>(bits));
  }
  // Of any value; the table judges what comes out.
  static uint64_t Bits(const void* handle) {
    return reinterpret_cast<uintptr_t>(handle);
  }
  static HandleParts Unpack(const void* handle) {
    const uint64_t bits = Bits(handle);
    return {static_cast<HandleKind>(bits >> 44 & 0xF),
            static_cast<uint32_t>(bits >> 20 & (kGenerations - 1)),
            static_cast<uint32_t>(bits & (kSlots - 1))};
  }
  static bool HasTag(const void* handle) { return Bits(handle) >> 48 == kTag; }
};

// What it is: a map from handles to shared objects. Owns a share of each object
// until it is removed; whoever found an object keeps it alive. Threads: any;
// one leaf lock, held for O(1). Cost: Find, Remove O(1), Insert amortised O(1).
// Breaks: nothing that a caller can pass. A slot whose generations are used up
// is never used again; 2^20 objects of a kind can live at once.
template <typename Object>
class HandleTable {
 public:
  explicit HandleTable(HandleKind kind) : kind_(kind) {}

  // A new handle; null when the table is full.
  void* Insert(std::shared_ptr<Object> object) {
    NPU_CHECK(object != nullptr);
    MutexLock lock(mutex_);
    if (free_.empty() && slots_.size() == HandleParts::kSlots) return nullptr;
    if (free_.empty()) Grow();
    const uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot].object = std::move(object);
    return HandleParts{kind_, slots_[slot].generation, slot}.Pack();
  }

  // The live object of a handle; null for any other value.
  std::shared_ptr<Object> Find(const void* handle) const {
    MutexLock lock(mutex_);
    const Slot* slot = Locate(handle);
    return slot == nullptr ? nullptr : slot->object;
  }

  // The same, and the handle is dead from now on: of two calls one gets it.
  std::shared_ptr<Object> Remove(const void* handle) {
    MutexLock lock(mutex_);
    if (Locate(handle) == nullptr) return nullptr;
    return Vacate(HandleParts::Unpack(handle).slot);
  }

  // Removes all objects; the last shares end after the lock is released.
  std::vector<std::shared_ptr<Object>> RemoveAll() {
    std::vector<std::shared_ptr<Object>> removed;
    MutexLock lock(mutex_);
    for (uint32_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].object != nullptr) removed.push_back(Vacate(i));
    }
    return removed;
  }

  // Every slot is either live, free once, or used up.
  void CheckInvariants() const {
    MutexLock lock(mutex_);
    size_t vacant = 0;
    for (const Slot& slot : slots_) {
      NPU_CHECK(slot.generation > 0);
      const bool usable = slot.generation < HandleParts::kGenerations;
      NPU_CHECK(slot.object == nullptr || usable);
      if (slot.object == nullptr && usable) ++vacant;
    }
    NPU_CHECK(vacant == free_.size());
    for (const uint32_t slot : free_) NPU_CHECK(!slots_[slot].object);
  }

 private:
  struct Slot {
    std::shared_ptr<Object> object;
    uint32_t generation = 1;
  };

  // Room in free_ as well, so that Vacate never allocates.
  void Grow() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (free_.capacity() <= slots_.size()) free_.reserve(2 * slots_.size() + 8);
    slots_.emplace_back();
    free_.push_back(static_cast<uint32_t>(slots_.size() - 1));
  }

  const Slot* Locate(const void* handle) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const HandleParts parts = HandleParts::Unpack(handle);
    if (!HandleParts::HasTag(handle) || parts.kind != kind_) return nullptr;
    if (parts.slot >= slots_.size()) return nullptr;
    const Slot& slot = slots_[parts.slot];
    const bool live =
        slot.object != nullptr && slot.generation == parts.generation;
    return live ? &slot : nullptr;
  }

  std::shared_ptr<Object> Vacate(uint32_t index)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Slot& slot = slots_[index];
    if (++slot.generation < HandleParts::kGenerations) free_.push_back(index);
    return std::exchange(slot.object, nullptr);
  }

  mutable RankedMutex mutex_{LockRank::kLeaf};
  const HandleKind kind_;
  std::vector<Slot> slots_ ABSL_GUARDED_BY(mutex_);
  std::vector<uint32_t> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::acl

#endif  // ACL_API_HANDLE_TABLE_H_
