// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/copy_engine.h"

#include "hal/base/driver_code.h"

namespace npu::hal {

absl::Status CopyEngine::Copy(Address destination, AddressRange source) {
  const absl::StatusOr<AddressRange> target =
      AddressRange::Make(destination, source.size());
  if (!target.ok()) {
    return DriverError(DriverCode::kInvalidValue, target.status().message());
  }
  return DoCopy(*target, source);
}

}  // namespace npu::hal
