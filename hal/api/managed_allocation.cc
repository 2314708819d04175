// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/managed_allocation.h"

#include "hal/base/driver_code.h"

namespace npu::hal {

absl::StatusOr<AddressRange> ManagedAllocation::Allocate(ByteSize size,
                                                         DeviceId current) {
  if (size.zero()) {
    return DriverError(DriverCode::kInvalidValue,
                       "ManagedAllocation.Allocate: size is 0");
  }
  return DoAllocate(size, current);
}

}  // namespace npu::hal
