// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/mapping.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"

namespace npu::hal::emu {

absl::StatusOr<Mapping> Mapping::Make(const MappingPlan& plan) {
  const bool reserve = plan.fd < 0;
  int flags = MAP_NORESERVE;
  flags |= reserve ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  if (plan.place != Address(0)) flags |= MAP_FIXED_NOREPLACE;
  void* const at = mmap(plan.place.pointer(), plan.size.bytes(),
                        reserve ? PROT_NONE : PROT_READ | PROT_WRITE, flags,
                        plan.fd, static_cast<off_t>(plan.offset));
  if (at == MAP_FAILED) {
    return DriverError(
        DriverCode::kOutOfMemory,
        absl::StrCat("cannot map ", plan.name, ", ", plan.size.bytes(),
                     " bytes at 0x", absl::Hex(plan.place.value()), ": ",
                     strerror(errno),
                     " (see window_base, window_bytes, device_window_base and "
                     "the limit on address space)"));
  }
  Mapping mapping(AddressRange::Of(Address::Of(at), plan.size));
  if (plan.place != Address(0) && mapping.begin() != plan.place) {
    // A kernel before 4.17 takes the place for a mere hint.
    return DriverError(DriverCode::kOutOfMemory,
                       absl::StrCat("the place of ", plan.name, " is taken"));
  }
  madvise(at, plan.size.bytes(), MADV_DONTDUMP);
  madvise(at, plan.size.bytes(), MADV_DONTFORK);
  return mapping;
}

Mapping::~Mapping() {
  if (owned_) munmap(range_.begin().pointer(), range_.size().bytes());
}

}  // namespace npu::hal::emu
