// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Early returns for absl::Status and absl::StatusOr.
//
//   NPU_RETURN_IF_ERROR(Check(range));
//   NPU_ASSIGN_OR_RETURN(const AddressRange range, Find(address));

#ifndef HAL_BASE_STATUS_MACROS_H_
#define HAL_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define NPU_RETURN_IF_ERROR(expression)        \
  do {                                         \
    absl::Status npu_status_ = (expression);   \
    if (!npu_status_.ok()) return npu_status_; \
  } while (false)

#define NPU_ASSIGN_OR_RETURN(declaration, expression)                 \
  NPU_ASSIGN_OR_RETURN_AT_(NPU_JOIN_(npu_or_, __LINE__), declaration, \
                           expression)

#define NPU_ASSIGN_OR_RETURN_AT_(result, declaration, expression) \
  auto result = (expression);                                     \
  if (!result.ok()) return std::move(result).status();            \
  declaration = *std::move(result)

#define NPU_JOIN_(a, b) NPU_JOIN_AGAIN_(a, b)
#define NPU_JOIN_AGAIN_(a, b) a##b

#endif  // HAL_BASE_STATUS_MACROS_H_
