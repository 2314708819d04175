// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device_image.h"

#include "hal/emu/device_image_bytes.h"
#include "hal/emu/sealed_file.h"

namespace npu::hal::emu {

absl::StatusOr<FileDescriptor> OpenDeviceImage() {
  return MakeSealedFile(
      "npu-device-program", npu_device_image_begin,
      static_cast<size_t>(npu_device_image_end - npu_device_image_begin));
}

}  // namespace npu::hal::emu
