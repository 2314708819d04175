// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/managed_memory.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/base/check.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

namespace npu::mm {
namespace {

std::string Hex(Address address) {
  return absl::StrCat("0x", absl::Hex(address.value()));
}

absl::Status NotLive(Address address) {
  return DriverError(
      DriverCode::kInvalidValue,
      absl::StrCat(Hex(address), " is not in live managed memory"));
}

absl::Status ToStatus(CommandResult result) {
  switch (result) {
    case CommandResult::kDone:
      return absl::OkStatus();
    case CommandResult::kDead:
      return DriverError(DriverCode::kInvalidValue,
                         "managed memory was freed meanwhile");
    case CommandResult::kRefused:
      return DriverError(
          DriverCode::kInvalidValue,
          "the preferred location is refused: data lives elsewhere");
    case CommandResult::kNoMemory:
      return DriverError(DriverCode::kOutOfMemory,
                         "there is no room for the granules");
    case CommandResult::kFailed:
      return DriverError(DriverCode::kInternal,
                         "the driver refused a change of residency");
    case CommandResult::kStopped:
      return absl::UnavailableError("the pager does not run");
  }
  return absl::InternalError("unknown command result");
}

CommandKind KindOf(hal::Advice advice) {
  switch (advice) {
    case hal::Advice::kSetReadMostly:
      return CommandKind::kSetReadMostly;
    case hal::Advice::kUnsetReadMostly:
      return CommandKind::kUnsetReadMostly;
    case hal::Advice::kSetPreferredLocation:
      return CommandKind::kSetPreferred;
    case hal::Advice::kUnsetPreferredLocation:
      return CommandKind::kUnsetPreferred;
    case hal::Advice::kSetAccessedBy:
      return CommandKind::kSetAccessedBy;
    case hal::Advice::kUnsetAccessedBy:
      return CommandKind::kUnsetAccessedBy;
  }
  NPU_CHECK(false);
  return CommandKind::kUnsetPreferred;
}

// Advice for which "nowhere" is no answer.
bool NeedsPlace(hal::Advice advice) {
  return advice == hal::Advice::kSetPreferredLocation ||
         advice == hal::Advice::kSetAccessedBy ||
         advice == hal::Advice::kUnsetAccessedBy;
}

// Advice that does not look at its location.
bool IgnoresPlace(hal::Advice advice) {
  return advice == hal::Advice::kSetReadMostly ||
         advice == hal::Advice::kUnsetPreferredLocation;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ManagedMemory>> ManagedMemory::Create(
    const hal::DriverParts& parts, const PeerQuery& peers) {
  if (parts.residency == nullptr || parts.faults == nullptr ||
      parts.device_memory == nullptr || parts.host_memory == nullptr ||
      parts.devices == nullptr) {
    return DriverError(DriverCode::kInvalidValue,
                       "ManagedMemory.Create: the driver lacks a part");
  }
  auto memory = std::unique_ptr<ManagedMemory>(new ManagedMemory(parts));
  const uint32_t granules = memory->window_.granule_count();
  NPU_ASSIGN_OR_RETURN(memory->index_, RangeIndex::Make(granules));
  NPU_ASSIGN_OR_RETURN(memory->pager_,
                       Pager::Make({parts.residency, parts.faults,
                                    parts.device_memory, parts.host_memory},
                                   *memory->index_, peers));
  return memory;
}

ManagedMemory::ManagedMemory(const hal::DriverParts& parts)
    : window_(parts.residency->window()),
      parts_(parts),
      allocator_(std::make_unique<RangeAllocator>(window_.granule_count())) {}

ManagedMemory::~ManagedMemory() {
  if (pager_ != nullptr) pager_->Close();
}

hal::ManagedParts ManagedMemory::Parts() {
  return {this, this, this, this, this};
}

// --- allocation

absl::StatusOr<AddressRange> ManagedMemory::DoAllocate(ByteSize size,
                                                       DeviceId current) {
  const std::optional<ByteSize> rounded = RoundUp(size, kGranule);
  if (!rounded || *rounded > window_.range().size()) {
    return DriverError(DriverCode::kOutOfMemory,
                       absl::StrCat(size.bytes(), " bytes are more than the ",
                                    window_.range().size().bytes(),
                                    " bytes of managed memory"));
  }
  const auto count = static_cast<uint32_t>(rounded->bytes() / kGranule.bytes());
  std::optional<GranuleRange> range;
  {
    MutexLock lock(mutex_);
    range = allocator_->Allocate(count);
    if (!range) {
      return DriverError(
          DriverCode::kOutOfMemory,
          absl::StrCat("no free range of ", rounded->bytes(),
                       " bytes: the longest has ",
                       (kGranule * allocator_->longest_free()).bytes()));
    }
    index_->Insert(*range, current);
  }
  const CommandResult admitted = pager_->Run({CommandKind::kAdmit, *range});
  if (admitted == CommandResult::kDone) return window_.AddressesOf(*range);
  MutexLock lock(mutex_);
  index_->Erase(*range);
  allocator_->Free(*range);
  return ToStatus(admitted);
}

absl::Status ManagedMemory::DoFree(Address begin) {
  GranuleRange granules = GranuleRange::One(GranuleIndex(0));
  {
    MutexLock lock(mutex_);
    if (!window_.range().Contains(begin)) return NotLive(begin);
    const auto record = index_->Find(window_.IndexOf(begin));
    if (!record) return NotLive(begin);
    if (window_.AddressOf(record->granules.begin()) != begin) {
      return DriverError(
          DriverCode::kInvalidValue,
          absl::StrCat(Hex(begin), " is inside an allocation that begins at ",
                       Hex(window_.AddressOf(record->granules.begin()))));
    }
    granules = record->granules;
    // Dead from here on: touches are illegal, pending work finds it gone.
    index_->Erase(granules);
  }
  return Release(granules);
}

// The addresses can be handed out again only when no mapping and no byte of the
// old data is left.
absl::Status ManagedMemory::Release(GranuleRange granules) {
  const CommandResult result = pager_->Run({CommandKind::kDiscard, granules});
  if (result != CommandResult::kDone) return ToStatus(result);
  MutexLock lock(mutex_);
  allocator_->Free(granules);
  return absl::OkStatus();
}

absl::Status ManagedMemory::FreeAll() {
  GranuleIndex from(0);
  while (true) {
    std::optional<RangeRecord> record;
    {
      MutexLock lock(mutex_);
      if (from.value() >= window_.granule_count()) return absl::OkStatus();
      record = index_->FindFrom(from);
      if (!record) return absl::OkStatus();
      index_->Erase(record->granules);
    }
    NPU_RETURN_IF_ERROR(Release(record->granules));
    from = record->granules.end();
  }
}

std::optional<hal::ManagedBlock> ManagedMemory::DoLocate(
    Address address) const {
  if (!window_.range().Contains(address)) return std::nullopt;
  const auto record = index_->Find(window_.IndexOf(address));
  if (!record) return std::nullopt;
  return hal::ManagedBlock{window_.AddressesOf(record->granules),
                           record->device};
}

absl::Status ManagedMemory::DoCheckLive(AddressRange range) const {
  if (!window_.range().Contains(range.begin())) return NotLive(range.begin());
  if (!window_.range().Contains(range)) return NotLive(window_.range().end());
  const GranuleRange touched = window_.Touched(range);
  for (GranuleIndex at = touched.begin(); at < touched.end();) {
    const auto record = index_->Find(at);
    if (!record) {
      return NotLive(std::max(range.begin(), window_.AddressOf(at)));
    }
    at = record->granules.end();
  }
  return absl::OkStatus();
}

AddressRange ManagedMemory::DoWindow() const { return window_.range(); }

// --- advice

absl::Status ManagedMemory::CheckLocation(hal::Location location) const {
  const hal::DriverDescription& about = parts_.devices->Describe();
  const int32_t number = location.number();
  const bool device = location.kind() == hal::Location::Kind::kDevice;
  const bool numa = location.kind() == hal::Location::Kind::kNuma;
  const int32_t count =
      device ? about.device_count : std::min(about.numa_nodes, kMaxNumaNodes);
  if ((device || numa) && (number < 0 || number >= count)) {
    return DriverError(DriverCode::kInvalidValue,
                       absl::StrCat(device ? "device " : "NUMA node ", number,
                                    " is outside [0, ", count, ")"));
  }
  return absl::OkStatus();
}

absl::Status ManagedMemory::DoAdvise(AddressRange range, hal::Advice advice,
                                     hal::Location location) {
  NPU_RETURN_IF_ERROR(CheckLive(range));
  if (IgnoresPlace(advice)) location = hal::Location::None();
  if (NeedsPlace(advice) && location.is_none()) {
    return DriverError(DriverCode::kInvalidValue,
                       "this advice needs a location");
  }
  NPU_RETURN_IF_ERROR(CheckLocation(location));
  if (location.is_none()) location = hal::Location::Host();
  return ToStatus(
      pager_->Run({KindOf(advice), window_.Touched(range), location}));
}

// --- prefetch

absl::Status ManagedMemory::AppendPieces(
    const hal::PrefetchRequest& request,
    std::vector<hal::PrefetchPiece>& pieces) const {
  NPU_RETURN_IF_ERROR(CheckLocation(request.location));
  NPU_RETURN_IF_ERROR(CheckLive(request.range));
  const GranuleRange touched = window_.Touched(request.range);
  for (GranuleIndex at = touched.begin(); at < touched.end();) {
    const auto record = index_->Find(at);
    if (!record) return NotLive(window_.AddressOf(at));
    const GranuleIndex end = std::min(touched.end(), record->granules.end());
    pieces.push_back({window_.AddressesOf(GranuleRange::Of(at, end)),
                      request.location, record->generation});
    at = end;
  }
  return absl::OkStatus();
}

absl::StatusOr<hal::PrefetchTicket> ManagedMemory::DoAdmit(
    absl::Span<const hal::PrefetchRequest> requests) {
  hal::PrefetchTicket ticket;
  for (const hal::PrefetchRequest& request : requests) {
    NPU_RETURN_IF_ERROR(AppendPieces(request, ticket.pieces));
  }
  for (const hal::PrefetchPiece& piece : ticket.pieces) {
    const CommandResult result =
        pager_->Run({CommandKind::kNotePrefetch, window_.Touched(piece.range),
                     piece.location, piece.generation});
    // One that was freed just now fails when its turn comes.
    if (result == CommandResult::kStopped) return ToStatus(result);
  }
  return ticket;
}

absl::Status ManagedMemory::PrefetchPieceNow(const hal::PrefetchPiece& piece) {
  return ToStatus(
      pager_->Run({CommandKind::kPrefetch, window_.Touched(piece.range),
                   piece.location, piece.generation}));
}

absl::Status ManagedMemory::DoRun(const hal::PrefetchTicket& ticket) {
  absl::Status first;
  for (const hal::PrefetchPiece& piece : ticket.pieces) {
    first.Update(PrefetchPieceNow(piece));
  }
  return first;
}

// --- queries

absl::StatusOr<hal::ReadMostly> ManagedMemory::DoQueryReadMostly(
    AddressRange range) const {
  NPU_RETURN_IF_ERROR(CheckLive(range));
  return pager_->tables().attributes.ReadMostlyOf(window_.Touched(range));
}

absl::StatusOr<hal::Location> ManagedMemory::DoQueryPreferred(
    AddressRange range) const {
  NPU_RETURN_IF_ERROR(CheckLive(range));
  return pager_->tables().attributes.PreferredOf(window_.Touched(range));
}

absl::StatusOr<std::vector<hal::Location>> ManagedMemory::DoQueryAccessedBy(
    AddressRange range) const {
  NPU_RETURN_IF_ERROR(CheckLive(range));
  return pager_->tables().attributes.AccessorsOf(window_.Touched(range));
}

absl::StatusOr<hal::Location> ManagedMemory::DoQueryLastPrefetch(
    AddressRange range) const {
  NPU_RETURN_IF_ERROR(CheckLive(range));
  return pager_->tables().attributes.LastPrefetchOf(window_.Touched(range));
}

absl::StatusOr<GranuleState> ManagedMemory::Residency(Address address) const {
  if (!Locate(address)) return NotLive(address);
  return pager_->tables().granules.Read(window_.IndexOf(address));
}

// --- for the rest of the runtime

absl::Status ManagedMemory::PrepareCopy(AddressRange range, CopyAccess access,
                                        NodeId node) {
  if (!window_.range().Overlaps(range)) return absl::OkStatus();
  const Address begin = std::max(range.begin(), window_.range().begin());
  const Address end = std::min(range.end(), window_.range().end());
  const GranuleRange touched =
      window_.Touched(AddressRange::Of(begin, end - begin));
  const hal::Location place = node.is_host()
                                  ? hal::Location::Host()
                                  : hal::Location::Device(node.device());
  const CommandKind kind = access == CopyAccess::kRead
                               ? CommandKind::kPrepareRead
                               : CommandKind::kPrepareWrite;
  for (GranuleIndex at = touched.begin(); at < touched.end();) {
    const auto record = index_->Find(at);
    if (!record) {
      at = Advance(at, 1);
      continue;
    }
    const GranuleIndex stop = std::min(touched.end(), record->granules.end());
    NPU_RETURN_IF_ERROR(ToStatus(pager_->Run(
        {kind, GranuleRange::Of(at, stop), place, record->generation})));
    at = stop;
  }
  return absl::OkStatus();
}

absl::Status ManagedMemory::EvacuateDevice(DeviceId device) {
  const GranuleRange all =
      GranuleRange::Of(GranuleIndex(0), GranuleIndex(window_.granule_count()));
  return ToStatus(pager_->Run(
      {CommandKind::kEvacuate, all, hal::Location::Device(device)}));
}

absl::Status ManagedMemory::OnPeerDisabled(DeviceId owner, DeviceId accessor) {
  const GranuleRange all =
      GranuleRange::Of(GranuleIndex(0), GranuleIndex(window_.granule_count()));
  return ToStatus(pager_->Run({CommandKind::kForgetPeer, all,
                               hal::Location::Device(accessor), kAnyGeneration,
                               NodeId::Device(owner)}));
}

NodeCounters ManagedMemory::Counters(NodeId node) const {
  return pager_->counters().Read(node);
}

void ManagedMemory::ResetCounters() { pager_->counters().Reset(); }

void ManagedMemory::CheckInvariants() const {
  MutexLock lock(mutex_);
  allocator_->CheckInvariants();
  index_->CheckInvariants();
  pager_->CheckInvariants();
}

}  // namespace npu::mm
