// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Stream: an in-order queue of a device, as clients name it.

#ifndef ACL_API_STREAM_H_
#define ACL_API_STREAM_H_

#include <atomic>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "acl_api/stream_budget.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/node.h"
#include "mm/stream/stream_queue.h"

namespace npu::acl {

using mm::StreamEnd;

// What it is: one mm::StreamQueue with a device, a lane there and a handle.
// Owns the queue. Threads: any; no lock of its own. Cost: that of the queue.
// Breaks: what waits must not be called by the stream's own tasks
// (CheckMayWaitFor), and the launcher must outlive it.
class Stream {
 public:
  using Task = mm::StreamQueue::Task;

  // `launcher` may be null; the lane is released there.
  Stream(DeviceId device, StreamBudget::Place place,
         hal::KernelLauncher* launcher);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  DeviceId device() const { return device_; }
  hal::LaneId lane() const { return lane_; }

  // What the client holds; null for a default stream. Set once, before others
  // see the stream.
  void* handle() const { return handle_; }
  void set_handle(void* handle) { handle_ = handle; }

  // Runs a task after those before it; its error is kept. Error: 107017, the
  // stream ends.
  absl::Status Enqueue(Task task);

  // The same, and waits until the task has run or was dropped. The task's error
  // stays with the stream.
  absl::Status EnqueueAndAwait(Task task);

  // Waits until all tasks so far have run. Error: the kept one, once; 107023
  // when the stream was ended meanwhile.
  absl::Status Synchronize();

  // The same; a kept error stays.
  void AwaitIdle();
  bool IsIdle() const { return queue_.Query() == mm::StreamProgress::kIdle; }

  // A record of an event behind all tasks so far, and a wait of all later ones
  // for an event's latest record. Error: 107017, the stream ends.
  absl::Status Record(mm::Event& event);
  absl::Status WaitFor(const mm::Event& event);

  // Drops pending tasks; the running one goes on.
  void DropPending() { queue_.Abort(); }

  // Drops pending tasks, takes no more and wakes who waits; waits for nothing.
  void Abort();

  // Kills the handle, then waits for the tasks, or drops them and waits for the
  // one that runs.
  void End(StreamEnd end);

  // Whether the calling thread runs one of this stream's tasks.
  bool IsCallerInside() const {
    return queue_.IsInside() == mm::StreamQueue::Inside::kYes;
  }

 private:
  const DeviceId device_;
  const StreamBudget::Place place_;
  hal::KernelLauncher* const launcher_;
  const hal::LaneId lane_;
  void* handle_ = nullptr;
  std::atomic<bool> ends_{false};
  mm::StreamQueue queue_;
};

// Whether the calling thread runs a task of any stream: it must not wait for
// what waits for streams.
inline bool IsInsideAnyStream() {
  return mm::StreamQueue::IsInsideAny() == mm::StreamQueue::Inside::kYes;
}

// Whether the calling thread may wait for all of `streams`: 107000 when it is a
// task of one of them. `what` names what is waited for.
absl::Status CheckMayWaitFor(
    const std::vector<std::shared_ptr<Stream>>& streams,
    absl::string_view what);

}  // namespace npu::acl

#endif  // ACL_API_STREAM_H_
