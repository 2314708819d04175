// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// OpenEmulatedNpu: a driver whose devices are processes of this machine, with
// page tables that fault.
//
//   NPU_ASSIGN_OR_RETURN(EmulatorConfig config, LoadConfig(path));
//   NPU_ASSIGN_OR_RETURN(auto driver, OpenEmulatedNpu(config));
//   driver->Parts().faults->Start({&pager, &peers});

#ifndef HAL_EMU_EMULATED_NPU_H_
#define HAL_EMU_EMULATED_NPU_H_

#include <memory>

#include "absl/status/statusor.h"
#include "hal/api/driver.h"
#include "hal/emu/config.h"

namespace npu::hal::emu {

// Opens the windows and starts all devices. Everything is gone with the result;
// FaultSource is to be stopped first. One at a time at one place: windows do
// not overlap. Errors: kNotSupported when the rung that was asked for cannot be
// had; kOutOfMemory when a window cannot be mapped; kNoDevice when a device
// does not come up.
absl::StatusOr<std::unique_ptr<Driver>> OpenEmulatedNpu(
    const EmulatorConfig& config);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_EMULATED_NPU_H_
