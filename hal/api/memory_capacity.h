// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// MemoryCapacity: how much memory a node has, and how much of it is free.

#ifndef HAL_API_MEMORY_CAPACITY_H_
#define HAL_API_MEMORY_CAPACITY_H_

#include "hal/base/byte_size.h"

namespace npu::hal {

// A moment's reading; `free` may be old when it is looked at.
struct MemoryCapacity {
  ByteSize total;
  ByteSize free;
};

}  // namespace npu::hal

#endif  // HAL_API_MEMORY_CAPACITY_H_
