// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Fleet: the device processes, and the thread that replaces those that died.

#ifndef HAL_EMU_FLEET_H_
#define HAL_EMU_FLEET_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/base/node.h"
#include "hal/base/ranked_mutex.h"
#include "hal/emu/address_space.h"
#include "hal/emu/device_process.h"
#include "hal/emu/file_descriptor.h"

namespace npu::hal::emu {

// A device's process and which one it is, counted from 1.
struct Incarnation {
  std::shared_ptr<DeviceProcess> process;
  uint64_t number = 0;
};

// What it is: one process per device at any time but for the moment of a
// restart. Owns the processes and the keeper thread. Threads: any; one mutex
// (LockRank::kDriver). The service thread only reports a loss (ReportLost) and
// takes new processes (TakeNew), both without a lock. Cost: O(1); a restart is
// some milliseconds. Breaks: nothing a kernel can do.
class Fleet {
 public:
  // Called on the keeper thread with each new process, before anybody has it.
  using OnNew = std::function<void(DeviceId, const DeviceProcess&)>;
  // Called when the service thread is to look for new processes.
  using Notify = std::function<void()>;

  // Starts all processes. Errors: as DeviceProcess::Start.
  static absl::StatusOr<std::unique_ptr<Fleet>> Start(const AddressSpace& space,
                                                      int32_t device_count,
                                                      Watch watch);
  ~Fleet();

  void SetHooks(OnNew on_new, Notify notify);

  // The process of a device, once there is one that lives. Error: kBusDown when
  // it cannot be started anew, or the fleet ends.
  absl::StatusOr<Incarnation> Ready(DeviceId device);

  // Ends a device's process and waits for the next. Errors: as Ready.
  absl::Status Restart(DeviceId device);

  // The service thread's.
  void ReportLost(DeviceId device) noexcept;
  DeviceProcess* TakeNew(DeviceId device) noexcept {
    return members_[static_cast<size_t>(device.value())].incoming.exchange(
        nullptr, std::memory_order_acq_rel);
  }

  // Ends all processes, for good: whoever waits for one gets an exception.
  // Idempotent.
  void End();

 private:
  struct Member {
    Incarnation now;                // guarded by mutex_
    bool broken = false;            // guarded by mutex_: cannot be restarted
    std::atomic<bool> lost{false};  // set by the service thread
    std::atomic<DeviceProcess*> incoming{nullptr};
  };

  Fleet(const AddressSpace& space, int32_t device_count, Watch watch)
      : space_(space),
        device_count_(device_count),
        watch_(watch),
        members_(static_cast<size_t>(device_count)) {}

  Member& At(DeviceId device) {
    return members_[static_cast<size_t>(device.value())];
  }
  void StopKeeping();
  void Keep();
  void Replace(DeviceId device);

  const AddressSpace& space_;
  const int32_t device_count_;
  const Watch watch_;
  RankedMutex mutex_{LockRank::kDriver};
  std::condition_variable changed_;
  OnNew on_new_ ABSL_GUARDED_BY(mutex_);
  Notify notify_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Member> members_;
  FileDescriptor bell_;  // an eventfd: the service thread may not lock
  std::thread keeper_;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_FLEET_H_
