// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/lifecycle.h"

#include <utility>

#include "acl_api/error_code.h"
#include "acl_api/runtime.h"
#include "acl_api/stream.h"
#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::acl {

Lifecycle& Lifecycle::Get() {
  static Lifecycle* const the = new Lifecycle();
  return *the;
}

absl::Status Lifecycle::StartLocked() {
  NPU_ASSIGN_OR_RETURN(runtime_, Runtime::Open());
  state_ = State::kOn;
  return absl::OkStatus();
}

absl::Status Lifecycle::AwaitStopped(MutexLock& lock) {
  if (state_ == State::kStopping && IsInsideAnyStream()) {
    return Failure(ACL_ERROR_RT_CONTEXT_NULL,
                   "called by a host function while the runtime stops");
  }
  while (state_ == State::kStopping) lock.Wait(changed_);
  return absl::OkStatus();
}

absl::Status Lifecycle::Init(const std::string& content) {
  MutexLock lock(mutex_);
  NPU_RETURN_IF_ERROR(AwaitStopped(lock));
  if (initialised_ && content != content_) {
    return Failure(ACL_ERROR_INVALID_PARAM,
                   "configPath names another configuration than that of the "
                   "first aclInit");
  }
  if (initialised_) {
    return Failure(ACL_ERROR_REPEAT_INITIALIZE, "initialised already");
  }
  if (state_ == State::kOff) NPU_RETURN_IF_ERROR(StartLocked());
  initialised_ = true;
  content_ = content;
  return absl::OkStatus();
}

absl::Status Lifecycle::EnsureOn() {
  MutexLock lock(mutex_);
  NPU_RETURN_IF_ERROR(AwaitStopped(lock));
  return state_ == State::kOn ? absl::OkStatus() : StartLocked();
}

absl::Status Lifecycle::Finalize() {
  Runtime* ending = nullptr;
  {
    MutexLock lock(mutex_);
    if (state_ != State::kOn) {
      return Failure(ACL_ERROR_REPEAT_FINALIZE,
                     "not initialised, or finalized already");
    }
    if (IsInsideAnyStream()) {
      return Failure(ACL_ERROR_RT_PARAM_INVALID,
                     "called by a host function of a stream, which could not "
                     "end while this call waits for it");
    }
    state_ = State::kStopping;
    ending = runtime_.get();
  }
  // Wakes calls that wait for streams; no new call gets in.
  ending->Abort();
  std::unique_ptr<Runtime> ended;
  {
    MutexLock lock(mutex_);
    while (inside_ > 0) lock.Wait(changed_);
    ended = std::move(runtime_);
  }
  ended.reset();  // ends threads and device processes: without the lock
  MutexLock lock(mutex_);
  state_ = State::kOff;
  initialised_ = false;
  content_.clear();
  changed_.notify_all();
  return absl::OkStatus();
}

Runtime* Lifecycle::Enter() {
  MutexLock lock(mutex_);
  if (state_ != State::kOn) return nullptr;
  ++inside_;
  return runtime_.get();
}

void Lifecycle::Leave() {
  MutexLock lock(mutex_);
  NPU_CHECK(inside_ > 0);
  if (--inside_ == 0) changed_.notify_all();
}

void Lifecycle::CheckInvariants() const {
  MutexLock lock(mutex_);
  if (state_ == State::kOff) {
    NPU_CHECK(runtime_ == nullptr && inside_ == 0 && !initialised_);
  }
  if (state_ == State::kOn) NPU_CHECK(runtime_ != nullptr);
}

}  // namespace npu::acl
