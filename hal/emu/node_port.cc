// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/node_port.h"

#include <sys/mman.h>
#include <time.h>

#include "hal/base/byte_size.h"

namespace npu::hal::emu {
namespace {

constexpr ByteSize kPage = KiB(4);
// A toucher that has not run by then faults again, and is refused again.
constexpr int64_t kSpoiltNanoseconds = 5000000;

int64_t Now() noexcept {
  struct timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

AddressRange PageOf(Address address) {
  return AddressRange::Of(address.AlignDown(kPage), kPage);
}

void HostOrder(Operation operation, AddressRange range) noexcept {
  void* const begin = range.begin().pointer();
  switch (operation) {
    case Operation::kUnmap:
      madvise(begin, range.size().bytes(), MADV_DONTNEED);
      return;
    case Operation::kForbid:
      mprotect(begin, range.size().bytes(), PROT_NONE);
      return;
    case Operation::kAllow:
      mprotect(begin, range.size().bytes(), PROT_READ | PROT_WRITE);
      return;
    default:
      return;
  }
}

}  // namespace

void NodePort::OpenHost(const Userfault* userfault) { userfault_ = userfault; }

void NodePort::Attach(DeviceProcess* process) {
  process_ = process;
  userfault_ = process != nullptr && process->userfault().valid()
                   ? &process->userfault()
                   : nullptr;
  spoilt_ = {};  // of a process that is gone
  next_spoilt_ = 0;
  spoilt_count_ = 0;
}

PortOutcome NodePort::Order(Operation operation, AddressRange range) noexcept {
  if (process_ == nullptr) {
    if (userfault_ != nullptr) HostOrder(operation, range);
    return PortOutcome::kDone;
  }
  return process_->Order(operation, range) == AgentOutcome::kLate
             ? PortOutcome::kLate
             : PortOutcome::kDone;  // a dead process has no page table
}

UserfaultOutcome NodePort::Map(AddressRange range) noexcept {
  Restore(range);
  if (userfault_ == nullptr) return UserfaultOutcome::kDone;
  return userfault_->Continue(range);
}

UserfaultOutcome NodePort::MapZeroed(AddressRange range) noexcept {
  Restore(range);
  return userfault_->Zero(range);
}

UserfaultOutcome NodePort::MapReadOnly(AddressRange range) noexcept {
  Restore(range);
  if (userfault_ == nullptr) return UserfaultOutcome::kDone;
  // Between the two calls another thread of the node may write: with one copy
  // of the bytes that is a write like any other.
  const UserfaultOutcome outcome = userfault_->Continue(range);
  if (outcome != UserfaultOutcome::kDone) return outcome;
  return userfault_->Protect(range);
}

void NodePort::Protect(AddressRange range) noexcept {
  if (userfault_ != nullptr) userfault_->Protect(range);
}

void NodePort::Unprotect(AddressRange range) noexcept {
  if (userfault_ != nullptr) userfault_->Unprotect(range);
}

PortOutcome NodePort::Unmap(AddressRange range) noexcept {
  return Order(Operation::kUnmap, range);
}

void NodePort::Wake(AddressRange range) noexcept {
  if (userfault_ != nullptr) userfault_->Wake(range);
}

void NodePort::RestoreOne(Spoilt& spoilt) noexcept {
  // A late answer leaves a page forbidden: its next toucher dies of it, which
  // beats a service thread that waits. Zapping a poisoned page loses nothing,
  // since it has no bytes.
  Order(spoilt.way == Way::kForbidden ? Operation::kAllow : Operation::kUnmap,
        PageOf(spoilt.page));
  spoilt.page = Address(0);
  --spoilt_count_;
}

void NodePort::Restore(AddressRange range) noexcept {
  if (spoilt_count_ == 0) return;
  for (Spoilt& spoilt : spoilt_) {
    if (spoilt.page != Address(0) && range.Contains(spoilt.page)) {
      RestoreOne(spoilt);
    }
  }
}

void NodePort::RestoreOld() noexcept {
  if (spoilt_count_ == 0) return;
  const int64_t now = Now();
  for (Spoilt& spoilt : spoilt_) {
    if (spoilt.page != Address(0) && now - spoilt.since > kSpoiltNanoseconds) {
      RestoreOne(spoilt);
    }
  }
}

void NodePort::Remember(Address page, Way way) noexcept {
  Spoilt& slot = spoilt_[next_spoilt_];
  next_spoilt_ = (next_spoilt_ + 1) % kSpoiltMost;
  if (slot.page != Address(0)) RestoreOne(slot);
  slot = {page, way, Now()};
  ++spoilt_count_;
}

void NodePort::Forbid(Address address) noexcept {
  const AddressRange page = PageOf(address);
  Restore(page);  // it may be poisoned
  Remember(page.begin(), Way::kForbidden);
  if (Order(Operation::kForbid, page) == PortOutcome::kLate) {
    process_->Kill();  // or the toucher would fault for ever
  }
  Wake(page);
}

void NodePort::Poison(Address address) noexcept {
  const AddressRange page = PageOf(address);
  if (userfault_ == nullptr ||
      userfault_->Poison(page) != UserfaultOutcome::kDone) {
    Forbid(address);
    return;
  }
  Remember(page.begin(), Way::kPoisoned);
  Wake(page);
}

}  // namespace npu::hal::emu
