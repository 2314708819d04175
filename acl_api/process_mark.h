// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The process mark: whether this process is the one that used the library
// first, or a child of it after fork().

#ifndef ACL_API_PROCESS_MARK_H_
#define ACL_API_PROCESS_MARK_H_

namespace npu::acl {

enum class ProcessKind { kOwn, kForkedChild };

// Tells a forked child from its parent without a system call and without a
// lock, which another thread of the parent may have held at fork(). The mark is
// a page that the kernel empties in a child (MADV_WIPEONFORK); it is set by the
// first call in the process, so that a child of a process that never called may
// use the library itself. Any thread. O(1).
ProcessKind WhichProcess() noexcept;

}  // namespace npu::acl

#endif  // ACL_API_PROCESS_MARK_H_
