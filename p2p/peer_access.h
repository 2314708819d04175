// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PeerAccess: which device may reach which other one's memory, and what is
// mapped.

#ifndef P2P_PEER_ACCESS_H_
#define P2P_PEER_ACCESS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "hal/api/device_memory.h"
#include "hal/api/device_registry.h"
#include "hal/api/fault_sink.h"
#include "hal/api/peer_link.h"
#include "hal/base/address_range.h"
#include "hal/base/node.h"
#include "hal/base/ranked_mutex.h"

namespace npu::p2p {

// A range of the owner's memory that the accessor reaches without a fault.
struct PeerMapping {
  hal::PeerPair pair;
  AddressRange range;
};

enum class PeerState : uint8_t { kOff, kOn };

// What it is: the table of ordered pairs and the list of mappings. "On" for the
// pair (owner o, accessor a) means that a may reach o's memory; the other
// direction is another pair. Owns table and list, borrows the driver's parts.
// It is the sink for faults in the device windows: on and not mapped is a
// counted fault that maps a page, off is illegal. Threads: any; one mutex
// (LockRank::kPeer) for changes; the table is atomic, and the fault path reads
// nothing else. Cost: O(1), mapping lists O(mappings). Breaks: nothing a caller
// can do.
class PeerAccess final : public hal::PeerFaultSink {
 public:
  // All three outlive it.
  PeerAccess(const hal::DeviceRegistry& devices,
             const hal::DeviceMemory& memory, hal::PeerLink& link);

  // Both devices exist and differ. Errors: kInvalidDevice, kInvalidValue.
  absl::Status Check(hal::PeerPair pair) const;

  // Whether there is a way at all. Errors: as Check.
  absl::StatusOr<hal::PeerReach> CanReach(hal::PeerPair pair) const;

  // Again: success. Errors: as Check; kNotSupported without a way; kOverLimit
  // over the driver's number of peers.
  absl::Status Enable(hal::PeerPair pair);

  // Ends the pair's mappings. Errors: as Check; kInvalidValue when it is off.
  absl::Status Disable(hal::PeerPair pair);

  // Errors: as Check.
  absl::StatusOr<PeerState> Status(hal::PeerPair pair) const;

  // Maps a range of device memory at `accessor`. Errors: kInvalidDevice;
  // kInvalidValue when the range is not inside one live block, then when its
  // owner is the accessor; kNotPermitted when the pair is off.
  absl::Status Map(AddressRange range, DeviceId accessor);

  // What follows from the end of a block and of a device's process.
  void OnFreed(AddressRange block);
  // Every pair that names the device is off afterwards.
  void OnDeviceReset(DeviceId device);

  // For mm's accessors by advice: lock-free, fault path.
  hal::PeerReach MayReach(hal::PeerPair pair) const noexcept;

  // Faults of an accessor that mapped a page.
  uint64_t faults(DeviceId accessor) const;
  void ResetCounters();

  // A copy of the list.
  std::vector<PeerMapping> Mappings() const;

  // Every mapping's pair is on.
  void CheckInvariants() const;

 private:
  hal::FaultVerdict DoOnPeerFault(
      const hal::PeerFault& fault) noexcept override;

  void DropMappingsLocked(hal::PeerPair pair)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const hal::DeviceRegistry& devices_;
  const hal::DeviceMemory& memory_;
  hal::PeerLink& link_;
  mutable RankedMutex mutex_{LockRank::kPeer};
  // Bit a of word o: the pair (o, a) is on. Written under mutex_.
  std::array<std::atomic<uint64_t>, kMaxDevices> on_ = {};
  std::array<std::atomic<uint64_t>, kMaxDevices> faults_ = {};
  std::vector<PeerMapping> mappings_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::p2p

#endif  // P2P_PEER_ACCESS_H_
