// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/ranked_mutex.h"

#include "hal/base/check.h"

namespace npu {
namespace {

#ifndef NDEBUG

// The ranks this thread holds, in the order it took them: rising.
class HeldRanks {
 public:
  void Push(LockRank rank) {
    NPU_CHECK(size_ < kMost);
    // Taken out of the written order: this is how deadlocks begin.
    NPU_CHECK(size_ == 0 || ranks_[size_ - 1] < rank);
    ranks_[size_++] = rank;
  }

  // Locks may be given back in any order.
  void Remove(LockRank rank) {
    int i = size_ - 1;
    while (i >= 0 && ranks_[i] != rank) --i;
    NPU_CHECK(i >= 0);
    for (; i + 1 < size_; ++i) ranks_[i] = ranks_[i + 1];
    --size_;
  }

 private:
  static constexpr int kMost = 16;
  LockRank ranks_[kMost] = {};
  int size_ = 0;
};

thread_local HeldRanks held_ranks;

void NoteLock(LockRank rank) { held_ranks.Push(rank); }
void NoteUnlock(LockRank rank) { held_ranks.Remove(rank); }

#else

void NoteLock(LockRank) {}
void NoteUnlock(LockRank) {}

#endif

}  // namespace

void RankedMutex::Lock() {
  NoteLock(rank_);  // before it blocks: a wrong order is told, not hung on
  mutex_.lock();
}

void RankedMutex::Unlock() {
  mutex_.unlock();
  NoteUnlock(rank_);
}

void MutexLock::Wait(std::condition_variable& changed) {
  std::unique_lock<std::mutex> lock(mutex_.mutex_, std::adopt_lock);
  changed.wait(lock);
  lock.release();
}

MutexLock::Wake MutexLock::WaitFor(std::condition_variable& changed,
                                   std::chrono::nanoseconds timeout) {
  std::unique_lock<std::mutex> lock(mutex_.mutex_, std::adopt_lock);
  const std::cv_status status = changed.wait_for(lock, timeout);
  lock.release();
  return status == std::cv_status::timeout ? Wake::kTimedOut : Wake::kNotified;
}

}  // namespace npu
