// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Lifecycle: when there is a Runtime, and who may end it.

#ifndef ACL_API_LIFECYCLE_H_
#define ACL_API_LIFECYCLE_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "hal/base/ranked_mutex.h"

namespace npu::acl {

class Runtime;

// What it is: the only owner of the Runtime of a process, and the count of
// calls that are using it. Off -> on by Init or EnsureOn, on -> stopping -> off
// by Finalize, which waits until no call is inside. Threads: any; its lock is
// held while a runtime starts, never while one stops or a call runs. Cost:
// Enter and Leave O(1). Breaks: a call that never returns keeps Finalize
// waiting.
class Lifecycle {
 public:
  // The process's own. Never destroyed.
  static Lifecycle& Get();

  // aclInit, with the content of its file. Errors: 100000 on already, by
  // another content; 100002 on already; what starting answers.
  absl::Status Init(const std::string& content);

  // Starts the runtime if it is off; waits if it stops. Errors: what starting
  // answers.
  absl::Status EnsureOn();

  // aclFinalize. Errors: 100037 off; 107000 from a thread of the runtime.
  absl::Status Finalize();

  // Lets a call in: the runtime lives until the matching Leave. Null when it is
  // off or stops.
  Runtime* Enter();
  void Leave();

  // The runtime is there exactly when it is on or stops; nobody is inside when
  // it is off.
  void CheckInvariants() const;

 private:
  enum class State : uint8_t { kOff, kOn, kStopping };

  Lifecycle() = default;

  // Error: 107002, the stop waits for the caller.
  absl::Status AwaitStopped(MutexLock& lock)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status StartLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable RankedMutex mutex_{LockRank::kRuntime};
  std::condition_variable changed_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kOff;
  std::unique_ptr<Runtime> runtime_ ABSL_GUARDED_BY(mutex_);
  uint64_t inside_ ABSL_GUARDED_BY(mutex_) = 0;
  bool initialised_ ABSL_GUARDED_BY(mutex_) = false;
  std::string content_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::acl

#endif  // ACL_API_LIFECYCLE_H_
