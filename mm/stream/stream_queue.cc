// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/stream/stream_queue.h"

#include <new>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/base/check.h"
#include "hal/base/quiet_thread.h"

namespace npu::mm {
namespace {

// The stream whose task the thread is running.
thread_local const StreamQueue* current_stream = nullptr;

}  // namespace

StreamQueue::~StreamQueue() {
  // A broken invariant when a task destroys its own stream.
  NPU_CHECK(End(StreamEnd::kAbort).ok());
}

StreamQueue::Inside StreamQueue::IsInside() const {
  return current_stream == this ? Inside::kYes : Inside::kNo;
}

StreamQueue::Inside StreamQueue::IsInsideAny() {
  return current_stream != nullptr ? Inside::kYes : Inside::kNo;
}

absl::Status StreamQueue::StartWorkerLocked() {
  if (worker_.joinable()) return absl::OkStatus();
  absl::StatusOr<std::thread> worker =
      StartQuietThread("npu-stream", [this] { Work(); });
  if (!worker.ok()) return worker.status();
  worker_ = *std::move(worker);
  return absl::OkStatus();
}

absl::Status StreamQueue::Push(Item item) {
  MutexLock lock(mutex_);
  if (ended_) return absl::FailedPreconditionError("the stream has ended");
  const absl::Status started = StartWorkerLocked();
  if (!started.ok()) return started;
  try {
    items_.push_back(std::move(item));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("no memory for a task");
  }
  ++queued_;
  changed_.notify_all();
  return absl::OkStatus();
}

absl::Status StreamQueue::Enqueue(Task task) {
  return Push({std::move(task), nullptr});
}

absl::Status StreamQueue::Record(Event& event) {
  const std::shared_ptr<EventRecord> record = event.Renew();
  absl::Status pushed = Push({nullptr, record});
  // Nothing will come to it: nobody may wait for it.
  if (!pushed.ok()) record->Reach();
  return pushed;
}

absl::Status StreamQueue::WaitFor(const Event& event) {
  std::shared_ptr<EventRecord> record = event.Latest();
  return Push({[record = std::move(record)] {
                 if (record != nullptr) record->Await();
                 return absl::OkStatus();
               },
               nullptr});
}

absl::Status StreamQueue::Synchronize() {
  if (IsInside() == Inside::kYes) {
    return absl::FailedPreconditionError(
        "a task of the stream waits for its own stream");
  }
  MutexLock lock(mutex_);
  const uint64_t target = queued_;
  while (finished_ < target) lock.Wait(changed_);
  return std::exchange(failure_, absl::OkStatus());
}

StreamProgress StreamQueue::Query() const {
  MutexLock lock(mutex_);
  return finished_ == queued_ ? StreamProgress::kIdle : StreamProgress::kBusy;
}

void StreamQueue::KeepFailure(const absl::Status& failure) {
  MutexLock lock(mutex_);
  failure_.Update(failure);
}

// Outside the lock: what a task holds may do anything when it is destroyed.
void StreamQueue::Drop(std::deque<Item> items) {
  for (Item& item : items) {
    if (item.record != nullptr) item.record->Reach();
  }
}

std::deque<StreamQueue::Item> StreamQueue::TakeAllLocked() {
  std::deque<Item> taken;
  taken.swap(items_);
  finished_ += taken.size();
  return taken;
}

void StreamQueue::Abort() {
  std::deque<Item> dropped;
  {
    MutexLock lock(mutex_);
    dropped = TakeAllLocked();
    changed_.notify_all();
  }
  Drop(std::move(dropped));
}

absl::Status StreamQueue::End(StreamEnd how) {
  if (IsInside() == Inside::kYes) {
    return absl::FailedPreconditionError(
        "a task of the stream ends its own stream");
  }
  std::deque<Item> dropped;
  {
    MutexLock lock(mutex_);
    ended_ = true;
    if (how == StreamEnd::kAbort) dropped = TakeAllLocked();
    changed_.notify_all();
  }
  Drop(std::move(dropped));
  {
    MutexLock lock(mutex_);
    while (finished_ < queued_) lock.Wait(changed_);
    if (joining_ || !worker_.joinable()) return absl::OkStatus();
    joining_ = true;
  }
  worker_.join();
  return absl::OkStatus();
}

void StreamQueue::Work() {
  current_stream = this;
  while (true) {
    Item item;
    {
      MutexLock lock(mutex_);
      while (items_.empty() && !ended_) lock.Wait(changed_);
      if (items_.empty()) return;
      item = std::move(items_.front());
      items_.pop_front();
      running_ = true;
    }
    const absl::Status status =
        item.task != nullptr ? item.task() : absl::OkStatus();
    if (item.record != nullptr) item.record->Reach();
    item = Item();  // what it holds goes before anybody hears of its end
    MutexLock lock(mutex_);
    running_ = false;
    ++finished_;
    failure_.Update(status);
    changed_.notify_all();
  }
}

void StreamQueue::CheckInvariants() const {
  MutexLock lock(mutex_);
  NPU_CHECK(queued_ == finished_ + items_.size() + (running_ ? 1 : 0));
}

}  // namespace npu::mm
