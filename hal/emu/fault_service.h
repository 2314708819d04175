// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// FaultService: the service thread. It hears the faults of all processes, asks
// the layer above what to do, and sees devices die.
//
//   poll --> a message --> FaultSink / PeerFaultSink --> wake, SIGSEGV or
//   SIGBUS
//        --> a process ended --> OnNodeLost, the fleet restarts it
//        --> a kick --> OnWork until it is idle

#ifndef HAL_EMU_FAULT_SERVICE_H_
#define HAL_EMU_FAULT_SERVICE_H_

#include <poll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

#include "hal/api/fault_source.h"
#include "hal/base/ranked_mutex.h"
#include "hal/emu/address_space.h"
#include "hal/emu/device_heap.h"
#include "hal/emu/file_descriptor.h"
#include "hal/emu/fleet.h"
#include "hal/emu/page_map.h"
#include "hal/emu/peer_map.h"
#include "hal/emu/userfault.h"

namespace npu::hal::emu {

// What it works with; all of it outlives the service.
struct FaultServiceParts {
  const AddressSpace* space;
  PageMap* pages;
  const DeviceHeap* heap;
  Fleet* fleet;
  const PeerMap* peers;
  int32_t device_count;
};

// What it is: the one thread that serves faults. Owns the thread, the host's
// userfaultfd and the kick. Threads: as FaultSource says. The thread itself
// never allocates, logs, does file I/O, touches a window or takes a lock. Cost:
// a message is a poll, a read and what the sink does.
class FaultService final : public FaultSource {
 public:
  // `host` is invalid on the rung where nothing is watched.
  FaultService(const FaultServiceParts& parts, Userfault host);
  ~FaultService() override;

  // Whether the calling thread is a service thread: for a test that forbids
  // allocation there.
  static bool IsServiceThread();

 private:
  absl::Status DoStart(FaultSinks sinks) override;
  void DoStop() override;
  void DoKick() noexcept override;
  void DoAdmit(AddressRange range) noexcept override;
  FaultRung DoRung() const override;

  // From here on the service thread's.
  void Serve() noexcept;
  void AdoptNewProcesses() noexcept;
  int PollTimeout() const noexcept;
  void HearHost() noexcept;
  void HearDevice(DeviceId device) noexcept;
  void OnManagedFault(NodeId node, const UserfaultMessage& message) noexcept;
  void OnSliceFault(DeviceId device, Address address) noexcept;
  // Whether nobody freed the memory or shut the device out.
  bool MayHave(DeviceId device, Address address) const noexcept;
  void MapPiece(DeviceId device, Address address) noexcept;
  void LoseDevice(DeviceId device) noexcept;

  struct pollfd& BellPoll() {
    return polls_[0];
  }
  struct pollfd& HostPoll() {
    return polls_[1];
  }
  struct pollfd& FaultPoll(DeviceId device) {
    return polls_[2 + 2 * static_cast<size_t>(device.value())];
  }
  struct pollfd& LifePoll(DeviceId device) {
    return polls_[3 + 2 * static_cast<size_t>(device.value())];
  }

  const FaultServiceParts parts_;
  Userfault host_;
  FileDescriptor bell_;
  FaultSinks sinks_;
  std::atomic<bool> stopping_{false};
  bool has_work_ = false;
  PageMap::Debt debt_ = PageMap::Debt::kNone;
  std::array<struct pollfd, 2 + 2 * kMaxDevices> polls_;
  std::thread thread_;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_FAULT_SERVICE_H_
