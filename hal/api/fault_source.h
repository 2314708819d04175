// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// FaultSource: where the faults of a back end come from.

#ifndef HAL_API_FAULT_SOURCE_H_
#define HAL_API_FAULT_SOURCE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "hal/api/fault_sink.h"

namespace npu::hal {

// How touches are caught; reported by name, chosen at start.
enum class FaultRung : uint8_t {
  kFull,        // every touch, also from system calls
  kUserMode,    // touches by instructions; system calls may fail with EFAULT
  kDeviceOnly,  // touches by devices
  kUntracked,   // none: data is right, residency is the table's alone
};

// "full", "user-mode", "device-only" or "untracked".
const char* NameOf(FaultRung rung);

// Where a back end delivers: both sinks outlive Stop.
struct FaultSinks {
  FaultSink* managed = nullptr;
  PeerFaultSink* peer = nullptr;  // null: every peer access is illegal
};

// What it is: the service thread of a back end. Owns that thread. Threads:
// Start and Stop from one controlling thread; Kick from any thread, also one
// that holds locks. Cost: Kick is O(1), at most one system call. Breaks:
// PageResidency may be used only on the service thread, between Start and Stop.
class FaultSource {
 public:
  virtual ~FaultSource() = default;

  // Starts delivery. Errors: FailedPrecondition when it runs already; the
  // driver's code when a thread or descriptor cannot be had.
  absl::Status Start(FaultSinks sinks);

  // Ends delivery: posted work that the sink reports as left is not done,
  // threads that wait in faults get SIGSEGV. Idempotent.
  void Stop() { DoStop(); }

  // Asks for calls of FaultSink::OnWork.
  void Kick() noexcept { DoKick(); }

  // Addresses of the managed window become legal: a toucher that was refused
  // there a moment ago is not refused again. On the service thread; fault path.
  void Admit(AddressRange range) noexcept { DoAdmit(range); }

  FaultRung rung() const { return DoRung(); }

 private:
  virtual absl::Status DoStart(FaultSinks sinks) = 0;
  virtual void DoStop() = 0;
  virtual void DoKick() noexcept = 0;
  virtual void DoAdmit(AddressRange range) noexcept = 0;
  virtual FaultRung DoRung() const = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_FAULT_SOURCE_H_
