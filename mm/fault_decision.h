// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What a fault leads to: a pure function, so that the whole policy of faults
// can be read and tested in one place.

#ifndef MM_FAULT_DECISION_H_
#define MM_FAULT_DECISION_H_

#include <cstdint>

#include "hal/api/fault_sink.h"
#include "hal/api/peer_link.h"
#include "hal/base/node.h"
#include "mm/granule_table.h"

namespace npu::mm {

enum class FaultAction : uint8_t {
  kPopulate,   // first touch: memory of the toucher
  kTransfer,   // the toucher becomes owner and only holder
  kDuplicate,  // a read-only copy for the toucher
  kCollapse,   // a write ends read mostly: the toucher's copy stays
  kMapRemote,  // an accessor is mapped to the owner's memory
  kRepair,     // the toucher is a holder: its mapping is made again
};

// `reach` says whether the toucher may reach the owner's memory; it matters for
// accessors only. O(1), no side effects.
//
//   toucher is        unpopulated  exclusive*   shared, read  shared, write
//   a holder          -            repair       repair        collapse
//   the owner         populate     transfer     duplicate     collapse
//   an accessor       populate     map remote   duplicate     collapse
//   somebody else     populate     transfer     duplicate     collapse
//
// (* exclusive, exclusive remote and owned unmapped; of the latter a granule
// that is read mostly is duplicated on a read.)
FaultAction DecideFault(const GranuleState& state, NodeId toucher,
                        hal::FaultAccess access, hal::PeerReach reach);

}  // namespace npu::mm

#endif  // MM_FAULT_DECISION_H_
