// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/device_argument.h"

#include "acl_api/arguments.h"
#include "hal/base/status_macros.h"

namespace npu::acl {

absl::StatusOr<DeviceId> CheckDevice(const Runtime& runtime,
                                     absl::string_view name, int32_t value,
                                     aclError code) {
  NPU_RETURN_IF_ERROR(InInterval(
      name, value, {0, runtime.description().device_count - 1}, code));
  return DeviceId(value);
}

}  // namespace npu::acl
