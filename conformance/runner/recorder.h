// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The worker's side: runs cases in this process and tells what they found.
#ifndef CONFORMANCE_RUNNER_RECORDER_H_
#define CONFORMANCE_RUNNER_RECORDER_H_

#include <string>
#include <vector>

#include "conformance/runner/message_pipe.h"

namespace npu::conformance {

// Loads the library of the current settings; "" or why it does not load. The
// emulator is judged by exact codes from then on.
std::string LoadHere();

// Loads the library, runs the cases with GoogleTest, writes for each a message
// when it starts (without verdict) and one when it ends, and takes the world
// down. Once per process.
void RunHere(const std::vector<std::string>& names, MessagePipe* pipe);

}  // namespace npu::conformance

#endif  // CONFORMANCE_RUNNER_RECORDER_H_
