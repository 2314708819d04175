// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// KernelLauncher: code for devices.

#ifndef HAL_API_KERNEL_LAUNCHER_H_
#define HAL_API_KERNEL_LAUNCHER_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hal/base/node.h"
#include "hal/base/strong_value.h"

namespace npu::hal {

// A loaded kernel binary; numbers are not used twice.
using BinaryId = StrongValue<struct BinaryIdTag, uint64_t>;

// A function of a binary; dies with it.
using FunctionId = StrongValue<struct FunctionIdTag, uint64_t>;

// A line of execution inside a device: kernels of one lane run one after the
// other, lanes run side by side. mm gives each stream its own.
using LaneId = StrongValue<struct LaneIdTag, uint64_t>;

// The arguments of a call, as a C call passes them: integers and pointers.
struct KernelArguments {
  static constexpr int kMost = 16;
  std::array<uint64_t, kMost> words = {};
  int count = 0;  // 0 .. kMost
};

struct KernelCall {
  FunctionId function;
  DeviceId device;
  LaneId lane;
  uint32_t blocks = 1;  // at least 1
  KernelArguments arguments;
};

// The status of a kernel that crashed, or that another kernel's crash took with
// it; not a driver code, so that it has a name of its own.
absl::Status KernelExceptionError(absl::string_view message);
bool IsKernelException(const absl::Status& status);

// What it is: the loader and caller of kernels. Owns loaded binaries: a device
// that restarts gets them again. Threads: any. Cost: Launch waits until the
// kernel ends; Load is O(file).
class KernelLauncher {
 public:
  virtual ~KernelLauncher() = default;

  // Reads a binary from a file. Nothing of it runs in this process. Errors:
  // kInvalidValue when the file cannot be read or is no binary for a device;
  // the message says which and why.
  absl::StatusOr<BinaryId> Load(const std::string& path);

  // Looks a function up on `device`. Errors: kInvalidHandle for a binary that
  // is not loaded; NotFound (no driver code) for a name that it does not
  // define; a kernel exception when loading it there crashes.
  absl::StatusOr<FunctionId> Find(BinaryId binary, const std::string& name,
                                  DeviceId device);

  // Runs `blocks` calls and waits for them. Errors: kInvalidValue for blocks 0
  // or a bad argument count; kInvalidHandle for a dead function; a kernel
  // exception.
  absl::Status Launch(const KernelCall& call);

  // Errors: kInvalidHandle for a binary that is not loaded. Waits for running
  // calls of it.
  absl::Status Unload(BinaryId binary) { return DoUnload(binary); }

  // Ends an idle lane; one that was never used is no error.
  void ReleaseLane(DeviceId device, LaneId lane) {
    DoReleaseLane(device, lane);
  }

 private:
  virtual absl::StatusOr<BinaryId> DoLoad(const std::string& path) = 0;
  virtual absl::StatusOr<FunctionId> DoFind(BinaryId binary,
                                            const std::string& name,
                                            DeviceId device) = 0;
  virtual absl::Status DoLaunch(const KernelCall& call) = 0;
  virtual absl::Status DoUnload(BinaryId binary) = 0;
  virtual void DoReleaseLane(DeviceId device, LaneId lane) = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_KERNEL_LAUNCHER_H_
