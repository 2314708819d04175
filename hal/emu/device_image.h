// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The device program, as it is embedded in this library.

#ifndef HAL_EMU_DEVICE_IMAGE_H_
#define HAL_EMU_DEVICE_IMAGE_H_

#include "absl/status/statusor.h"
#include "hal/emu/file_descriptor.h"

namespace npu::hal::emu {

// A sealed memory file that holds the program, ready to be executed. Made anew
// each time: nothing outside can have changed it. Error: kOutOfMemory.
absl::StatusOr<FileDescriptor> OpenDeviceImage();

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_IMAGE_H_
