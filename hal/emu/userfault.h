// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Userfault: an owned userfaultfd, with just the operations this house needs.

#ifndef HAL_EMU_USERFAULT_H_
#define HAL_EMU_USERFAULT_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "hal/base/address_range.h"
#include "hal/emu/device/userfault_descriptor.h"
#include "hal/emu/file_descriptor.h"

namespace npu::hal::emu {

// A fault as the kernel tells it.
struct UserfaultMessage {
  Address address;
  enum class Access : uint8_t { kRead, kWrite } access;
};

// What an operation on a range came to.
enum class UserfaultOutcome : uint8_t {
  kDone,
  kGone,  // the process that made the descriptor is gone
  kHole,  // there is no memory behind the range
  kNoMemory,
  kFailed,
};

// What it is: the descriptor by which the faults of one process are seen and
// answered; the operations act on that process's page tables, whoever calls.
// Owns the descriptor. Threads: any; the operations are fault path (system
// calls only). Cost: O(pages) in the kernel.
class Userfault {
 public:
  Userfault() = default;
  explicit Userfault(FileDescriptor fd) : fd_(std::move(fd)) {}

  // For this process: by the system call, then by /dev/userfaultfd. Error:
  // kNotSupported, with what was tried.
  static absl::StatusOr<Userfault> Open(UserfaultMode mode);

  bool valid() const { return fd_.valid(); }
  int fd() const { return fd_.get(); }

  // Watches missing, minor and write-protect faults of a range of this process.
  UserfaultOutcome Register(AddressRange range) const noexcept;

  // The next message; nullopt when there is none.
  std::optional<UserfaultMessage> Read() const noexcept;

  // Maps pages that exist, writable; pages that are mapped are left alone.
  UserfaultOutcome Continue(AddressRange range) const noexcept;
  // Makes zeroed pages where there are none and maps all of the range.
  UserfaultOutcome Zero(AddressRange range) const noexcept;
  // Makes mapped pages read-only, and writable again.
  UserfaultOutcome Protect(AddressRange range) const noexcept;
  UserfaultOutcome Unprotect(AddressRange range) const noexcept;
  // SIGBUS for who touches the page; kFailed where the kernel cannot do it.
  UserfaultOutcome Poison(AddressRange page) const noexcept;
  // Lets who waits in the range try again.
  void Wake(AddressRange range) const noexcept;

 private:
  UserfaultOutcome SetProtection(AddressRange range,
                                 uint64_t mode) const noexcept;

  FileDescriptor fd_;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_USERFAULT_H_
