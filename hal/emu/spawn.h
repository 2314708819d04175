// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// SpawnDetached: starting a process that is nobody's child.

#ifndef HAL_EMU_SPAWN_H_
#define HAL_EMU_SPAWN_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace npu::hal::emu {

// What to start and what it gets: descriptor i becomes number 3 + i; standard
// input is /dev/null, output and error are the caller's, all others are closed.
// The environment is empty.
struct SpawnPlan {
  int image = -1;
  std::vector<std::string> arguments;
  std::vector<int> descriptors;
};

// Starts the image in a session of its own. The process is the child of a
// helper that is gone at once, so that the caller's wait() and SIGCHLD do not
// see it; no fork handler of the program runs. Error: kNoDevice with the step
// and why.
absl::Status SpawnDetached(const SpawnPlan& plan);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_SPAWN_H_
