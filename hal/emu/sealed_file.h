// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// A file in memory that nobody can change.

#ifndef HAL_EMU_SEALED_FILE_H_
#define HAL_EMU_SEALED_FILE_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "hal/emu/file_descriptor.h"

namespace npu::hal::emu {

// A copy of the bytes behind a descriptor, sealed against writing and resizing.
// Error: kOutOfMemory.
absl::StatusOr<FileDescriptor> MakeSealedFile(const char* name,
                                              const char* bytes, size_t size);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_SEALED_FILE_H_
