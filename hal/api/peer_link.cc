// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/api/peer_link.h"

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"

namespace npu::hal {

absl::Status PeerLink::Enable(PeerPair pair) {
  if (Reach(pair) == PeerReach::kUnreachable) {
    return DriverError(
        DriverCode::kNotSupported,
        absl::StrCat("there is no link between device ", pair.owner.value(),
                     " and device ", pair.accessor.value()));
  }
  return DoEnable(pair);
}

}  // namespace npu::hal
