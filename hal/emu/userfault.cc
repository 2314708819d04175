// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/userfault.h"

#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"

// Newer than the headers of the oldest system we build on.
#ifndef UFFDIO_POISON
struct uffdio_poison {
  struct uffdio_range range;
  __u64 mode;
  __s64 updated;
};
#define UFFDIO_POISON _IOWR(UFFDIO, 0x08, struct uffdio_poison)
#endif

namespace npu::hal::emu {
namespace {

constexpr uint64_t kPage = 4096;

struct uffdio_range ToKernel(AddressRange range) {
  return {range.begin().value(), range.size().bytes()};
}

UserfaultOutcome OutcomeOf(int error) {
  switch (error) {
    case ESRCH:
      return UserfaultOutcome::kGone;
    case EFAULT:
    case ENOENT:
      return UserfaultOutcome::kHole;
    case ENOMEM:
    case ENOSPC:
      return UserfaultOutcome::kNoMemory;
    default:
      return UserfaultOutcome::kFailed;
  }
}

// Walks a range with an operation that stops early: step(begin, length) returns
// bytes done (above 0) or a negative error.
template <typename Step>
UserfaultOutcome Walk(AddressRange range, Step&& step) {
  uint64_t at = range.begin().value();
  const uint64_t end = range.end().value();
  while (at < end) {
    const int64_t done = step(at, end - at);
    if (done > 0) {
      at += static_cast<uint64_t>(done);
    } else if (done == -EEXIST) {
      at += kPage;                 // mapped already
    } else if (done != -EAGAIN) {  // again: the address space is changing
      return OutcomeOf(static_cast<int>(-done));
    }
  }
  return UserfaultOutcome::kDone;
}

}  // namespace

absl::StatusOr<Userfault> Userfault::Open(UserfaultMode mode) {
  FileDescriptor fd(OpenUserfaultDescriptor(mode));
  if (fd.valid()) return Userfault(std::move(fd));
  if (errno == EOPNOTSUPP) {
    return DriverError(DriverCode::kNotSupported,
                       "the kernel's userfaultfd lacks what is needed "
                       "(write protection of shared memory: Linux 5.19)");
  }
  return DriverError(
      DriverCode::kNotSupported,
      absl::StrCat("no userfaultfd: the system call and /dev/userfaultfd were "
                   "tried (",
                   strerror(errno),
                   "); run with CAP_SYS_PTRACE, set "
                   "vm.unprivileged_userfaultfd=1, or allow the device node"));
}

UserfaultOutcome Userfault::Register(AddressRange range) const noexcept {
  const int error =
      RegisterUserfault(fd_.get(), range.begin().value(), range.size().bytes());
  return error == 0 ? UserfaultOutcome::kDone : OutcomeOf(error);
}

std::optional<UserfaultMessage> Userfault::Read() const noexcept {
  struct uffd_msg message;
  if (read(fd_.get(), &message, sizeof(message)) !=
          static_cast<ssize_t>(sizeof(message)) ||
      message.event != UFFD_EVENT_PAGEFAULT) {
    return std::nullopt;
  }
  const bool write =
      (message.arg.pagefault.flags &
       (UFFD_PAGEFAULT_FLAG_WRITE | UFFD_PAGEFAULT_FLAG_WP)) != 0;
  return UserfaultMessage{Address(message.arg.pagefault.address),
                          write ? UserfaultMessage::Access::kWrite
                                : UserfaultMessage::Access::kRead};
}

UserfaultOutcome Userfault::Continue(AddressRange range) const noexcept {
  return Walk(range, [&](uint64_t at, uint64_t length) -> int64_t {
    struct uffdio_continue call = {};
    call.range = {at, length};
    call.mode = UFFDIO_CONTINUE_MODE_DONTWAKE;
    if (ioctl(fd_.get(), UFFDIO_CONTINUE, &call) == 0) {
      return static_cast<int64_t>(length);
    }
    return call.mapped > 0 ? call.mapped : -errno;
  });
}

UserfaultOutcome Userfault::Zero(AddressRange range) const noexcept {
  return Walk(range, [&](uint64_t at, uint64_t length) -> int64_t {
    struct uffdio_zeropage call = {};
    call.range = {at, length};
    call.mode = UFFDIO_ZEROPAGE_MODE_DONTWAKE;
    if (ioctl(fd_.get(), UFFDIO_ZEROPAGE, &call) == 0) {
      return static_cast<int64_t>(length);
    }
    if (call.zeropage > 0) return call.zeropage;
    if (errno != EEXIST) return -errno;
    // The page is in the file: it only has to be mapped.
    struct uffdio_continue map = {};
    map.range = {at, kPage};
    map.mode = UFFDIO_CONTINUE_MODE_DONTWAKE;
    if (ioctl(fd_.get(), UFFDIO_CONTINUE, &map) == 0) return kPage;
    return -errno;
  });
}

UserfaultOutcome Userfault::SetProtection(AddressRange range,
                                          uint64_t mode) const noexcept {
  struct uffdio_writeprotect call = {};
  call.range = ToKernel(range);
  call.mode = mode;
  while (ioctl(fd_.get(), UFFDIO_WRITEPROTECT, &call) != 0) {
    if (errno != EAGAIN) return OutcomeOf(errno);
  }
  return UserfaultOutcome::kDone;
}

UserfaultOutcome Userfault::Protect(AddressRange range) const noexcept {
  return SetProtection(range, UFFDIO_WRITEPROTECT_MODE_WP);
}

UserfaultOutcome Userfault::Unprotect(AddressRange range) const noexcept {
  return SetProtection(range, UFFDIO_WRITEPROTECT_MODE_DONTWAKE);
}

UserfaultOutcome Userfault::Poison(AddressRange page) const noexcept {
  struct uffdio_poison call = {};
  call.range = ToKernel(page);
  return ioctl(fd_.get(), UFFDIO_POISON, &call) == 0 ? UserfaultOutcome::kDone
                                                     : OutcomeOf(errno);
}

void Userfault::Wake(AddressRange range) const noexcept {
  struct uffdio_range call = ToKernel(range);
  ioctl(fd_.get(), UFFDIO_WAKE, &call);
}

}  // namespace npu::hal::emu
