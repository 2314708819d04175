// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Context: a device as a thread uses it, with the streams that belong to it.

#ifndef ACL_API_CONTEXT_H_
#define ACL_API_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "acl_api/stream.h"
#include "hal/base/node.h"
#include "hal/base/ranked_mutex.h"

namespace npu::acl {

enum class ContextKind : uint8_t { kDefault, kExplicit };

// What it is: one context. Owns its streams; threads have it by weak pointer,
// clients by handle. Threads: any; one lock around the list, never held while a
// stream is waited for. Cost: O(1), Close O(streams). Breaks: nothing a client
// can do; a closed context takes no more streams.
class Context {
 public:
  // `default_stream` is what NULL names.
  Context(DeviceId device, ContextKind kind,
          std::shared_ptr<Stream> default_stream);

  DeviceId device() const { return device_; }
  ContextKind kind() const { return kind_; }
  const std::shared_ptr<Stream>& default_stream() const {
    return default_stream_;
  }
  // What clients hold. Set once, before others see the context.
  void* handle() const { return handle_; }
  void set_handle(void* handle) { handle_ = handle; }
  // Whether it is not closed.
  bool live() const { return live_.load(std::memory_order_acquire); }

  // Takes a stream in. Error: 107000, the context is closed.
  absl::Status Add(std::shared_ptr<Stream> stream);

  // Gives a stream up; `false` when it is not (or no longer) one of this
  // context, the default stream included: of two calls one gets it.
  bool Remove(const Stream* stream);

  // Whether the stream belongs here.
  bool Owns(const Stream* stream) const;

  // All streams, the default one first.
  std::vector<std::shared_ptr<Stream>> Streams() const;

  // Kills the context and its handle, then ends its streams. No lock is held
  // meanwhile.
  void Close(StreamEnd end);

  // The default stream is live as long as the context, and no stream is listed
  // twice.
  void CheckInvariants() const;

 private:
  const DeviceId device_;
  const ContextKind kind_;
  const std::shared_ptr<Stream> default_stream_;
  void* handle_ = nullptr;
  std::atomic<bool> live_{true};
  mutable RankedMutex mutex_{LockRank::kContext};
  std::vector<std::shared_ptr<Stream>> streams_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::acl

#endif  // ACL_API_CONTEXT_H_
