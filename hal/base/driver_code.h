// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The code of a driver inside an absl::Status.
//
// An absl::StatusCode is too coarse for the C ABI: "no memory", "no resource"
// and "over a limit" are three answers there and one here. A status that a
// driver call made therefore carries the driver's own number (drvError_t) as
// the payload "npu.hal/driver_code"; acl_api turns it into an aclError.

#ifndef HAL_BASE_DRIVER_CODE_H_
#define HAL_BASE_DRIVER_CODE_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace npu {

// The driver codes that our own back ends give; the numbers are the driver's
// (an interface fact). Any other int can arrive from a real driver.
enum class DriverCode : int32_t {
  kNoDevice = 1,
  kInvalidDevice = 2,
  kInvalidValue = 3,
  kInvalidHandle = 4,
  kOutOfMemory = 6,
  kInternal = 7,
  kNoResources = 14,
  kBusDown = 33,
  kOverLimit = 37,
  kNotPermitted = 46,
  kNotSupported = 65534,
};

// A status with `message`, the driver's code as payload and the StatusCode that
// lies nearest to it.
absl::Status DriverError(DriverCode code, absl::string_view message);

// The payload; nullopt for a status that no driver call made, and for OK.
std::optional<DriverCode> DriverCodeOf(const absl::Status& status);

}  // namespace npu

#endif  // HAL_BASE_DRIVER_CODE_H_
