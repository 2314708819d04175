// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device/userfault_descriptor.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

// Newer than the headers of the oldest system we build on.
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef USERFAULTFD_IOC_NEW
#define USERFAULTFD_IOC_NEW _IO(0xAA, 0x00)
#endif

namespace npu::hal::emu {
namespace {

// All of them are there from Linux 5.19 on.
constexpr uint64_t kFeatures =
    UFFD_FEATURE_MISSING_SHMEM | UFFD_FEATURE_MINOR_SHMEM |
    UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_WP_HUGETLBFS_SHMEM;

int OpenRaw(int flags) {
  const int fd = static_cast<int>(syscall(SYS_userfaultfd, flags));
  if (fd >= 0) return fd;
  // Where the call is forbidden, the device node may be allowed.
  const int refused = errno;
  const int node = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
  if (node < 0) {
    errno = refused;
    return -1;
  }
  const int made = ioctl(node, USERFAULTFD_IOC_NEW, flags);
  close(node);
  return made;
}

}  // namespace

int OpenUserfaultDescriptor(UserfaultMode mode) {
  int flags = O_CLOEXEC | O_NONBLOCK;
  if (mode == UserfaultMode::kUserOnly) flags |= UFFD_USER_MODE_ONLY;
  const int fd = OpenRaw(flags);
  if (fd < 0) return -1;
  struct uffdio_api api = {};
  api.api = UFFD_API;
  api.features = kFeatures;
  if (ioctl(fd, UFFDIO_API, &api) == 0) return fd;
  close(fd);
  errno = EOPNOTSUPP;
  return -1;
}

int RegisterUserfault(int fd, uint64_t begin, uint64_t bytes) {
  struct uffdio_register call = {};
  call.range.start = begin;
  call.range.len = bytes;
  call.mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_MINOR |
              UFFDIO_REGISTER_MODE_WP;
  return ioctl(fd, UFFDIO_REGISTER, &call) == 0 ? 0 : errno;
}

}  // namespace npu::hal::emu
