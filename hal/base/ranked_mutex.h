// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// RankedMutex: a mutex with a place in the written lock order. Debug builds
// stop a thread that takes locks out of order, on the first wrong attempt
// instead of on the one run in a million that deadlocks.
//
//   RankedMutex mutex_{LockRank::kStream};
//   MutexLock lock(mutex_);
//   while (!ready_) lock.Wait(changed_);

#ifndef HAL_BASE_RANKED_MUTEX_H_
#define HAL_BASE_RANKED_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "absl/base/thread_annotations.h"

namespace npu {

// The lock order of the whole house: a thread takes only locks of a higher
// value than those it holds. Two locks of one rank are never held together.
// The READMEs of the layers say what each one guards.
enum class LockRank : uint8_t {
  kRuntime = 10,        // acl_api: start, stop, contexts and handles
  kContext = 20,        // acl_api: streams and events of a context
  kPeer = 30,           // p2p: pairs and mappings
  kManagedMemory = 40,  // mm: allocations and attributes
  kStream = 50,         // mm: the tasks of one queue
  kEvent = 55,          // mm: one event
  kPagerCommands = 60,  // mm: the ring of commands
  kKernels = 65,        // hal: kernel binaries and lanes of a back end
  kDriver = 70,         // hal: allocation tables of a back end
  kDevice = 80,         // hal: one device of a back end
  kLeaf = 90,           // anything that calls nothing while it is held
};

// What it is: std::mutex plus a rank. Owns nothing else. Threads: any; not
// recursive. Cost: as std::mutex; debug builds add O(1) for the check. Breaks:
// a lock taken out of order ends a debug build. Never used on the fault path.
class ABSL_LOCKABLE RankedMutex {
 public:
  explicit RankedMutex(LockRank rank) : rank_(rank) {}
  RankedMutex(const RankedMutex&) = delete;
  RankedMutex& operator=(const RankedMutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION();
  void Unlock() ABSL_UNLOCK_FUNCTION();

  LockRank rank() const { return rank_; }

 private:
  friend class MutexLock;

  std::mutex mutex_;
  const LockRank rank_;
};

// What it is: holds a RankedMutex for a scope, and waits on conditions. Owns
// the hold. Threads: the one that made it.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(RankedMutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // Releases the mutex, waits for a notification (or spuriously), takes it
  // again. The caller loops over its condition.
  void Wait(std::condition_variable& changed);

  enum class Wake { kNotified, kTimedOut };
  Wake WaitFor(std::condition_variable& changed,
               std::chrono::nanoseconds timeout);

 private:
  RankedMutex& mutex_;
};

}  // namespace npu

#endif  // HAL_BASE_RANKED_MUTEX_H_
