// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/managed_prefetch.h"

#include "hal/base/driver_code.h"

namespace npu::hal {

absl::StatusOr<PrefetchTicket> ManagedPrefetch::Admit(
    absl::Span<const PrefetchRequest> requests) {
  for (const PrefetchRequest& request : requests) {
    if (request.location.is_none()) {
      return DriverError(DriverCode::kInvalidValue,
                         "ManagedPrefetch.Admit: a location is nowhere");
    }
  }
  return DoAdmit(requests);
}

}  // namespace npu::hal
