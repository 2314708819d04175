// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Event: a point in a stream that others can wait for.

#ifndef MM_STREAM_EVENT_H_
#define MM_STREAM_EVENT_H_

#include <condition_variable>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "hal/base/ranked_mutex.h"

namespace npu::mm {

enum class EventProgress : uint8_t { kPending, kReached };

// What it is: one record of an event, passed by the stream once and for all.
// Shared by the event, the stream's task and everybody who waits, so that it
// outlives each of them. Threads: any; its lock (LockRank::kEvent) is held for
// a moment only. Cost: O(1), Reach O(waiters).
class EventRecord {
 public:
  EventRecord() = default;
  EventRecord(const EventRecord&) = delete;
  EventRecord& operator=(const EventRecord&) = delete;

  // The stream has come to it, or it never will (its task was dropped): either
  // way nobody waits any longer.
  void Reach();
  // Blocks until Reach.
  void Await() const;
  EventProgress progress() const;

 private:
  mutable RankedMutex mutex_{LockRank::kEvent};
  mutable std::condition_variable reached_;
  EventProgress progress_ ABSL_GUARDED_BY(mutex_) = EventProgress::kPending;
};

// What it is: what a client holds: the latest record, or none. Owns a share of
// it. Threads: any. Cost: O(1). Waiting for an event means its latest record at
// the time of the call; an event that was never recorded is reached.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // A new record in the place of the old one, whose waiters keep waiting for
  // it.
  std::shared_ptr<EventRecord> Renew();
  // Null when it was never recorded.
  std::shared_ptr<EventRecord> Latest() const;

  EventProgress Query() const;
  // Blocks until the latest record is reached.
  void Synchronize() const;

 private:
  mutable RankedMutex mutex_{LockRank::kEvent};
  std::shared_ptr<EventRecord> latest_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::mm

#endif  // MM_STREAM_EVENT_H_
