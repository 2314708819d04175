// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/event.h"

namespace npu::acl {

absl::Status Event::Record(const std::shared_ptr<Stream>& stream) {
  MutexLock lock(mutex_);
  stream_ = stream;
  return stream->Record(event_);
}

absl::Status Event::MakeWait(const std::shared_ptr<Stream>& stream) {
  return stream->WaitFor(event_);
}

absl::Status Event::Synchronize() {
  std::shared_ptr<Stream> stream;
  {
    MutexLock lock(mutex_);
    stream = stream_.lock();
  }
  if (stream != nullptr && !IsComplete()) {
    const absl::Status may = CheckMayWaitFor({stream}, "the event");
    if (!may.ok()) return may;
  }
  event_.Synchronize();
  return absl::OkStatus();
}

}  // namespace npu::acl
