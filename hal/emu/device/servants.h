// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The threads of a device process that serve the client's mailboxes.

#ifndef HAL_EMU_DEVICE_SERVANTS_H_
#define HAL_EMU_DEVICE_SERVANTS_H_

#include "hal/emu/device/protocol.h"

namespace npu::hal::emu {

// Starts the agent (page tables; it never waits for anything but its mailbox),
// the manager (binaries and lanes; it may run what a binary does when it is
// loaded) and the watcher (the process ends when the client does, or turns into
// another program). 0, or an errno.
int StartServants(ControlBlock& control);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_SERVANTS_H_
