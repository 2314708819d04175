// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/process_mark.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "hal/base/check.h"

namespace npu::acl {
namespace {

constexpr size_t kPage = 4096;

using Mark = std::atomic<int>;

// A page of its own, 1 in this process and 0 in a child.
Mark* MakeMark() {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  NPU_CHECK(page != MAP_FAILED);
  NPU_CHECK(madvise(page, kPage, MADV_WIPEONFORK) == 0);  // Linux 4.14
  Mark* mark = static_cast<Mark*>(page);
  mark->store(1, std::memory_order_relaxed);
  return mark;
}

std::atomic<Mark*> the_mark{nullptr};

// No function-local static: its guard is a lock that a fork could leave taken.
Mark* TheMark() {
  Mark* mark = the_mark.load(std::memory_order_acquire);
  if (mark != nullptr) return mark;
  Mark* fresh = MakeMark();
  if (the_mark.compare_exchange_strong(mark, fresh,
                                       std::memory_order_acq_rel)) {
    return fresh;
  }
  munmap(fresh, kPage);
  return mark;
}

}  // namespace

ProcessKind WhichProcess() noexcept {
  return TheMark()->load(std::memory_order_relaxed) == 1
             ? ProcessKind::kOwn
             : ProcessKind::kForkedChild;
}

}  // namespace npu::acl
