// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PeerMap: the ways between emulated devices.

#ifndef HAL_EMU_PEER_MAP_H_
#define HAL_EMU_PEER_MAP_H_

#include <array>
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
// held while a device is asked. Cost: O(pages), O(mappings).
class PeerMap final : public PeerLink {
 public:
  PeerMap(const EmulatorConfig& config, const AddressSpace& space,
          const DeviceHeap& heap, Fleet& fleet);

  // Maps what is known into a new process of a device.
  void Rebuild(DeviceId device, const DeviceProcess& process);
  // Forgets everything about a device.
  void Forget(DeviceId device);

 private:
  struct Mapped {
    PeerPair pair;
    AddressRange range;
  };

  PeerReach DoReach(PeerPair pair) const override;
  absl::Status DoEnable(PeerPair pair) override;
  absl::Status DoDisable(PeerPair pair) override;
  absl::Status DoMap(PeerPair pair, AddressRange range) override;

  static uint64_t& WordOf(std::array<uint64_t, kMaxDevices>& words,
                          DeviceId device) {
    return words[static_cast<size_t>(device.value())];
  }
  void DropLocked(PeerPair pair) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const AddressSpace& space_;
  const DeviceHeap& heap_;
  Fleet& fleet_;
  const int32_t max_enabled_;
  std::array<uint64_t, kMaxDevices> links_ = {};  // bit a of word o: a way
  RankedMutex mutex_{LockRank::kDriver};
  std::array<uint64_t, kMaxDevices> enabled_ ABSL_GUARDED_BY(mutex_) = {};
  std::vector<Mapped> mapped_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_PEER_MAP_H_
