// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The configuration of an emulated NPU: reading it and judging it.

#ifndef HAL_EMU_CONFIG_H_
#define HAL_EMU_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "hal/emu/config.pb.h"

namespace npu::hal::emu {

// `text` as a message whose values are possible. `name` is what an error calls
// the text. Error: InvalidArgument, "name:line: field: rule" (lines from 1).
absl::StatusOr<EmulatorConfig> ParseConfig(const std::string& text,
                                           const std::string& name);

// The same for a file, which must be a regular one of at most 1 MiB; an empty
// path gives the defaults. Errors: NotFound when it cannot be read;
// InvalidArgument as above.
absl::StatusOr<EmulatorConfig> LoadConfig(const std::string& path);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_CONFIG_H_
