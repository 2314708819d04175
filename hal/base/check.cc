// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/check.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace npu {
namespace {

// A bounded line builder on the stack: no allocation, no stdio lock.
class Line {
 public:
  void Append(const char* text) noexcept {
    const size_t room = sizeof(bytes_) - size_;
    const size_t length = strnlen(text, room);
    memcpy(bytes_ + size_, text, length);
    size_ += length;
  }

  void Append(int number) noexcept {
    char digits[12];
    char* cursor = digits + sizeof(digits) - 1;
    *cursor = '\0';
    do {
      *--cursor = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0 && cursor > digits);
    Append(cursor);
  }

  void Flush() const noexcept {
    // Nothing can be done about a failing write: the abort follows.
    if (write(STDERR_FILENO, bytes_, size_) < 0) return;
  }

 private:
  char bytes_[512];
  size_t size_ = 0;
};

}  // namespace

void FailCheck(const char* file, int line, const char* text) noexcept {
  Line out;
  out.Append(file);
  out.Append(":");
  out.Append(line);
  out.Append(": check failed: ");
  out.Append(text);
  out.Append("\n");
  out.Flush();
  abort();
}

}  // namespace npu
