// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/sealed_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"

namespace npu::hal::emu {

absl::StatusOr<FileDescriptor> MakeSealedFile(const char* name,
                                              const char* bytes, size_t size) {
  FileDescriptor fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  bool good = fd.valid();
  for (size_t done = 0; good && done < size;) {
    const ssize_t step = write(fd.get(), bytes + done, size - done);
    good = step > 0 || (step < 0 && errno == EINTR);
    if (step > 0) done += static_cast<size_t>(step);
  }
  good = good &&
         fcntl(fd.get(), F_ADD_SEALS,
               F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  if (good) return fd;
  return DriverError(
      DriverCode::kOutOfMemory,
      absl::StrCat("no memory file for ", name, ": ", strerror(errno)));
}

}  // namespace npu::hal::emu
