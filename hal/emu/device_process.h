// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceProcess: one incarnation of a device, seen from the client's process.

#ifndef HAL_EMU_DEVICE_PROCESS_H_
#define HAL_EMU_DEVICE_PROCESS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/base/address_range.h"
#include "hal/base/node.h"
#include "hal/base/ranked_mutex.h"
#include "hal/emu/address_space.h"
#include "hal/emu/device/protocol.h"
#include "hal/emu/file_descriptor.h"
#include "hal/emu/userfault.h"

namespace npu::hal::emu {

enum class Watch : uint8_t { kUnwatched, kWatched };

// How an order to the agent came out.
enum class AgentOutcome : uint8_t {
  kDone,
  kLate,  // it did not answer in time, or is still at an earlier order
  kGone,
};

// What it is: a running device process, its userfaultfd, its process descriptor
// and its mailboxes. Owns all of that; ends the process with itself. Threads:
// the agent's mailbox belongs to the service thread (fault path); the manager's
// is shared by all others under a lock (LockRank::kDevice); a lane belongs to
// the stream that has it. Cost: a message is a hop between processes. Breaks:
// nothing the kernels of the device can do: a dead process makes every call
// answer so.
class DeviceProcess {
 public:
  // Starts the program and waits for its greeting. Not a child of this process:
  // wait() and SIGCHLD of the client do not see it. Errors: kNoDevice with the
  // step that failed; kNotSupported when it has no userfaultfd.
  static absl::StatusOr<std::shared_ptr<DeviceProcess>> Start(
      const AddressSpace& space, int32_t device_count, Watch watch);

  ~DeviceProcess();
  DeviceProcess(const DeviceProcess&) = delete;
  DeviceProcess& operator=(const DeviceProcess&) = delete;

  const Userfault& userfault() const { return userfault_; }
  int process_fd() const { return process_.get(); }

  // Whether it is known to be gone.
  bool gone() const { return gone_.load(std::memory_order_acquire); }
  // Asks the kernel.
  bool HasEnded() const noexcept;
  // Marks it gone and wakes everybody who waits for it.
  void SetGone() noexcept;
  void Kill() noexcept;

  // The service thread's: waits at most 20 ms.
  AgentOutcome Order(Operation operation, AddressRange range) noexcept;

  // Everybody else's. Errors: what the device answers, as text; a kernel
  // exception when the process dies meanwhile.
  absl::Status Load(uint64_t binary, int fd);
  absl::StatusOr<uint64_t> Find(uint64_t binary, const std::string& name);
  absl::Status Unload(uint64_t binary);
  absl::Status StartLane(uint32_t lane);
  absl::Status Unmap(AddressRange range);

  // Runs a call on a lane that was started. Error: a kernel exception when the
  // process dies meanwhile.
  absl::Status Call(uint32_t lane, uint64_t function, uint32_t blocks,
                    const uint64_t* arguments);

 private:
  DeviceProcess() = default;

  absl::Status Greet();
  absl::Status AskLocked(Operation operation, uint64_t id)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status SendDescriptor(int fd);
  // Until `reply` is `request`, or the process is gone.
  bool AwaitReply(std::atomic<uint32_t>& reply, uint32_t request) const;

  ControlBlock* control_ = nullptr;
  FileDescriptor socket_;
  FileDescriptor process_;
  Userfault userfault_;
  std::atomic<bool> gone_{false};
  RankedMutex mutex_{LockRank::kDevice};  // of the manager's mailbox
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_PROCESS_H_
