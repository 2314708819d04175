// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The lanes of a device process: a thread each, which calls kernels.

#ifndef HAL_EMU_DEVICE_EXECUTOR_H_
#define HAL_EMU_DEVICE_EXECUTOR_H_

#include <cstdint>

#include "hal/emu/device/protocol.h"

namespace npu::hal::emu {

// Starts a thread with `entry(argument)` and a stack of 8 MiB, whatever the
// limit on stacks says. 0, or an errno.
int StartThread(void* (*entry)(void*), void* argument);

// Starts the thread of a lane, which runs the lane's calls for ever.
int StartLane(Lane& lane);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_EXECUTOR_H_
