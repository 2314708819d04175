// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/emulated_devices.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace npu::hal::emu {

absl::Status EmulatedDevices::DoOpen(DeviceId device) {
  return fleet_.Ready(device).status();
}

// Draining is the caller's, who knows the streams: what still runs is killed in
// both modes, since the process is replaced.
absl::Status EmulatedDevices::DoReset(DeviceId device, ResetMode) {
  peers_.Forget(device);
  const absl::Status restarted = fleet_.Restart(device);
  heap_.FreeAll(device);  // now that no kernel uses it
  return restarted;
}

NumaNode EmulatedDevices::DoCurrentNumaNode() const {
  unsigned cpu = 0;
  unsigned node = 0;
  if (syscall(SYS_getcpu, &cpu, &node, nullptr) != 0) return NumaNode(0);
  // The machine's node, as one of those that the configuration has.
  return NumaNode(static_cast<int32_t>(node) % about_.numa_nodes);
}

}  // namespace npu::hal::emu
