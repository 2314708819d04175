// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Aborting checks, for our own broken invariants only. An argument of a caller
// is never checked with these: it is answered with an absl::Status.
//
// The failure path allocates nothing and takes no lock (one write(2) to stderr,
// then abort), so a check may also stand on the fault path.
//
//   NPU_CHECK(owner.has_value()) ;   // always on
//   NPU_DCHECK(next > previous) ;    // debug builds (NDEBUG not defined)

#ifndef HAL_BASE_CHECK_H_
#define HAL_BASE_CHECK_H_

namespace npu {

// Prints "file:line: check failed: text" and aborts. Safe in any thread, in a
// signal handler and on the fault path.
[[noreturn]] void FailCheck(const char* file, int line,
                            const char* text) noexcept;

}  // namespace npu

#define NPU_CHECK(condition)    \
  (static_cast<bool>(condition) \
       ? static_cast<void>(0)   \
       : ::npu::FailCheck(__FILE__, __LINE__, #condition))

#ifdef NDEBUG
#define NPU_DCHECK(condition) \
  static_cast<void>(sizeof(static_cast<bool>(condition)))
#else
#define NPU_DCHECK(condition) NPU_CHECK(condition)
#endif

#endif  // HAL_BASE_CHECK_H_
