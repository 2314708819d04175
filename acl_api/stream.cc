// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/stream.h"

#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

hal::LaneId NextLane() {
  static std::atomic<uint64_t> last{0};
  return hal::LaneId(++last);
}

// A task must not end the process when its own bookkeeping finds no memory.
Stream::Task Guarded(Stream::Task task) {
  return [task = std::move(task)]() mutable -> absl::Status {
    try {
      return task();
    } catch (const std::bad_alloc&) {
      return Failure(ACL_ERROR_BAD_ALLOC, "a task found no memory");
    }
  };
}

absl::Status Ended(const absl::Status& status) {
  if (status.ok() || absl::IsResourceExhausted(status)) return status;
  return Failure(ACL_ERROR_RT_INVALID_HANDLE, "stream is being destroyed");
}

}  // namespace

Stream::Stream(DeviceId device, StreamBudget::Place place,
               hal::KernelLauncher* launcher)
    : device_(device),
      place_(std::move(place)),
      launcher_(launcher),
      lane_(NextLane()) {}

Stream::~Stream() {
  End(StreamEnd::kAbort);
  if (launcher_ != nullptr) launcher_->ReleaseLane(device_, lane_);
}

absl::Status Stream::Enqueue(Task task) {
  if (ends_) return Ended(absl::FailedPreconditionError("ends"));
  return Ended(queue_.Enqueue(Guarded(std::move(task))));
}

absl::Status Stream::EnqueueAndAwait(Task task) {
  NPU_RETURN_IF_ERROR(Enqueue(std::move(task)));
  mm::Event done;
  const absl::Status recorded = queue_.Record(done);
  if (recorded.ok()) {
    done.Synchronize();
  } else {
    AwaitIdle();  // the stream ends: the task runs or is dropped all the same
  }
  return absl::OkStatus();
}

absl::Status Stream::Synchronize() {
  const absl::Status kept = queue_.Synchronize();
  if (!kept.ok() || !ends_) return kept;
  return Failure(ACL_ERROR_RT_STREAM_ABORT,
                 "stream was ended while this call waited for it");
}

void Stream::AwaitIdle() { queue_.KeepFailure(queue_.Synchronize()); }

absl::Status Stream::Record(mm::Event& event) {
  return Ended(queue_.Record(event));
}

absl::Status Stream::WaitFor(const mm::Event& event) {
  return Ended(queue_.WaitFor(event));
}

void Stream::Abort() {
  ends_ = true;
  queue_.Abort();
}

void Stream::End(StreamEnd end) {
  ends_ = true;
  if (handle_ != nullptr) Handles::Get().streams.Remove(handle_);
  // Never from one of its own tasks: whoever ends a stream has checked that.
  queue_.End(end).IgnoreError();
}

absl::Status CheckMayWaitFor(
    const std::vector<std::shared_ptr<Stream>>& streams,
    absl::string_view what) {
  for (const auto& stream : streams) {
    if (!stream->IsCallerInside()) continue;
    return Failure(ACL_ERROR_RT_PARAM_INVALID,
                   absl::StrCat("called by a host function of a stream that ",
                                what, " would wait for"));
  }
  return absl::OkStatus();
}

}  // namespace npu::acl
