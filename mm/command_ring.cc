// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/command_ring.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hal/base/check.h"

namespace npu::mm {
namespace {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

// Sleeps while the word is `value`; may return early.
void FutexWait(std::atomic<uint32_t>& word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

void FutexWake(std::atomic<uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

CommandRing::Slot* CommandRing::Claim(const Command& command) {
  MutexLock lock(mutex_);
  // Filled under the mutex, so that slots become takeable in order.
  Slot* slot = nullptr;
  while (true) {
    if (closed_) return nullptr;
    slot = &slots_[claimed_ % kSlots];
    if (slot->state.load(std::memory_order_acquire) == kFree) break;
    lock.Wait(slot_freed_);
  }
  slot->command = command;
  slot->state.store(kPosted, std::memory_order_relaxed);
  ++claimed_;
  posted_.store(claimed_, std::memory_order_release);
  return slot;
}

CommandResult CommandRing::AwaitAnswer(Slot& slot) {
  while (slot.state.load(std::memory_order_acquire) != kAnswered) {
    FutexWait(slot.state, kPosted);
  }
  const CommandResult result = slot.result;
  MutexLock lock(mutex_);
  slot.state.store(kFree, std::memory_order_release);
  slot_freed_.notify_all();
  return result;
}

const Command* CommandRing::Front() const noexcept {
  const uint64_t taken = taken_.load(std::memory_order_relaxed);
  if (taken == posted_.load(std::memory_order_acquire)) return nullptr;
  return &slots_[taken % kSlots].command;
}

void CommandRing::Answer(CommandResult result) noexcept {
  const uint64_t taken = taken_.load(std::memory_order_relaxed);
  Slot& slot = slots_[taken % kSlots];
  NPU_DCHECK(slot.state.load(std::memory_order_relaxed) == kPosted);
  slot.result = result;
  taken_.store(taken + 1, std::memory_order_relaxed);
  slot.state.store(kAnswered, std::memory_order_release);
  // The poster may be gone with its slot already: then nobody is woken.
  FutexWake(slot.state);
}

void CommandRing::Close() {
  {
    MutexLock lock(mutex_);
    closed_ = true;
    slot_freed_.notify_all();
  }
  while (Front() != nullptr) Answer(CommandResult::kStopped);
}

void CommandRing::CheckInvariants() const {
  const uint64_t taken = taken_.load(std::memory_order_relaxed);
  const uint64_t posted = posted_.load(std::memory_order_relaxed);
  NPU_CHECK(taken <= posted && posted - taken <= kSlots);
}

}  // namespace npu::mm
