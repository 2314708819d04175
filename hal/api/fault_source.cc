// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/fault_source.h"

#include "hal/base/driver_code.h"

namespace npu::hal {

const char* NameOf(FaultRung rung) {
  switch (rung) {
    case FaultRung::kFull:
      return "full";
    case FaultRung::kUserMode:
      return "user-mode";
    case FaultRung::kDeviceOnly:
      return "device-only";
    case FaultRung::kUntracked:
      return "untracked";
  }
  return "unknown";
}

absl::Status FaultSource::Start(FaultSinks sinks) {
  if (sinks.managed == nullptr) {
    return DriverError(DriverCode::kInvalidValue,
                       "FaultSource.Start: the managed sink is null");
  }
  return DoStart(sinks);
}

}  // namespace npu::hal
