// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/device_memory.h"

#include "hal/base/driver_code.h"

namespace npu::hal {

absl::StatusOr<AddressRange> DeviceMemory::Allocate(DeviceId device,
                                                    ByteSize size) {
  if (size.zero()) {
    return DriverError(DriverCode::kInvalidValue,
                       "DeviceMemory.Allocate: size is 0");
  }
  return DoAllocate(device, size);
}

}  // namespace npu::hal
