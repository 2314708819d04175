// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Opening a userfaultfd, for the client and for the devices alike.

#ifndef HAL_EMU_DEVICE_USERFAULT_DESCRIPTOR_H_
#define HAL_EMU_DEVICE_USERFAULT_DESCRIPTOR_H_

#include <cstdint>

namespace npu::hal::emu {

enum class UserfaultMode : uint8_t {
  kFull,      // faults of system calls, too
  kUserOnly,  // needs no right
};

// A descriptor for this process that speaks the protocol, non-blocking and
// close-on-exec: by the system call, else by /dev/userfaultfd. -1 with errno
// when there is none, EOPNOTSUPP when the kernel's lacks what is needed.
int OpenUserfaultDescriptor(UserfaultMode mode);

// Watches missing, minor and write-protect faults of a range of this process.
// 0, or an errno.
int RegisterUserfault(int fd, uint64_t begin, uint64_t bytes);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_USERFAULT_DESCRIPTOR_H_
