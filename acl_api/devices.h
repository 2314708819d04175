// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Devices: which devices are set, and the contexts on each.

#ifndef ACL_API_DEVICES_H_
#define ACL_API_DEVICES_H_

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "acl_api/context.h"
#include "acl_api/stream.h"
#include "hal/api/device_registry.h"
#include "hal/base/node.h"
#include "hal/base/ranked_mutex.h"

namespace npu::acl {

// What it is: for each device how often it was set, its default context and the
// explicit ones. Owns the contexts; their handles are in Handles. Threads: any;
// one lock, held while a device opens, never while streams are waited for or a
// device is reset: a device that is being reset keeps others waiting for itself
// only. Cost: O(1) but for Reset and Abort, O(streams). Breaks: device ids are
// checked by the caller.
class Devices {
 public:
  // Makes the default stream of a context, or any other.
  using StreamMaker =
      std::function<absl::StatusOr<std::shared_ptr<Stream>>(DeviceId)>;
  // Moves away what lives on a device; an error leaves it as it is.
  using Evacuation = std::function<absl::Status(DeviceId)>;
  // Ends what runs on a device and what was mapped there.
  using DeviceReset = std::function<absl::Status(DeviceId, hal::ResetMode)>;

  struct Hooks {
    std::function<absl::Status(DeviceId)> open;
    StreamMaker make_stream;
    Evacuation evacuate;
    DeviceReset reset;
  };

  explicit Devices(Hooks hooks) : hooks_(std::move(hooks)) {}

  // aclrtSetDevice: counts, and makes the default context at the first time.
  // Errors: what opening the device answers.
  absl::StatusOr<std::shared_ptr<Context>> Set(DeviceId device);

  // aclrtCreateContext. Errors: as Set.
  absl::StatusOr<std::shared_ptr<Context>> CreateContext(DeviceId device);

  // Gives an explicit context up; the caller closes it. Error: 107000, a
  // default context or one that is gone.
  absl::Status Remove(const std::shared_ptr<Context>& context);

  // aclrtResetDevice and its forced form. Errors: 507007 not set; 207001 the
  // host has no room, nothing changed.
  absl::Status Reset(DeviceId device, hal::ResetMode mode);

  // All streams of all contexts of a device.
  std::vector<std::shared_ptr<Stream>> StreamsOf(DeviceId device) const;

  // All contexts of all devices, taken out: for the end of the runtime.
  std::vector<std::shared_ptr<Context>> RemoveAll();

  // A device that is set has a default context; contexts are where they say.
  void CheckInvariants() const;

 private:
  enum class State : uint8_t { kReady, kResetting };

  struct Entry {
    State state = State::kReady;
    uint64_t set_count = 0;
    std::shared_ptr<Context> default_context;
    std::vector<std::shared_ptr<Context>> explicit_contexts;
  };

  Entry& At(DeviceId device) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return entries_[static_cast<size_t>(device.value())];
  }
  const Entry& At(DeviceId device) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return entries_[static_cast<size_t>(device.value())];
  }
  // The entry, once nobody resets the device. Error: 107000, the reset waits
  // for the caller, a task.
  absl::StatusOr<Entry*> Await(DeviceId device, MutexLock& lock)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<std::shared_ptr<Context>> MakeContext(DeviceId device,
                                                       ContextKind kind);
  // What a reset does without the lock.
  absl::Status Drain(DeviceId device);
  absl::Status Kill(DeviceId device);
  std::vector<std::shared_ptr<Context>> TakeContexts(DeviceId device);

  const Hooks hooks_;
  mutable RankedMutex mutex_{LockRank::kRuntime};
  std::condition_variable changed_;
  std::array<Entry, kMaxDevices> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::acl

#endif  // ACL_API_DEVICES_H_
