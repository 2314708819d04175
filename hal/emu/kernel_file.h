// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Reading a kernel binary from a file that is not trusted.

#ifndef HAL_EMU_KERNEL_FILE_H_
#define HAL_EMU_KERNEL_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "hal/emu/file_descriptor.h"

namespace npu::hal::emu {

// A sealed copy of the file, when it is a shared object for this processor.
// Nothing of it is run. Errors, with the path and the reason: kInvalidValue
// when it cannot be read, is no regular file, is too large, or is no such
// object; kOutOfMemory.
absl::StatusOr<FileDescriptor> ReadKernelFile(const std::string& path);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_KERNEL_FILE_H_
