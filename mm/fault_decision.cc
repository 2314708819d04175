// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/fault_decision.h"

namespace npu::mm {
namespace {

FaultAction DecideShared(const GranuleState& state, NodeId toucher,
                         hal::FaultAccess access) {
  if (access == hal::FaultAccess::kWrite) return FaultAction::kCollapse;
  if (state.holders.Contains(toucher)) return FaultAction::kRepair;
  return FaultAction::kDuplicate;
}

}  // namespace

FaultAction DecideFault(const GranuleState& state, NodeId toucher,
                        hal::FaultAccess access, hal::PeerReach reach) {
  if (!state.populated()) return FaultAction::kPopulate;
  if (state.residency == ResidencyState::kShared) {
    return DecideShared(state, toucher, access);
  }
  if (state.is_read_mostly() && access == hal::FaultAccess::kRead) {
    return FaultAction::kDuplicate;  // all copies' mappings were lost
  }
  if (state.holders.Contains(toucher)) return FaultAction::kRepair;
  const bool remote = toucher != state.owner &&
                      state.accessors.Contains(toucher) &&
                      reach == hal::PeerReach::kReachable;
  return remote ? FaultAction::kMapRemote : FaultAction::kTransfer;
}

}  // namespace npu::mm
