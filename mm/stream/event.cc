// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/stream/event.h"

namespace npu::mm {

void EventRecord::Reach() {
  MutexLock lock(mutex_);
  progress_ = EventProgress::kReached;
  reached_.notify_all();
}

void EventRecord::Await() const {
  MutexLock lock(mutex_);
  while (progress_ == EventProgress::kPending) lock.Wait(reached_);
}

EventProgress EventRecord::progress() const {
  MutexLock lock(mutex_);
  return progress_;
}

std::shared_ptr<EventRecord> Event::Renew() {
  auto record = std::make_shared<EventRecord>();
  MutexLock lock(mutex_);
  latest_ = record;
  return record;
}

std::shared_ptr<EventRecord> Event::Latest() const {
  MutexLock lock(mutex_);
  return latest_;
}

EventProgress Event::Query() const {
  const std::shared_ptr<EventRecord> record = Latest();
  return record == nullptr ? EventProgress::kReached : record->progress();
}

void Event::Synchronize() const {
  const std::shared_ptr<EventRecord> record = Latest();
  if (record != nullptr) record->Await();
}

}  // namespace npu::mm
