// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/copier.h"

#include <cstring>
#include <optional>

#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

namespace npu::hal::emu {

absl::StatusOr<Address> Copier::Reach(AddressRange range) const {
  const WindowLayout& layout = space_.layout();
  if (layout.managed.Contains(range)) return space_.Alias(range);
  if (layout.devices.Overlaps(range)) {
    const std::optional<DeviceBlock> block = heap_.Locate(range.begin());
    if (block && block->range.Contains(range)) return space_.Alias(range);
  } else if (!layout.managed.Overlaps(range)) {
    return range.begin();
  }
  return DriverError(DriverCode::kInvalidValue,
                     "a range is not inside one allocation");
}

absl::Status Copier::DoCopy(AddressRange destination, AddressRange source) {
  NPU_ASSIGN_OR_RETURN(const Address to, Reach(destination));
  NPU_ASSIGN_OR_RETURN(const Address from, Reach(source));
  memmove(to.pointer(), from.pointer(), source.size().bytes());
  return absl::OkStatus();
}

absl::Status Copier::DoFill(AddressRange destination, uint8_t value) {
  NPU_ASSIGN_OR_RETURN(const Address to, Reach(destination));
  memset(to.pointer(), value, destination.size().bytes());
  return absl::OkStatus();
}

}  // namespace npu::hal::emu
