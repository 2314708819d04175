// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/error_code.h"

#include <optional>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/driver_code.h"

namespace npu::acl {
namespace {

constexpr char kPayload[] = "npu.acl/code";

struct DriverRow {
  int driver;
  aclError code;
};

// What upstream maps; everything else is an internal error of the driver.
constexpr DriverRow kDriverRows[] = {
    {1, ACL_ERROR_RT_NO_DEVICE},
    {2, ACL_ERROR_RT_INVALID_DEVICEID},
    {3, ACL_ERROR_RT_PARAM_INVALID},
    {4, ACL_ERROR_RT_INVALID_HANDLE},
    {5, ACL_ERROR_RT_INVALID_MALLOC_TYPE},
    {6, ACL_ERROR_RT_MEMORY_ALLOCATION},
    {10, ACL_ERROR_RT_REPEATED_INIT},
    {14, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL},
    {16, ACL_ERROR_RT_REPORT_TIMEOUT},
    {17, ACL_ERROR_RT_DRV_INTERNAL_ERROR},
    {25, ACL_ERROR_RT_SOCKET_CLOSE},
    {27, ACL_ERROR_RT_SEND_MSG},
    {33, ACL_ERROR_RT_LOST_HEARTBEAT},
    {37, ACL_ERROR_RT_OVER_LIMIT},
    {40, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL},
    {43, ACL_ERROR_RT_INTERNAL_ERROR},
    {46, ACL_ERROR_RT_NO_PERMISSION},
    {47, ACL_ERROR_RT_NO_EVENT_RESOURCE},
    {48, ACL_ERROR_RT_NO_STREAM_RESOURCE},
    {49, ACL_ERROR_RT_NO_NOTIFY_RESOURCE},
    {50, ACL_ERROR_RT_NO_MODEL_RESOURCE},
    {58, ACL_ERROR_RT_PARAM_INVALID},
    {74, ACL_ERROR_RT_COPY_DATA},
    {75, ACL_ERROR_RT_QUEUE_EMPTY},
    {76, ACL_ERROR_RT_QUEUE_FULL},
    {82, ACL_ERROR_RT_CDQ_BATCH_ABNORMAL},
    {83, ACL_ERROR_RT_PARAM_INVALID},
    {84, ACL_ERROR_RT_NO_CDQ_RESOURCE},
    {89, ACL_ERROR_RT_TIMEOUT},
    {65534, ACL_ERROR_RT_FEATURE_NOT_SUPPORT},
};

// For a status that neither this layer nor a driver made.
aclError CodeOfKind(absl::StatusCode kind) {
  switch (kind) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kFailedPrecondition:
      return ACL_ERROR_RT_PARAM_INVALID;
    case absl::StatusCode::kResourceExhausted:
      return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case absl::StatusCode::kPermissionDenied:
      return ACL_ERROR_RT_NO_PERMISSION;
    case absl::StatusCode::kUnimplemented:
      return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kCancelled:
      return ACL_ERROR_RT_STREAM_ABORT;
    default:
      return ACL_ERROR_RT_INTERNAL_ERROR;
  }
}

std::optional<aclError> PayloadOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  int code = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &code)) {
    return std::nullopt;
  }
  return code;
}

}  // namespace

absl::Status Failure(aclError code, absl::string_view message) {
  absl::Status status(absl::StatusCode::kFailedPrecondition, message);
  status.SetPayload(kPayload, absl::Cord(absl::StrCat(code)));
  return status;
}

aclError CodeOfDriver(int driver_code) {
  for (const DriverRow& row : kDriverRows) {
    if (row.driver == driver_code) return row.code;
  }
  return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
}

aclError CodeOf(const absl::Status& status) {
  if (status.ok()) return ACL_SUCCESS;
  if (const auto code = PayloadOf(status)) return *code;
  if (hal::IsKernelException(status)) return ACL_ERROR_RT_AICORE_EXCEPTION;
  if (const auto driver = DriverCodeOf(status)) {
    return CodeOfDriver(static_cast<int>(*driver));
  }
  return CodeOfKind(status.code());
}

bool ReachesLastErrorSlot(aclError code) {
  const int band = code / 1000;
  return code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT &&
         (band == 107 || band == 207 || band == 507);
}

}  // namespace npu::acl
