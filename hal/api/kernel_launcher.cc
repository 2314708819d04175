// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/kernel_launcher.h"

#include "absl/strings/cord.h"
#include "hal/base/driver_code.h"

namespace npu::hal {
namespace {

constexpr char kPayload[] = "npu.hal/kernel_exception";

}  // namespace

absl::Status KernelExceptionError(absl::string_view message) {
  absl::Status status = absl::AbortedError(message);
  status.SetPayload(kPayload, absl::Cord("1"));
  return status;
}

bool IsKernelException(const absl::Status& status) {
  return status.GetPayload(kPayload).has_value();
}

absl::StatusOr<BinaryId> KernelLauncher::Load(const std::string& path) {
  if (path.empty()) {
    return DriverError(DriverCode::kInvalidValue,
                       "KernelLauncher.Load: the path is empty");
  }
  return DoLoad(path);
}

absl::StatusOr<FunctionId> KernelLauncher::Find(BinaryId binary,
                                                const std::string& name,
                                                DeviceId device) {
  if (name.empty()) {
    return absl::NotFoundError("KernelLauncher.Find: the name is empty");
  }
  return DoFind(binary, name, device);
}

absl::Status KernelLauncher::Launch(const KernelCall& call) {
  if (call.blocks == 0) {
    return DriverError(DriverCode::kInvalidValue,
                       "KernelLauncher.Launch: blocks is 0");
  }
  if (call.arguments.count < 0 ||
      call.arguments.count > KernelArguments::kMost) {
    return DriverError(DriverCode::kInvalidValue,
                       "KernelLauncher.Launch: more than 16 arguments");
  }
  return DoLaunch(call);
}

}  // namespace npu::hal
