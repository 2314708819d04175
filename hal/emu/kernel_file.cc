// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/kernel_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"
#include "hal/emu/sealed_file.h"

namespace npu::hal::emu {
namespace {

constexpr off_t kMaxBytes = off_t{1} << 30;

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#else
#error "no kernels for this processor yet"
#endif

absl::StatusOr<std::string> ReadAll(int fd) {
  struct stat about;
  if (fstat(fd, &about) != 0) return absl::UnknownError(strerror(errno));
  if (!S_ISREG(about.st_mode)) {
    return absl::InvalidArgumentError("it is no regular file");
  }
  if (about.st_size > kMaxBytes) {
    return absl::InvalidArgumentError("it is larger than 1 GiB");
  }
  std::string bytes(static_cast<size_t>(about.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = read(fd, &bytes[done], bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return absl::UnknownError("it changed while it was read");
    done += static_cast<size_t>(got);
  }
  return bytes;
}

// Empty, or what is wrong.
const char* Complaint(const std::string& bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof(header)) return "it is too short for an ELF file";
  memcpy(&header, bytes.data(), sizeof(header));
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "it is no ELF file";
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "it is no 64-bit ELF file";
  if (header.e_machine != kMachine) return "it is for another processor";
  if (header.e_type != ET_DYN) return "it is no shared object";
  const uint64_t table = uint64_t{header.e_phnum} * header.e_phentsize;
  if (header.e_phnum == 0 || header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_phoff > bytes.size() || table > bytes.size() - header.e_phoff) {
    return "its program headers are damaged";
  }
  for (uint16_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    memcpy(&part, bytes.data() + header.e_phoff + i * sizeof(part),
           sizeof(part));
    if (part.p_type != PT_LOAD) continue;
    if (part.p_offset > bytes.size() ||
        part.p_filesz > bytes.size() - part.p_offset) {
      return "it is cut off";
    }
  }
  return "";
}

}  // namespace

absl::StatusOr<FileDescriptor> ReadKernelFile(const std::string& path) {
  const auto refuse = [&](absl::string_view why) {
    return DriverError(DriverCode::kInvalidValue,
                       absl::StrCat(path, " is no kernel binary: ", why));
  };
  // Non-blocking: a FIFO must not hang the program.
  const FileDescriptor fd(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return refuse(strerror(errno));
  const absl::StatusOr<std::string> bytes = ReadAll(fd.get());
  if (!bytes.ok()) return refuse(bytes.status().message());
  const char* const complaint = Complaint(*bytes);
  if (complaint[0] != '\0') return refuse(complaint);
  return MakeSealedFile("npu-kernel", bytes->data(), bytes->size());
}

}  // namespace npu::hal::emu
