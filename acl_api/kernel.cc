// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/kernel.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "hal/base/check.h"
#include "hal/base/driver_code.h"

namespace npu::acl {

Binary::~Binary() {
  // A binary that the driver lost with its device needs no unloading.
  launcher_.Unload(id_).IgnoreError();
}

absl::StatusOr<hal::FunctionId> Binary::Find(const std::string& name,
                                             DeviceId device) const {
  auto found = launcher_.Find(id_, name, device);
  if (found.ok() || !absl::IsNotFound(found.status())) return found;
  return Failure(
      ACL_ERROR_RT_KERNEL_LOOKUP,
      absl::StrCat("kernelName = ", name, ": ", found.status().message()));
}

void Binary::AddFunctionHandle(void* handle) {
  MutexLock lock(mutex_);
  functions_.push_back(handle);
}

void Binary::Retire() {
  std::vector<void*> handles;
  {
    MutexLock lock(mutex_);
    handles = std::exchange(functions_, {});
  }
  for (void* const handle : handles) {
    const auto function = Handles::Get().functions.Remove(handle);
    if (function != nullptr) function->Retire();
  }
}

void Function::AddListHandle(void* handle) {
  void* oldest = nullptr;
  {
    MutexLock lock(mutex_);
    lists_.push_back(handle);
    if (lists_.size() > kMostLists) {
      oldest = lists_.front();
      lists_.pop_front();
    }
  }
  if (oldest != nullptr) Handles::Get().arguments.Remove(oldest);
}

void Function::Retire() {
  std::deque<void*> handles;
  {
    MutexLock lock(mutex_);
    handles = std::exchange(lists_, {});
  }
  for (void* const handle : handles) Handles::Get().arguments.Remove(handle);
}

absl::StatusOr<int> ArgumentList::Append(uint64_t word) {
  MutexLock lock(mutex_);
  if (final_) {
    return Failure(ACL_ERROR_RT_PARAM_INVALID,
                   "argsHandle is finalized: nothing can be appended");
  }
  if (arguments_.count == hal::KernelArguments::kMost) {
    return Failure(ACL_ERROR_RT_PARAM_INVALID,
                   "argsHandle is full: a kernel takes at most 16 arguments");
  }
  arguments_.words[static_cast<size_t>(arguments_.count)] = word;
  return arguments_.count++;
}

absl::Status ArgumentList::Finalize() {
  MutexLock lock(mutex_);
  if (final_) {
    return Failure(ACL_ERROR_RT_PARAM_INVALID,
                   "argsHandle is finalized already");
  }
  final_ = true;
  return absl::OkStatus();
}

absl::StatusOr<hal::KernelArguments> ArgumentList::Take() const {
  MutexLock lock(mutex_);
  if (final_) return arguments_;
  return Failure(ACL_ERROR_RT_PARAM_INVALID,
                 "argsHandle is not finalized: call aclrtKernelArgsFinalize");
}

void ArgumentList::CheckInvariants() const {
  MutexLock lock(mutex_);
  NPU_CHECK(arguments_.count >= 0);
  NPU_CHECK(arguments_.count <= hal::KernelArguments::kMost);
  for (int i = arguments_.count; i < hal::KernelArguments::kMost; ++i) {
    NPU_CHECK(arguments_.words[static_cast<size_t>(i)] == 0);
  }
}

}  // namespace npu::acl
