// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// NodePort: the page table of one node, as the service thread handles it.

#ifndef HAL_EMU_NODE_PORT_H_
#define HAL_EMU_NODE_PORT_H_

#include <array>
#include <cstdint>

#include "hal/base/address_range.h"
#include "hal/emu/device_process.h"
#include "hal/emu/userfault.h"

namespace npu::hal::emu {

// Whether a change of a page table has happened.
enum class PortOutcome : uint8_t {
  kDone,
  kLate,  // the device does not answer now; it must be asked again
};

// What it is: the host's page table, or that of a device while it has a
// process. Borrows the userfaultfd or the process. It also remembers which
// pages were forbidden, so that a program which catches SIGSEGV in a loop
// cannot use up the kernel's mappings: the oldest is allowed again. Threads:
// the service thread. Fault path. Cost: one to three system calls, a hop to the
// agent for devices.
class NodePort {
 public:
  // Of the host; `userfault` outlives it.
  void OpenHost(const Userfault* userfault);
  // Of a device, for as long as the process is attached; null: none.
  void Attach(DeviceProcess* process);

  bool attached() const { return userfault_ != nullptr || process_ != nullptr; }
  DeviceProcess* process() const { return process_; }
  const Userfault* userfault() const { return userfault_; }

  // Makes what exists reachable, writable.
  UserfaultOutcome Map(AddressRange range) noexcept;
  // The same, zeroed where nothing exists yet.
  UserfaultOutcome MapZeroed(AddressRange range) noexcept;
  // The same, read-only.
  UserfaultOutcome MapReadOnly(AddressRange range) noexcept;
  // Takes the right to write away from what is mapped, and gives it back.
  void Protect(AddressRange range) noexcept;
  void Unprotect(AddressRange range) noexcept;
  PortOutcome Unmap(AddressRange range) noexcept;
  void Wake(AddressRange range) noexcept;

  // The toucher of the page gets SIGSEGV; its process ends if that cannot be.
  void Forbid(Address address) noexcept;
  // The toucher of the page gets SIGBUS, or SIGSEGV where the kernel is old.
  void Poison(Address address) noexcept;

  // Whether pages are spoilt now.
  bool has_spoilt() const { return spoilt_count_ > 0; }
  // Makes pages of the range good again.
  void Restore(AddressRange range) noexcept;
  // Makes pages good again that were spoilt long enough.
  void RestoreOld() noexcept;

 private:
  static constexpr size_t kSpoiltMost = 64;

  enum class Way : uint8_t { kForbidden, kPoisoned };
  struct Spoilt {
    Address page;  // 0 where there is none
    Way way;
    int64_t since;  // nanoseconds of the monotonic clock
  };

  PortOutcome Order(Operation operation, AddressRange range) noexcept;
  void Remember(Address page, Way way) noexcept;
  void RestoreOne(Spoilt& spoilt) noexcept;

  const Userfault* userfault_ = nullptr;
  DeviceProcess* process_ = nullptr;
  std::array<Spoilt, kSpoiltMost> spoilt_ = {};  // a ring
  size_t next_spoilt_ = 0;
  size_t spoilt_count_ = 0;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_NODE_PORT_H_
