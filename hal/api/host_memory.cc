// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/host_memory.h"

#include "hal/base/driver_code.h"

namespace npu::hal {

absl::StatusOr<AddressRange> HostMemory::Allocate(ByteSize size) {
  if (size.zero()) {
    return DriverError(DriverCode::kInvalidValue,
                       "HostMemory.Allocate: size is 0");
  }
  return DoAllocate(size);
}

}  // namespace npu::hal
