// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// The C library's own name for clone(): ThreadSanitizer intercepts the other
// and would take this thread for the child's, whose memory it is, from then on.
extern "C" int __clone(int (*run)(void*), void* stack, int flags,
                       void* argument, ...) noexcept;

// The child runs in the caller's memory until it execs: no sanitizer may look.
#define NPU_IN_CHILD \
  __attribute__((no_sanitize("address"), no_sanitize("thread")))

namespace npu::hal::emu {
namespace {

constexpr size_t kStackBytes = size_t{256} << 10;
constexpr int kFirstTarget = 3;
// Moves the libraries and the heap of the new process away from where a client
// without address randomisation has its own.
constexpr rlim_t kStackLimit = rlim_t{1} << 40;

// What both children need; they allocate nothing.
struct Job {
  int image;
  char* const* argv;
  const int* descriptors;
  int count;
  int parking;  // from here on no descriptor of the job has its number
  char* middle_stack;
  char* inner_stack;
  sigset_t old_signals;
  volatile int error;
};

// By system call: the C library's wrappers may be intercepted.
NPU_IN_CHILD long Duplicate(int from, int to) {
  return syscall(SYS_dup3, from, to, 0);
}

// Raises a limit where it may be raised. One without an end is lowered: with an
// endless stack the kernel lays libraries out from below, as in the client.
NPU_IN_CHILD void RaiseLimit(int which, rlim_t value) {
  struct rlimit limit;
  if (syscall(SYS_prlimit64, 0, which, nullptr, &limit) != 0) return;
  if (limit.rlim_max < value) return;
  if (limit.rlim_cur >= value && limit.rlim_cur != RLIM_INFINITY) return;
  limit.rlim_cur = value;
  syscall(SYS_prlimit64, 0, which, &limit, nullptr);
}

NPU_IN_CHILD int PlaceDescriptors(const Job& job) {
  RaiseLimit(RLIMIT_NOFILE, static_cast<rlim_t>(job.parking) + 100);
  // First all of them out of each other's way.
  for (int i = 0; i <= job.count; ++i) {
    const int from = i == job.count ? job.image : job.descriptors[i];
    if (syscall(SYS_dup3, from, job.parking + i, O_CLOEXEC) < 0) return errno;
  }
  for (int i = 0; i < job.count; ++i) {
    if (Duplicate(job.parking + i, kFirstTarget + i) < 0) return errno;
  }
  const long null = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY, 0);
  if (null >= 0) Duplicate(static_cast<int>(null), 0);
  // All but the image, which goes by itself at the exec.
  const int image = job.parking + job.count;
  if (syscall(SYS_close_range, kFirstTarget + job.count, image - 1, 0) != 0 ||
      syscall(SYS_close_range, image + 1, ~0U, 0) != 0) {
    for (int fd = kFirstTarget + job.count; fd < 65536; ++fd) {
      if (fd != image) syscall(SYS_close, fd);
    }
  }
  return 0;
}

NPU_IN_CHILD void ResetSignals() {
  // What the program ignores would be ignored by kernels, too.
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
  } action = {};
  for (int number = 1; number < 65; ++number) {
    syscall(SYS_rt_sigaction, number, &action, nullptr, sizeof(long));
  }
  unsigned long none = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof(none));
}

NPU_IN_CHILD int RunInner(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  syscall(SYS_setsid);
  job.error = PlaceDescriptors(job);
  if (job.error == 0) {
    RaiseLimit(RLIMIT_STACK, kStackLimit);
    ResetSignals();
    char* const environment[] = {nullptr};
    syscall(SYS_execveat, job.parking + job.count, "", job.argv, environment,
            AT_EMPTY_PATH);
    job.error = errno;
  }
  syscall(SYS_exit_group, 1);
  return 1;
}

NPU_IN_CHILD int RunMiddle(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  if (__clone(RunInner, job.inner_stack + kStackBytes, CLONE_VM | CLONE_VFORK,
              &job) < 0) {
    job.error = errno;
  }
  syscall(SYS_exit_group, 0);
  return 0;
}

// Two stacks beside each other.
class Stacks {
 public:
  Stacks()
      : memory_(mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Stacks() {
    if (valid()) munmap(memory_, 2 * kStackBytes);
  }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  bool valid() const { return memory_ != MAP_FAILED; }
  char* first() const { return static_cast<char*>(memory_); }
  char* second() const { return first() + kStackBytes; }

 private:
  void* const memory_;
};

absl::Status Failed(const char* step, int error) {
  return DriverError(
      DriverCode::kNoDevice,
      absl::StrCat("cannot start a device: ", step, ": ", strerror(error)));
}

}  // namespace

absl::Status SpawnDetached(const SpawnPlan& plan) {
  std::vector<char*> argv;
  for (const std::string& argument : plan.arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const Stacks stacks;
  if (!stacks.valid()) return Failed("map a stack", ENOMEM);
  Job job = {};
  job.image = plan.image;
  job.argv = argv.data();
  job.descriptors = plan.descriptors.data();
  job.count = static_cast<int>(plan.descriptors.size());
  job.parking = std::max(plan.image, kFirstTarget + job.count) + 1;
  for (const int fd : plan.descriptors) {
    job.parking = std::max(job.parking, fd + 1);
  }
  job.middle_stack = stacks.first();
  job.inner_stack = stacks.second();

  // No handler of the program may run in the children's borrowed memory.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &job.old_signals);
  // Without an exit signal: a plain wait() of the program does not see it.
  const int middle = __clone(RunMiddle, job.middle_stack + kStackBytes,
                             CLONE_VM | CLONE_VFORK, &job);
  const int clone_error = errno;
  pthread_sigmask(SIG_SETMASK, &job.old_signals, nullptr);
  if (middle < 0) return Failed("clone", clone_error);
  while (waitpid(middle, nullptr, __WALL) < 0 && errno == EINTR) {
  }
  return job.error == 0 ? absl::OkStatus() : Failed("exec", job.error);
}

}  // namespace npu::hal::emu
