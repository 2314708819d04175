// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// EmulatedDevices: the registry of the emulated NPU.

#ifndef HAL_EMU_EMULATED_DEVICES_H_
#define HAL_EMU_EMULATED_DEVICES_H_

#include <utility>

#include "hal/api/device_registry.h"
#include "hal/emu/device_heap.h"
#include "hal/emu/fleet.h"
#include "hal/emu/peer_map.h"

namespace npu::hal::emu {

// What it is: the description of the product, and reset. All devices run from
// the start, so opening one only waits for it. Borrows the parts that a reset
// empties. Threads: any. Cost: a reset restarts a process.
class EmulatedDevices final : public DeviceRegistry {
 public:
  EmulatedDevices(DriverDescription about, Fleet& fleet, DeviceHeap& heap,
                  PeerMap& peers)
      : about_(std::move(about)), fleet_(fleet), heap_(heap), peers_(peers) {}

 private:
  const DriverDescription& DoDescribe() const override { return about_; }
  absl::Status DoOpen(DeviceId device) override;
  absl::Status DoReset(DeviceId device, ResetMode mode) override;
  NumaNode DoCurrentNumaNode() const override;

  const DriverDescription about_;
  Fleet& fleet_;
  DeviceHeap& heap_;
  PeerMap& peers_;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_EMULATED_DEVICES_H_
