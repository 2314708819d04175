// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// How a page fault travels up without an upward dependency: the back end calls
// these sinks, the logic above implements them.
//
//   toucher -> kernel -> back end's service thread -> FaultSink (mm::Pager)
//                                                  -> PeerFaultSink (p2p)
//
// Everything here is the fault path: no allocation, no logging, no file I/O, no
// touch of a window, no lock that a faulting thread may hold. Hence the small
// enums instead of a Status, whose text allocates.

#ifndef HAL_API_FAULT_SINK_H_
#define HAL_API_FAULT_SINK_H_

#include <cstdint>

#include "hal/base/address_range.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"

namespace npu::hal {

enum class FaultAccess : uint8_t { kRead, kWrite };

// A touch of managed memory by `node` that its page table does not allow.
struct Fault {
  NodeId node;
  GranuleIndex granule;
  FaultAccess access;
};

// What becomes of the thread that faulted.
enum class FaultVerdict : uint8_t {
  kServed,    // the toucher may go on: its page table allows the access now
  kIllegal,   // nothing lives there: SIGSEGV, or a kernel exception
  kNoMemory,  // no memory, or a failing driver call: SIGBUS, or an exception
};

// Whether posted work is left for another call.
enum class WorkState : uint8_t { kIdle, kMore };

// What it is: the receiver of faults in the managed window, and the one writer
// of residency. Owned by the layer above; must outlive FaultSource::Stop.
// Threads: all three are called on the service thread only, one at a time.
// Cost: OnFault must be O(holders); OnWork does one granule's worth, so that
// faults are served between two granules of a long command.
class FaultSink {
 public:
  virtual ~FaultSink() = default;

  // A touch that faulted. The back end wakes the toucher as the verdict says.
  FaultVerdict OnFault(const Fault& fault) noexcept { return DoOnFault(fault); }

  // The device's process is gone: its mappings are lost, its bytes are not.
  void OnNodeLost(DeviceId device) noexcept { DoOnNodeLost(device); }

  // Does the next piece of posted work. Called after FaultSource::Kick until
  // the answer is kIdle.
  WorkState OnWork() noexcept { return DoOnWork(); }

 private:
  virtual FaultVerdict DoOnFault(const Fault& fault) noexcept = 0;
  virtual void DoOnNodeLost(DeviceId device) noexcept = 0;
  virtual WorkState DoOnWork() noexcept = 0;
};

// A touch, by `accessor`, of a live allocation in the memory of `owner`.
struct PeerFault {
  DeviceId accessor;
  DeviceId owner;
  Address address;
};

// What it is: the receiver of faults in the device windows by devices that do
// not own the memory. The back end itself answers for owners, for dead
// addresses and for the host. Threads: the service thread only. Cost: O(1).
class PeerFaultSink {
 public:
  virtual ~PeerFaultSink() = default;

  // kServed: the back end maps the page at the accessor. kIllegal: a kernel
  // exception there.
  FaultVerdict OnPeerFault(const PeerFault& fault) noexcept {
    return DoOnPeerFault(fault);
  }

 private:
  virtual FaultVerdict DoOnPeerFault(const PeerFault& fault) noexcept = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_FAULT_SINK_H_
