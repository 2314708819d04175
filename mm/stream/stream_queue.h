// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// StreamQueue: tasks that run one after the other, in the order they came.
//
//   Enqueue   -> [ task | record | wait | task ] -> worker thread
//   Synchronize waits for the tail and takes the first failure with it

#ifndef MM_STREAM_STREAM_QUEUE_H_
#define MM_STREAM_STREAM_QUEUE_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "hal/base/ranked_mutex.h"
#include "mm/stream/event.h"

namespace npu::mm {

// How a stream ends: with all its tasks, or without those that did not begin.
enum class StreamEnd : uint8_t { kDrain, kAbort };

enum class StreamProgress : uint8_t { kIdle, kBusy };

// What it is: an in-order queue with a worker thread of its own, started at its
// first task; on every back end, since drivers have none. Owns the thread and
// the tasks. Threads: any; one lock (LockRank::kStream), never held while a
// task runs, so that a task may touch managed memory and call what it likes.
// Cost: O(1) per task and a thread hop; Synchronize sleeps. Breaks: waiting for
// a stream from inside one of its own tasks, which is refused; two streams
// whose tasks wait for each other's end are the caller's deadlock.
//
// A failing task does not stop the ones behind it ("continue"). The first
// failure since the last Synchronize is kept and handed out by the next one,
// once. Tasks that Abort drops fail nothing; records among them are reached.
class StreamQueue {
 public:
  using Task = absl::AnyInvocable<absl::Status()>;

  StreamQueue() = default;
  // As End(kAbort) where End was not called. Not from a task of its own.
  ~StreamQueue();
  StreamQueue(const StreamQueue&) = delete;
  StreamQueue& operator=(const StreamQueue&) = delete;

  // Errors: FailedPrecondition when the stream has ended; ResourceExhausted
  // when no thread can be started.
  absl::Status Enqueue(Task task);

  // A record of `event` that is reached when all that is queued now has run.
  // Errors: as Enqueue.
  absl::Status Record(Event& event);
  // What is queued from now on waits for the latest record of `event` as it is
  // now. Errors: as Enqueue.
  absl::Status WaitFor(const Event& event);

  // Waits until all that is queued now has run; answers the kept failure and
  // forgets it. Error: FailedPrecondition from inside a task of this stream,
  // nothing is forgotten then.
  absl::Status Synchronize();

  StreamProgress Query() const;

  // Drops tasks that did not begin; the running one goes on.
  void Abort();

  // Takes no more tasks, finishes or drops those there are, ends the thread.
  // Idempotent. Error: FailedPrecondition from inside a task of this stream.
  absl::Status End(StreamEnd how);

  // Keeps a failure that arose outside a task of this stream.
  void KeepFailure(const absl::Status& failure);

  // Whether the calling thread is running a task of this stream.
  enum class Inside : uint8_t { kNo, kYes };
  Inside IsInside() const;
  // Whether it is running a task of any stream.
  static Inside IsInsideAny();

  // Counts agree with the queue.
  void CheckInvariants() const;

 private:
  struct Item {
    Task task;
    std::shared_ptr<EventRecord> record;  // reached when the item is done
  };

  absl::Status Push(Item item);
  absl::Status StartWorkerLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Work();
  // What did not begin counts as finished.
  std::deque<Item> TakeAllLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Drop(std::deque<Item> items);

  mutable RankedMutex mutex_{LockRank::kStream};
  std::condition_variable changed_;
  std::deque<Item> items_ ABSL_GUARDED_BY(mutex_);
  uint64_t queued_ ABSL_GUARDED_BY(mutex_) = 0;    // items ever queued
  uint64_t finished_ ABSL_GUARDED_BY(mutex_) = 0;  // run or dropped
  bool running_ ABSL_GUARDED_BY(mutex_) = false;   // an item is being run
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  std::thread worker_;  // started under mutex_, joined by the one that ends
  bool joining_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace npu::mm

#endif  // MM_STREAM_STREAM_QUEUE_H_
