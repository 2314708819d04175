// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PeerMap: the ways between emulated devices.

#ifndef HAL_EMU_PEER_MAP_H_
#define HAL_EMU_PEER_MAP_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "hal/api/peer_link.h"
#include "hal/base/ranked_mutex.h"
#include "hal/emu/address_space.h"
#include "hal/emu/config.pb.h"
#include "hal/emu/device_heap.h"
#include "hal/emu/fleet.h"

namespace npu::hal::emu {

// What it is: the topology of the configuration, which directions are on, and
// the ranges that are mapped, so that a device's next process gets them, too.
// Borrows the other parts. Threads: any; one mutex (LockRank::kDriver), not
// held while a device or the heap is asked. Cost: Map is O(pages), amortized;
// the rest O(mappings).
class PeerMap final : public PeerLink {
 public:
  PeerMap(const EmulatorConfig& config, const AddressSpace& space,
          const DeviceHeap& heap, Fleet& fleet);

  // Whether a direction is on. Fault path.
  bool IsEnabled(PeerPair pair) const noexcept;

  // Maps what is known into a new process of a device.
  void Rebuild(DeviceId device, const DeviceProcess& process);
  // Forgets everything about a device.
  void Forget(DeviceId device);

 private:
  struct Mapped {
    PeerPair pair;
    AddressRange range;
    uint64_t block;  // DeviceHeap::NumberOf: another one at its place is new
  };

  PeerReach DoReach(PeerPair pair) const override;
  absl::Status DoEnable(PeerPair pair) override;
  absl::Status DoDisable(PeerPair pair) override;
  absl::Status DoMap(PeerPair pair, AddressRange range) override;

  // Of the peers that a device has let in.
  std::atomic<uint64_t>& PeersOf(DeviceId owner) {
    return enabled_[static_cast<size_t>(owner.value())];
  }
  void Remember(const Mapped& mapped);
  // Forgets the mappings of blocks that are no more.
  void ForgetDead();

  const AddressSpace& space_;
  const DeviceHeap& heap_;
  Fleet& fleet_;
  const int32_t max_enabled_;
  std::array<uint64_t, kMaxDevices> links_ = {};  // bit a of word o: a way
  RankedMutex mutex_{LockRank::kDriver};
  // Written under mutex_, read without.
  std::array<std::atomic<uint64_t>, kMaxDevices> enabled_ = {};
  std::vector<Mapped> mapped_ ABSL_GUARDED_BY(mutex_);
  size_t look_at_ ABSL_GUARDED_BY(mutex_) = 64;  // that many: ForgetDead
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_PEER_MAP_H_
