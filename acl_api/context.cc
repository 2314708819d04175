// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/context.h"

#include <algorithm>
#include <set>
#include <utility>

#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "hal/base/check.h"

namespace npu::acl {
namespace {

// Finds a stream in a list.
template <typename Streams>
auto Find(Streams& streams, const Stream* stream) {
  return std::find_if(
      streams.begin(), streams.end(),
      [stream](const auto& each) { return each.get() == stream; });
}

}  // namespace

Context::Context(DeviceId device, ContextKind kind,
                 std::shared_ptr<Stream> default_stream)
    : device_(device), kind_(kind), default_stream_(std::move(default_stream)) {
  NPU_CHECK(default_stream_ != nullptr);
}

absl::Status Context::Add(std::shared_ptr<Stream> stream) {
  MutexLock lock(mutex_);
  if (!live()) {
    return Failure(ACL_ERROR_RT_PARAM_INVALID,
                   "the current context was destroyed meanwhile");
  }
  streams_.push_back(std::move(stream));
  return absl::OkStatus();
}

bool Context::Remove(const Stream* stream) {
  MutexLock lock(mutex_);
  const auto at = Find(streams_, stream);
  if (at == streams_.end()) return false;
  streams_.erase(at);
  return true;
}

bool Context::Owns(const Stream* stream) const {
  if (stream == default_stream_.get()) return true;
  MutexLock lock(mutex_);
  return Find(streams_, stream) != streams_.end();
}

std::vector<std::shared_ptr<Stream>> Context::Streams() const {
  std::vector<std::shared_ptr<Stream>> all = {default_stream_};
  MutexLock lock(mutex_);
  all.insert(all.end(), streams_.begin(), streams_.end());
  return all;
}

void Context::Close(StreamEnd end) {
  {
    MutexLock lock(mutex_);
    live_.store(false, std::memory_order_release);
  }
  Handles::Get().contexts.Remove(handle_);
  const auto streams = Streams();
  for (const auto& stream : streams) stream->End(end);
  MutexLock lock(mutex_);
  streams_.clear();
}

void Context::CheckInvariants() const {
  MutexLock lock(mutex_);
  std::set<const Stream*> seen = {default_stream_.get()};
  for (const auto& stream : streams_) {
    NPU_CHECK(stream != nullptr);
    NPU_CHECK(seen.insert(stream.get()).second);
  }
}

}  // namespace npu::acl
