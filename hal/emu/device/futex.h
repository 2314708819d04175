// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Sleeping on a word of memory, also across processes.

#ifndef HAL_EMU_DEVICE_FUTEX_H_
#define HAL_EMU_DEVICE_FUTEX_H_

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace npu::hal::emu {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

// Sleeps while the word is `value`, at most `nanoseconds` (negative: without an
// end); may return early. Fault path.
inline void FutexWait(std::atomic<uint32_t>& word, uint32_t value,
                      int64_t nanoseconds = -1) noexcept {
  struct timespec limit = {};
  limit.tv_sec = static_cast<time_t>(nanoseconds / 1000000000);
  limit.tv_nsec = static_cast<int64_t>(nanoseconds % 1000000000);
  syscall(SYS_futex, &word, FUTEX_WAIT, value,
          nanoseconds < 0 ? nullptr : &limit, nullptr, 0);
}

inline void FutexWakeAll(std::atomic<uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_FUTEX_H_
