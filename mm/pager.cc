// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/pager.h"

#include "hal/base/check.h"
#include "hal/base/status_macros.h"
#include "mm/fault_decision.h"

namespace npu::mm {

using hal::PageOutcome;

namespace {

CommandResult ResultOf(PageOutcome outcome) {
  switch (outcome) {
    case PageOutcome::kDone:
      return CommandResult::kDone;
    case PageOutcome::kNoSpace:
    case PageOutcome::kNoMemory:
      return CommandResult::kNoMemory;
    case PageOutcome::kFailed:
      return CommandResult::kFailed;
  }
  return CommandResult::kFailed;
}

// Commands about what is resident anywhere, not about an allocation.
bool VisitsKnownOnly(CommandKind kind) {
  return kind == CommandKind::kDiscard || kind == CommandKind::kEvacuate ||
         kind == CommandKind::kForgetPeer;
}

// Commands that have nothing to do for a granule whose entry is a fresh one.
bool SkipsFresh(CommandKind kind) {
  return VisitsKnownOnly(kind) || kind == CommandKind::kUnsetReadMostly ||
         kind == CommandKind::kUnsetAccessedBy;
}

// Granules without work in the page tables are cheap: so many go in one step.
constexpr int kCheapGranules = 1024;

}  // namespace

absl::StatusOr<std::unique_ptr<Pager>> Pager::Make(const PagerParts& parts,
                                                   const RangeIndex& index,
                                                   const PeerQuery& peers) {
  NPU_ASSIGN_OR_RETURN(
      PagerTables tables,
      PagerTables::Make(parts.residency->window().granule_count()));
  return std::unique_ptr<Pager>(
      new Pager(parts, index, peers, std::move(tables)));
}

// --- faults

hal::FaultVerdict Pager::DoOnFault(const hal::Fault& fault) noexcept {
  if (!index_.IsLive(fault.granule)) return hal::FaultVerdict::kIllegal;
  if (Serve(fault) != PageOutcome::kDone) return hal::FaultVerdict::kNoMemory;
  mover_.counters().Add(fault.node, Counter::kFaults);
  return hal::FaultVerdict::kServed;
}

PageOutcome Pager::Serve(const hal::Fault& fault) noexcept {
  const GranuleState state = mover_.StateOf(fault.granule);
  switch (DecideFault(state, fault.node, fault.access,
                      mover_.ReachOf(state, fault.node))) {
    case FaultAction::kPopulate:
      return mover_.Populate(fault.granule, fault.node);
    case FaultAction::kTransfer:
      return mover_.Transfer(fault.granule, fault.node);
    case FaultAction::kDuplicate:
      return mover_.Duplicate(fault.granule, fault.node);
    case FaultAction::kCollapse:
      return mover_.Collapse(fault.granule, fault.node);
    case FaultAction::kMapRemote:
      return mover_.MapRemote(fault.granule, fault.node);
    case FaultAction::kRepair:
      return mover_.Repair(fault.granule, fault.node);
  }
  return PageOutcome::kFailed;
}

void Pager::DoOnNodeLost(DeviceId device) noexcept {
  const NodeId node = NodeId::Device(device);
  for (auto at = mover_.NextKnown(GranuleIndex(0)); at;
       at = mover_.NextKnown(Advance(*at, 1))) {
    mover_.LoseMapping(*at, node);
  }
}

// --- commands

hal::WorkState Pager::DoOnWork() noexcept {
  const Command* const command = ring_.Front();
  if (command == nullptr) return hal::WorkState::kIdle;
  if (!begun_) {
    begun_ = true;
    cursor_ = command->range.begin();
    const CommandResult result = Begin(*command);
    if (result != CommandResult::kDone) {
      Finish(result);
      return hal::WorkState::kMore;
    }
  }
  const uint64_t moves = mover_.moves();
  for (int n = 0; n < kCheapGranules && mover_.moves() == moves; ++n) {
    cursor_ = NextGranule(*command, cursor_);
    const bool at_end = !(cursor_ < command->range.end());
    const CommandResult result =
        at_end ? CommandResult::kDone : DoGranule(*command, cursor_);
    if (at_end) End(*command);
    if (at_end || result != CommandResult::kDone) {
      Finish(result);
      break;
    }
    cursor_ = Advance(cursor_, 1);
  }
  return hal::WorkState::kMore;
}

void Pager::Finish(CommandResult result) noexcept {
  begun_ = false;
  ring_.Answer(result);
}

GranuleIndex Pager::NextGranule(const Command& command,
                                GranuleIndex from) const noexcept {
  switch (command.kind) {
    case CommandKind::kUnsetPreferred:
    case CommandKind::kNotePrefetch:
    case CommandKind::kAdmit:
      return command.range.end();  // Begin did it all
    default:
      break;
  }
  if (!SkipsFresh(command.kind)) return from;
  return mover_.NextKnown(from).value_or(command.range.end());
}

bool Pager::IsCurrent(const Command& command,
                      GranuleIndex granule) const noexcept {
  if (VisitsKnownOnly(command.kind)) return true;
  if (command.generation == kAnyGeneration) return index_.IsLive(granule);
  const std::optional<RangeRecord> record = index_.Find(granule);
  return record && record->generation == command.generation;
}

CommandResult Pager::Begin(const Command& command) noexcept {
  if (!IsCurrent(command, command.range.begin())) return CommandResult::kDead;
  switch (command.kind) {
    case CommandKind::kUnsetPreferred:
      mover_.attributes().SetPreferred(command.range, hal::Location::None());
      return CommandResult::kDone;
    case CommandKind::kNotePrefetch:
      mover_.attributes().SetLastPrefetch(command.range, command.location);
      return CommandResult::kDone;
    case CommandKind::kAdmit:
      parts_.faults->Admit(
          parts_.residency->window().AddressesOf(command.range));
      return CommandResult::kDone;
    case CommandKind::kSetPreferred: {
      const CommandResult result = CheckPreferred(command);
      return result == CommandResult::kDone ? CheckRoom(command) : result;
    }
    case CommandKind::kSetReadMostly:
    case CommandKind::kSetAccessedBy:
    case CommandKind::kPrefetch:
    case CommandKind::kPrepareRead:
    case CommandKind::kPrepareWrite:
      return CheckRoom(command);
    default:
      return CommandResult::kDone;
  }
}

// The four rows of "set preferred location": data that lives elsewhere is not
// moved, read-only copies are no obstacle.
CommandResult Pager::CheckPreferred(const Command& command) const noexcept {
  const NodeId node = command.location.node();
  for (GranuleIndex g = command.range.begin(); g < command.range.end();
       g = Advance(g, 1)) {
    const GranuleState state = mover_.StateOf(g);
    const bool elsewhere =
        state.populated() && !state.is_read_mostly() && state.owner != node;
    if (elsewhere) return CommandResult::kRefused;
  }
  return CommandResult::kDone;
}

bool Pager::WillPopulate(const Command& command,
                         GranuleIndex granule) const noexcept {
  if (mover_.StateOf(granule).populated()) return false;
  if (command.kind != CommandKind::kSetAccessedBy) return true;
  const hal::Location preferred =
      tables().attributes.PreferredOf(GranuleRange::One(granule));
  return !preferred.is_none() && preferred.node() == command.location.node();
}

CommandResult Pager::CheckRoom(const Command& command) const noexcept {
  uint64_t fresh = 0;
  for (GranuleIndex g = command.range.begin(); g < command.range.end();
       g = Advance(g, 1)) {
    if (WillPopulate(command, g)) ++fresh;
  }
  const ByteSize need = kGranule * fresh;
  if (parts_.host_memory->Capacity().free < need) {
    return CommandResult::kNoMemory;
  }
  // Read mostly populates at the host, all others at the location.
  if (command.kind == CommandKind::kSetReadMostly ||
      command.location.node().is_host()) {
    return CommandResult::kDone;
  }
  const DeviceId device = command.location.node().device();
  return parts_.device_memory->Capacity(device).free < need
             ? CommandResult::kNoMemory
             : CommandResult::kDone;
}

CommandResult Pager::DoGranule(const Command& command,
                               GranuleIndex granule) noexcept {
  if (!IsCurrent(command, granule)) return CommandResult::kDead;
  const hal::Location location = command.location;
  switch (command.kind) {
    case CommandKind::kSetReadMostly:
      return ResultOf(SetReadMostly(granule));
    case CommandKind::kUnsetReadMostly:
      return ResultOf(UnsetReadMostly(granule, location.node()));
    case CommandKind::kSetPreferred:
      return ResultOf(MakePreferred(granule, location.node()));
    case CommandKind::kSetAccessedBy:
      return ResultOf(AddAccessor(granule, location));
    case CommandKind::kUnsetAccessedBy:
      return ResultOf(RemoveAccessor(granule, location));
    case CommandKind::kPrefetch:
      return ResultOf(Prefetch(granule, location.node()));
    case CommandKind::kPrepareRead:
    case CommandKind::kPrepareWrite:
      return ResultOf(PrepareCopy(command, granule));
    case CommandKind::kDiscard:
      mover_.Discard(granule);
      return CommandResult::kDone;
    case CommandKind::kEvacuate:
      return ResultOf(Evacuate(granule, location.node()));
    case CommandKind::kForgetPeer:
      return ResultOf(ForgetPeer(granule, command.owner, location.node()));
    case CommandKind::kUnsetPreferred:
    case CommandKind::kNotePrefetch:
    case CommandKind::kAdmit:
      break;
  }
  return CommandResult::kDone;
}

void Pager::End(const Command& command) noexcept {
  if (command.kind == CommandKind::kSetPreferred) {
    mover_.attributes().SetPreferred(command.range, command.location);
  }
  if (command.kind == CommandKind::kDiscard) {
    mover_.attributes().Clear(command.range);
  }
}

PageOutcome Pager::SetReadMostly(GranuleIndex granule) noexcept {
  if (!mover_.StateOf(granule).populated()) {
    const PageOutcome outcome = mover_.Populate(granule, NodeId::Host());
    if (outcome != PageOutcome::kDone) return outcome;
  }
  return mover_.Duplicate(granule, NodeId::Host());
}

PageOutcome Pager::UnsetReadMostly(GranuleIndex granule,
                                   NodeId place) noexcept {
  const GranuleState state = mover_.StateOf(granule);
  if (!state.is_read_mostly()) return PageOutcome::kDone;
  if (state.residency == ResidencyState::kShared) {
    return mover_.Collapse(granule, place);
  }
  return mover_.Transfer(granule, place);
}

PageOutcome Pager::MakePreferred(GranuleIndex granule, NodeId node) noexcept {
  const GranuleState state = mover_.StateOf(granule);
  if (!state.populated()) return mover_.Populate(granule, node);
  if (state.is_read_mostly() && node.is_device()) {
    return mover_.Duplicate(granule, node);
  }
  return PageOutcome::kDone;
}

PageOutcome Pager::AddAccessor(GranuleIndex granule,
                               hal::Location location) noexcept {
  const NodeId node = location.node();
  const bool at_home = WillPopulate(
      {CommandKind::kSetAccessedBy, GranuleRange::One(granule), location},
      granule);
  GranuleState state = mover_.StateOf(granule);
  PageOutcome outcome = PageOutcome::kDone;
  if (at_home) {
    outcome = mover_.Populate(granule, node);
  } else if (state.residency == ResidencyState::kShared) {
    outcome = mover_.Duplicate(granule, node);
  } else if (state.populated() && node == state.owner) {
    outcome = mover_.Repair(granule, node);
  } else if (state.populated() &&
             mover_.ReachOf(state, node) == hal::PeerReach::kReachable) {
    outcome = mover_.MapRemote(granule, node);
  }
  if (outcome != PageOutcome::kDone) return outcome;
  state = mover_.StateOf(granule);
  state.accessors.Add(node);
  mover_.attributes().AddAccessor(granule, location);
  mover_.SetAccessors(granule, state.accessors);
  return outcome;
}

PageOutcome Pager::RemoveAccessor(GranuleIndex granule,
                                  hal::Location location) noexcept {
  const NodeId node = location.node();
  GranuleState state = mover_.StateOf(granule);
  mover_.attributes().RemoveAccessor(granule, location);
  // The host stays one as long as a NUMA node of it is.
  const bool still =
      node.is_host() && mover_.attributes().HostIsAccessor(granule);
  if (still || !state.accessors.Contains(node)) return PageOutcome::kDone;
  state.accessors.Remove(node);
  mover_.SetAccessors(granule, state.accessors);
  const bool remote = state.residency != ResidencyState::kShared &&
                      node != state.owner && state.holders.Contains(node);
  return remote ? mover_.RemapAccessors(granule) : PageOutcome::kDone;
}

PageOutcome Pager::Prefetch(GranuleIndex granule, NodeId node) noexcept {
  const GranuleState state = mover_.StateOf(granule);
  PageOutcome outcome = PageOutcome::kDone;
  bool brought = true;
  if (!state.populated()) {
    outcome = mover_.Populate(granule, node);
  } else if (state.is_read_mostly()) {
    brought = !state.holders.Contains(node);
    outcome = mover_.Duplicate(granule, node);
  } else {
    brought = state.owner != node;
    // Also where it is at home: its mapping may be missing.
    outcome =
        brought ? mover_.Transfer(granule, node) : mover_.Repair(granule, node);
  }
  if (outcome == PageOutcome::kDone && brought) {
    mover_.counters().Add(node, Counter::kPrefetches);
  }
  return outcome;
}

PageOutcome Pager::PrepareCopy(const Command& command,
                               GranuleIndex granule) noexcept {
  const GranuleState state = mover_.StateOf(granule);
  if (!state.populated()) {
    return mover_.Populate(granule, command.location.node());
  }
  if (command.kind == CommandKind::kPrepareRead || !state.is_read_mostly()) {
    return PageOutcome::kDone;
  }
  if (state.residency == ResidencyState::kShared) {
    return mover_.Collapse(granule, state.owner);
  }
  mover_.ClearReadMostly(granule);
  return PageOutcome::kDone;
}

PageOutcome Pager::Evacuate(GranuleIndex granule, NodeId node) noexcept {
  const GranuleState state = mover_.StateOf(granule);
  const NodeId host = NodeId::Host();
  const bool shared_here = state.residency == ResidencyState::kShared &&
                           state.holders.Contains(node);
  if (!state.populated() || (state.owner != node && !shared_here)) {
    return PageOutcome::kDone;
  }
  const PageOutcome outcome = shared_here ? mover_.Collapse(granule, host)
                                          : mover_.Transfer(granule, host);
  if (outcome != PageOutcome::kDone || !state.is_read_mostly()) return outcome;
  return mover_.Duplicate(granule, host);  // read mostly stays
}

PageOutcome Pager::ForgetPeer(GranuleIndex granule, NodeId owner,
                              NodeId accessor) noexcept {
  const GranuleState state = mover_.StateOf(granule);
  const bool remote = state.residency == ResidencyState::kExclusiveRemote &&
                      state.owner == owner && state.holders.Contains(accessor);
  return remote ? mover_.RemapAccessors(granule) : PageOutcome::kDone;
}

void Pager::CheckInvariants() const {
  mover_.CheckInvariants();
  ring_.CheckInvariants();
  for (auto at = mover_.NextKnown(GranuleIndex(0)); at;
       at = mover_.NextKnown(Advance(*at, 1))) {
    NPU_CHECK(index_.IsLive(*at));
  }
}

}  // namespace npu::mm
