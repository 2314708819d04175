// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Device ids as callers give them.

#ifndef ACL_API_DEVICE_ARGUMENT_H_
#define ACL_API_DEVICE_ARGUMENT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "acl/acl_base.h"
#include "acl_api/runtime.h"
#include "hal/base/node.h"

namespace npu::acl {

// The device of a number. Error: `code`, outside 0..n-1.
absl::StatusOr<DeviceId> CheckDevice(
    const Runtime& runtime, absl::string_view name, int32_t value,
    aclError code = ACL_ERROR_RT_INVALID_DEVICEID);

}  // namespace npu::acl

#endif  // ACL_API_DEVICE_ARGUMENT_H_
