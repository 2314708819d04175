// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/device_registry.h"

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

namespace npu::hal {

absl::Status DeviceRegistry::Check(DeviceId device) const {
  const int32_t count = Describe().device_count;
  if (device.value() >= 0 && device.value() < count) return absl::OkStatus();
  return DriverError(
      DriverCode::kInvalidDevice,
      absl::StrCat("device ", device.value(), " is outside [0, ", count, ")"));
}

absl::Status DeviceRegistry::Open(DeviceId device) {
  NPU_RETURN_IF_ERROR(Check(device));
  return DoOpen(device);
}

absl::Status DeviceRegistry::Reset(DeviceId device, ResetMode mode) {
  NPU_RETURN_IF_ERROR(Check(device));
  return DoReset(device, mode);
}

}  // namespace npu::hal
