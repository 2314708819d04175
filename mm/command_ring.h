// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// CommandRing: how a command crosses to the pager's thread and its answer back.

#ifndef MM_COMMAND_RING_H_
#define MM_COMMAND_RING_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>

#include "hal/base/ranked_mutex.h"
#include "mm/command.h"

namespace npu::mm {

// What it is: a ring of slots, made once. Posters fill a slot and sleep on it;
// the pager takes slots in order and answers. Owns the slots. Threads: any
// number of posters, who share one mutex (LockRank::kPagerCommands) while a
// slot is claimed and filled; one taker, who takes no lock and allocates
// nothing: a poster that is stopped while it holds the mutex cannot stop the
// taker. Cost: O(1); a poster sleeps in the kernel (futex) until the answer.
// Breaks: posting on the taker's own thread, which would wait for itself.
class CommandRing {
 public:
  CommandRing() = default;
  CommandRing(const CommandRing&) = delete;
  CommandRing& operator=(const CommandRing&) = delete;

  // The posters': kick() is called once the command can be taken; it must not
  // block. Waits while the ring is full. kStopped when Close was called.
  template <typename Kick>
  CommandResult Post(const Command& command, Kick&& kick) {
    Slot* const slot = Claim(command);
    if (slot == nullptr) return CommandResult::kStopped;
    kick();
    return AwaitAnswer(*slot);
  }

  // The taker's: the oldest command that has no answer yet; null when there is
  // none. The same one until Answer is called.
  const Command* Front() const noexcept;
  void Answer(CommandResult result) noexcept;

  // From now on Post answers kStopped; what waits is answered so, too. To be
  // called when the taker does not run.
  void Close();

  // Claimed slots lie between tail and head.
  void CheckInvariants() const;

 private:
  static constexpr uint32_t kSlots = 64;

  enum : uint32_t { kFree, kPosted, kAnswered };

  struct Slot {
    std::atomic<uint32_t> state{kFree};
    Command command{CommandKind::kDiscard, GranuleRange::One(GranuleIndex(0))};
    CommandResult result = CommandResult::kStopped;
  };

  Slot* Claim(const Command& command);
  CommandResult AwaitAnswer(Slot& slot);

  RankedMutex mutex_{LockRank::kPagerCommands};
  std::condition_variable slot_freed_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t claimed_ ABSL_GUARDED_BY(mutex_) = 0;  // slots ever claimed
  std::atomic<uint64_t> posted_{0};               // slots ever posted
  std::atomic<uint64_t> taken_{0};                // slots ever answered
  std::array<Slot, kSlots> slots_;
};

}  // namespace npu::mm

#endif  // MM_COMMAND_RING_H_
