// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Kernel binaries, their functions and lists of arguments.

#ifndef ACL_API_KERNEL_H_
#define ACL_API_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/node.h"
#include "hal/base/ranked_mutex.h"

namespace npu::acl {

class Function;

// What it is: a loaded binary. Owns it in the driver: the last share (a handle,
// a function, or a queued launch) unloads it. The handles of its functions die
// with its own. Threads: any. Cost: O(1), the end O(functions). Breaks: the
// launcher must outlive it.
class Binary {
 public:
  Binary(hal::KernelLauncher& launcher, hal::BinaryId id, DeviceId device)
      : launcher_(launcher), id_(id), device_(device) {}
  ~Binary();
  Binary(const Binary&) = delete;
  Binary& operator=(const Binary&) = delete;

  hal::KernelLauncher& launcher() const { return launcher_; }

  // The device that was current at the load.
  DeviceId device() const { return device_; }

  // Looks a function up. Errors: 507027 no such function; what the driver
  // answers.
  absl::StatusOr<hal::FunctionId> Find(const std::string& name,
                                       DeviceId device) const;

  // Notes the handle of a function for Retire.
  void AddFunctionHandle(void* handle);

  // The binary's handle was removed: those of its functions follow.
  void Retire();

 private:
  hal::KernelLauncher& launcher_;
  const hal::BinaryId id_;
  const DeviceId device_;
  RankedMutex mutex_{LockRank::kContext};
  std::vector<void*> functions_ ABSL_GUARDED_BY(mutex_);
};

// What it is: a function of a binary, and its lists of arguments. Keeps the
// binary loaded. Threads: any. Cost: O(1).
class Function {
 public:
  // Lists that live at once; the oldest dies when there is one more, since the
  // interface has no call that ends a list.
  static constexpr size_t kMostLists = 4096;

  Function(std::shared_ptr<Binary> binary, hal::FunctionId id)
      : binary_(std::move(binary)), id_(id) {}

  const Binary& binary() const { return *binary_; }
  hal::FunctionId id() const { return id_; }

  // Notes the handle of a list; the oldest one's may die for it.
  void AddListHandle(void* handle);

  // The function's handle was removed: those of its lists follow.
  void Retire();

 private:
  const std::shared_ptr<Binary> binary_;
  const hal::FunctionId id_;
  RankedMutex mutex_{LockRank::kContext};
  std::deque<void*> lists_ ABSL_GUARDED_BY(mutex_);
};

// What it is: the arguments of launches of one function, open until Finalize.
// Threads: any; one lock. Cost: O(1).
class ArgumentList {
 public:
  explicit ArgumentList(std::shared_ptr<Function> function)
      : function_(std::move(function)) {}

  const std::shared_ptr<Function>& function() const { return function_; }

  // Adds a value. Answers its position. Errors, 107000: finalized; full.
  absl::StatusOr<int> Append(uint64_t word);

  // Error: 107000, finalized already.
  absl::Status Finalize();

  // The words of a finalized list. Error: 107000, not finalized.
  absl::StatusOr<hal::KernelArguments> Take() const;

  // The count is in bounds and words behind it are 0.
  void CheckInvariants() const;

 private:
  const std::shared_ptr<Function> function_;
  mutable RankedMutex mutex_{LockRank::kContext};
  hal::KernelArguments arguments_ ABSL_GUARDED_BY(mutex_);
  bool final_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace npu::acl

#endif  // ACL_API_KERNEL_H_
