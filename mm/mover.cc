// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/mover.h"

#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::mm {

using hal::PageOutcome;

absl::StatusOr<PagerTables> PagerTables::Make(uint32_t granules) {
  NPU_ASSIGN_OR_RETURN(GranuleTable table, GranuleTable::Make(granules));
  NPU_ASSIGN_OR_RETURN(Attributes attributes, Attributes::Make(granules));
  NPU_ASSIGN_OR_RETURN(BitTree known, BitTree::Make(granules));
  return PagerTables{std::move(table), std::move(attributes), std::move(known)};
}

void Mover::Step(GranuleState& state, ResidencyEvent event) {
  const auto next = kResidencyTable.Next(state.residency, event);
  NPU_CHECK(next.has_value());
  state.residency = *next;
}

void Mover::Commit(GranuleIndex granule, const GranuleState& state) noexcept {
  mm::CheckInvariants(state);
  const GranuleState old = StateOf(granule);
  tables_.granules.Write(granule, state);
  if (old.read_mostly != state.read_mostly) {
    tables_.attributes.SetReadMostly(GranuleRange::One(granule),
                                     state.read_mostly);
  }
  if (state == GranuleState()) {
    tables_.known.Remove(granule.value());
  } else {
    tables_.known.Add(granule.value());
  }
}

std::optional<GranuleIndex> Mover::NextKnown(GranuleIndex from) const {
  const std::optional<uint32_t> next = tables_.known.Next(from.value());
  if (!next) return std::nullopt;
  return GranuleIndex(*next);
}

hal::PeerReach Mover::ReachOf(const GranuleState& state,
                              NodeId accessor) const {
  if (!state.populated() || state.owner.is_host() || accessor.is_host() ||
      state.owner == accessor) {
    return hal::PeerReach::kReachable;
  }
  return peers_.MayReach({state.owner.device(), accessor.device()});
}

void Mover::CountMove(NodeId from, NodeId to) noexcept {
  if (from == to) return;
  counters_.Add(from, Counter::kMigrationsOut);
  counters_.Add(to, Counter::kMigrationsIn);
  counters_.Add(to, Counter::kBytesIn, kGranule.bytes());
}

// A mapping that cannot be made now is made at the accessor's next fault.
void Mover::MapAccessors(GranuleIndex granule, GranuleState& state) noexcept {
  state.accessors.ForEach([&](NodeId node) {
    if (node == state.owner ||
        ReachOf(state, node) != hal::PeerReach::kReachable ||
        Pages().MapRemote(granule, node) != PageOutcome::kDone) {
      return;
    }
    Step(state, ResidencyEvent::kMapRemote);
    state.holders.Add(node);
  });
}

PageOutcome Mover::Populate(GranuleIndex granule, NodeId node) noexcept {
  GranuleState state = StateOf(granule);
  const PageOutcome outcome = Pages().Populate(granule, node);
  if (outcome != PageOutcome::kDone) return outcome;
  Step(state, ResidencyEvent::kPopulate);
  state.owner = node;
  state.holders = NodeSet(node);
  MapAccessors(granule, state);
  Commit(granule, state);
  return outcome;
}

// The move itself, without a commit; accessors are not mapped.
PageOutcome Mover::TransferState(GranuleIndex granule, NodeId node,
                                 GranuleState& state) noexcept {
  const PageOutcome outcome = Pages().Transfer(granule, node);
  if (outcome != PageOutcome::kDone) return outcome;
  Step(state, ResidencyEvent::kTransfer);
  CountMove(state.owner, node);
  state.owner = node;
  state.holders = NodeSet(node);
  state.read_mostly = hal::ReadMostly::kNo;
  return outcome;
}

PageOutcome Mover::Transfer(GranuleIndex granule, NodeId node) noexcept {
  GranuleState state = StateOf(granule);
  const PageOutcome outcome = TransferState(granule, node, state);
  if (outcome != PageOutcome::kDone) return outcome;
  MapAccessors(granule, state);
  Commit(granule, state);
  return outcome;
}

PageOutcome Mover::RemapAccessors(GranuleIndex granule) noexcept {
  return Transfer(granule, StateOf(granule).owner);
}

PageOutcome Mover::Duplicate(GranuleIndex granule, NodeId node) noexcept {
  GranuleState state = StateOf(granule);
  // Copies are made from a mapped owner without accessors beside it.
  if (state.residency == ResidencyState::kExclusiveRemote ||
      state.residency == ResidencyState::kOwnedUnmapped) {
    const PageOutcome outcome = TransferState(granule, state.owner, state);
    if (outcome != PageOutcome::kDone) return outcome;
  }
  const PageOutcome outcome = Pages().Duplicate(granule, node);
  if (outcome == PageOutcome::kDone) {
    Step(state, ResidencyEvent::kDuplicate);
    if (!state.holders.Contains(node)) {
      counters_.Add(node, Counter::kDuplicates);
      counters_.Add(node, Counter::kBytesIn, kGranule.bytes());
    }
    state.holders.Add(node);
    state.read_mostly = hal::ReadMostly::kYes;
  } else if (state.residency == ResidencyState::kExclusive) {
    MapAccessors(granule, state);
  }
  Commit(granule, state);
  return outcome;
}

PageOutcome Mover::Collapse(GranuleIndex granule, NodeId node) noexcept {
  GranuleState state = StateOf(granule);
  const PageOutcome outcome = Pages().Collapse(granule, node);
  if (outcome != PageOutcome::kDone) return outcome;
  Step(state, ResidencyEvent::kCollapse);
  counters_.Add(node, Counter::kCollapses);
  if (!state.holders.Contains(node)) {
    counters_.Add(node, Counter::kBytesIn, kGranule.bytes());
  }
  state.owner = node;
  state.holders = NodeSet(node);
  state.read_mostly = hal::ReadMostly::kNo;
  MapAccessors(granule, state);
  Commit(granule, state);
  return outcome;
}

PageOutcome Mover::MapRemote(GranuleIndex granule, NodeId node) noexcept {
  GranuleState state = StateOf(granule);
  const PageOutcome outcome = Pages().MapRemote(granule, node);
  if (outcome != PageOutcome::kDone) return outcome;
  Step(state, ResidencyEvent::kMapRemote);
  state.holders.Add(node);
  Commit(granule, state);
  return outcome;
}

PageOutcome Mover::Repair(GranuleIndex granule, NodeId node) noexcept {
  const GranuleState state = StateOf(granule);
  if (state.residency == ResidencyState::kShared) {
    return Pages().Duplicate(granule, node);
  }
  if (node == state.owner) return Transfer(granule, node);
  return Pages().MapRemote(granule, node);
}

void Mover::SetAccessors(GranuleIndex granule, NodeSet accessors) noexcept {
  GranuleState state = StateOf(granule);
  state.accessors = accessors;
  Commit(granule, state);
}

void Mover::ClearReadMostly(GranuleIndex granule) noexcept {
  GranuleState state = StateOf(granule);
  state.read_mostly = hal::ReadMostly::kNo;
  Commit(granule, state);
}

void Mover::LoseMapping(GranuleIndex granule, NodeId node) noexcept {
  GranuleState state = StateOf(granule);
  if (!state.holders.Contains(node)) return;
  state.holders.Remove(node);
  const bool shared = state.residency == ResidencyState::kShared;
  if (!shared && node == state.owner) {
    Step(state, ResidencyEvent::kLoseOwner);
  } else {
    const bool last = state.holders.empty() ||
                      (!shared && state.holders == NodeSet(state.owner));
    Step(state, last ? ResidencyEvent::kLoseLast : ResidencyEvent::kLoseHolder);
  }
  if (shared && node == state.owner && !state.holders.empty()) {
    // Each holder has a copy of its own: any of them can be the owner.
    bool chosen = false;
    state.holders.ForEach([&](NodeId holder) {
      if (!chosen) state.owner = holder;
      chosen = true;
    });
  }
  Commit(granule, state);
}

void Mover::Discard(GranuleIndex granule) noexcept {
  GranuleState state = StateOf(granule);
  Step(state, ResidencyEvent::kDiscard);
  Pages().Discard(granule);
  Commit(granule, GranuleState());
}

void Mover::CheckInvariants() const {
  tables_.known.CheckInvariants();
  tables_.attributes.CheckInvariants();
  for (uint32_t g = 0; g < tables_.granules.size(); ++g) {
    const GranuleIndex granule(g);
    const GranuleState state = StateOf(granule);
    mm::CheckInvariants(state);
    NPU_CHECK(tables_.known.Contains(g) == !(state == GranuleState()));
    const GranuleRange one = GranuleRange::One(granule);
    NPU_CHECK(tables_.attributes.ReadMostlyOf(one) == state.read_mostly);
    NPU_CHECK(tables_.attributes.HostIsAccessor(granule) ==
              state.accessors.host());
  }
}

}  // namespace npu::mm
