// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The program of a device process: maps the windows where the client has them,
// hands over its faults, and serves.

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "hal/emu/device/executor.h"
#include "hal/emu/device/protocol.h"
#include "hal/emu/device/servants.h"
#include "hal/emu/device/userfault_descriptor.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace npu::hal::emu {
namespace {

// What the client said.
struct Plan {
  uint64_t managed_base;
  uint64_t managed_bytes;
  uint64_t slices_base;
  uint64_t slice_bytes;
  uint64_t slice_count;
  bool watched;
};

// The state of coming up: the first error stays.
struct Start {
  Hello hello = {};
  int userfault = -1;
  ControlBlock* control = nullptr;

  bool Failed(const char* step, int error) {
    if (error == 0) return false;
    hello.error = error;
    snprintf(hello.step, sizeof(hello.step), "%s", step);
    return true;
  }
};

// Shared memory at a fixed place. 0, or an errno.
int MapAt(uint64_t base, uint64_t bytes, int fd) {
  void* const place = reinterpret_cast<void*>(base);
  void* const got =
      mmap(place, bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
  if (got == MAP_FAILED) return errno;
  if (got != place) return EEXIST;
  madvise(got, bytes, MADV_DONTDUMP);
  return 0;
}

int MapWindows(const Plan& plan) {
  int error = MapAt(plan.managed_base, plan.managed_bytes, kManagedFd);
  for (uint64_t s = 0; s < plan.slice_count && error == 0; ++s) {
    error = MapAt(plan.slices_base + s * plan.slice_bytes, plan.slice_bytes,
                  kFirstSliceFd + static_cast<int>(s));
  }
  return error;
}

int WatchWindows(const Plan& plan, int userfault) {
  int error =
      RegisterUserfault(userfault, plan.managed_base, plan.managed_bytes);
  for (uint64_t s = 0; s < plan.slice_count && error == 0; ++s) {
    error = RegisterUserfault(
        userfault, plan.slices_base + s * plan.slice_bytes, plan.slice_bytes);
  }
  return error;
}

// The client widened the limit so that nothing of this process lies where a
// client usually has its libraries; threads are not to inherit it.
void RestoreStackLimit() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
  limit.rlim_cur = 8 << 20;
  setrlimit(RLIMIT_STACK, &limit);
}

void ComeUp(const Plan& plan, Start& start) {
  RestoreStackLimit();
  void* const control = mmap(nullptr, sizeof(ControlBlock),
                             PROT_READ | PROT_WRITE, MAP_SHARED, kControlFd, 0);
  if (start.Failed("map the control block",
                   control == MAP_FAILED ? errno : 0) ||
      start.Failed("map the windows", MapWindows(plan))) {
    return;
  }
  start.control = static_cast<ControlBlock*>(control);
  if (plan.watched) {
    start.userfault = OpenUserfaultDescriptor(UserfaultMode::kUserOnly);
    if (start.Failed("open a userfaultfd", start.userfault < 0 ? errno : 0) ||
        start.Failed("watch the windows",
                     WatchWindows(plan, start.userfault))) {
      return;
    }
  }
  start.Failed("start the threads", StartServants(*start.control));
}

// Sends the greeting with the descriptors; false when the client is gone.
bool Greet(const Start& start) {
  const int self = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  int fds[2] = {self, start.userfault};
  const size_t count = self < 0 ? 0 : start.userfault < 0 ? 1 : 2;
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(fds))] = {};
  Hello hello = start.hello;
  struct iovec data = {&hello, sizeof(hello)};
  struct msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (count > 0) {
    message.msg_control = space;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), fds, count * sizeof(int));
  }
  const bool sent = sendmsg(kSocketFd, &message, MSG_NOSIGNAL) ==
                    static_cast<ssize_t>(sizeof(hello));
  // The client's death must free who waits in a fault: only it holds these.
  for (size_t i = 0; i < count; ++i) close(fds[i]);
  return sent;
}

// Forbids the first stack: it may lie where the client has its own, and a
// pointer to the client's must not be good here.
void ForbidStack() {
  FILE* const maps = fopen("/proc/self/maps", "re");
  if (maps == nullptr) return;
  char line[512];
  while (fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (strstr(line, "[stack]") != nullptr &&
        sscanf(line, "%lx-%lx", &begin, &end) == 2) {
      fclose(maps);
      syscall(SYS_mprotect, begin, end - begin, PROT_NONE);
      return;
    }
  }
  fclose(maps);
}

// Points what the C library keeps of the first stack to somewhere else.
void LeaveStack() {
  static char* no_environment[] = {nullptr};
  static char name[] = "npu-device";
  environ = no_environment;
  program_invocation_name = name;
  program_invocation_short_name = name;
}

// Whether the first thread needs its stack no more.
volatile uint32_t parked = 0;

// Says so, and sleeps for ever without a stack.
[[noreturn]] void Park() {
#if defined(__x86_64__)
  while (true) {
    asm volatile(
        "movl $1, %0\n"
        "1: movl %1, %%eax\n"
        "syscall\n"
        "jmp 1b\n"
        : "=m"(parked)
        : "i"(SYS_pause)
        : "rax", "rcx", "r11", "memory");
  }
#else
  while (true) pause();
#endif
}

// The second thread: nothing is told to the client before all is in place.
void* ComeUpAndGreet(void* argument) {
#if defined(__x86_64__)
  while (parked == 0) usleep(50);
  ForbidStack();
#endif
  Start start;
  ComeUp(*static_cast<const Plan*>(argument), start);
  if (!Greet(start) || start.hello.error != 0) _exit(1);
  return nullptr;
}

}  // namespace
}  // namespace npu::hal::emu

int main(int argc, char** argv) {
  using namespace npu::hal::emu;
  if (argc != kArgumentCount) {
    fprintf(stderr, "this program is started by an emulated NPU\n");
    return 2;
  }
  const auto number = [&](Argument which) {
    return strtoull(argv[which], nullptr, 10);
  };
  // Not on the stack, which goes.
  static const Plan plan = {
      number(kArgumentManagedBase), number(kArgumentManagedBytes),
      number(kArgumentSlicesBase),  number(kArgumentSliceBytes),
      number(kArgumentSliceCount),  number(kArgumentWatched) != 0};
  LeaveStack();
  if (StartThread(ComeUpAndGreet, const_cast<Plan*>(&plan)) != 0) return 1;
  Park();
}
