// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Event: a place in a stream's work, as clients name it.

#ifndef ACL_API_EVENT_H_
#define ACL_API_EVENT_H_

#include <memory>

#include "absl/status/status.h"
#include "acl_api/stream.h"
#include "hal/base/ranked_mutex.h"
#include "mm/stream/event.h"

namespace npu::acl {

// What it is: an mm::Event that knows the stream of its latest record. Owns the
// event; streams that hold a record outlive it or not, as they like. Threads:
// any; one lock around the stream. Cost: O(1); Synchronize waits.
class Event {
 public:
  // The event stands for the stream's work so far. Error: 107017, the stream
  // ends.
  absl::Status Record(const std::shared_ptr<Stream>& stream);

  // Later work of the stream waits for what the event stands for now. Error: as
  // Record.
  absl::Status MakeWait(const std::shared_ptr<Stream>& stream);

  // Waits for what the event stands for now. Error: 107000, that is work behind
  // the host function which calls this.
  absl::Status Synchronize();

  // Also before the first record.
  bool IsComplete() const {
    return event_.Query() == mm::EventProgress::kReached;
  }

 private:
  mm::Event event_;
  RankedMutex mutex_{LockRank::kContext};
  std::weak_ptr<Stream> stream_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::acl

#endif  // ACL_API_EVENT_H_
