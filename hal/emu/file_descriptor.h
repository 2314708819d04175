// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// FileDescriptor: an owned descriptor.

#ifndef HAL_EMU_FILE_DESCRIPTOR_H_
#define HAL_EMU_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace npu::hal::emu {

// What it is: a descriptor that is closed with its owner, or none (-1). Move
// only. Threads: none of its own. Cost: one system call to close.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_FILE_DESCRIPTOR_H_
