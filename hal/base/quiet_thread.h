// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Threads of our own in somebody else's program.

#ifndef HAL_BASE_QUIET_THREAD_H_
#define HAL_BASE_QUIET_THREAD_H_

#include <functional>
#include <thread>

#include "absl/status/statusor.h"

namespace npu {

// A thread that receives none of the program's signals. `name` has at most 15
// characters. Error: kNoResources.
absl::StatusOr<std::thread> StartQuietThread(const char* name,
                                             std::function<void()> run);

}  // namespace npu

#endif  // HAL_BASE_QUIET_THREAD_H_
