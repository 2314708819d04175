// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/driver_code.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace npu {
namespace {

constexpr char kPayload[] = "npu.hal/driver_code";

absl::StatusCode NearestStatusCode(DriverCode code) {
  switch (code) {
    case DriverCode::kInvalidDevice:
    case DriverCode::kInvalidValue:
    case DriverCode::kInvalidHandle:
      return absl::StatusCode::kInvalidArgument;
    case DriverCode::kOutOfMemory:
    case DriverCode::kNoResources:
    case DriverCode::kOverLimit:
      return absl::StatusCode::kResourceExhausted;
    case DriverCode::kNotPermitted:
      return absl::StatusCode::kPermissionDenied;
    case DriverCode::kNotSupported:
      return absl::StatusCode::kUnimplemented;
    case DriverCode::kNoDevice:
    case DriverCode::kBusDown:
      return absl::StatusCode::kUnavailable;
    case DriverCode::kInternal:
      return absl::StatusCode::kInternal;
  }
  return absl::StatusCode::kInternal;  // a number of a driver we do not know
}

}  // namespace

absl::Status DriverError(DriverCode code, absl::string_view message) {
  absl::Status status(NearestStatusCode(code), message);
  status.SetPayload(kPayload,
                    absl::Cord(absl::StrCat(static_cast<int32_t>(code))));
  return status;
}

std::optional<DriverCode> DriverCodeOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  int32_t number = 0;
  if (!payload.has_value() ||
      !absl::SimpleAtoi(std::string(*payload), &number)) {
    return std::nullopt;
  }
  return static_cast<DriverCode>(number);
}

}  // namespace npu
