// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/page_map.h"

#include <fcntl.h>

#include <cerrno>

#include "hal/base/status_macros.h"

namespace npu::hal::emu {
namespace {

PageOutcome OutcomeOf(UserfaultOutcome outcome) {
  switch (outcome) {
    case UserfaultOutcome::kDone:
    case UserfaultOutcome::kGone:  // mapped at the next process's fault
      return PageOutcome::kDone;
    case UserfaultOutcome::kNoMemory:
      return PageOutcome::kNoMemory;
    case UserfaultOutcome::kHole:
    case UserfaultOutcome::kFailed:
      return PageOutcome::kFailed;
  }
  return PageOutcome::kFailed;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PageMap>> PageMap::Make(
    const AddressSpace& space, Ledger& ledger) {
  NPU_ASSIGN_OR_RETURN(
      PagedArray<Entry> entries,
      PagedArray<Entry>::Make(space.granules().granule_count()));
  return std::unique_ptr<PageMap>(
      new PageMap(space, ledger, std::move(entries)));
}

void PageMap::Attach(DeviceId device, DeviceProcess* process) {
  port(NodeId::Device(device)).Attach(process);
}

PageOutcome PageMap::ChargeTo(Entry& entry, NodeId node) noexcept {
  if (entry.charged.Contains(node)) return PageOutcome::kDone;
  if (ledger_.Add(node, kGranule) == Charge::kRefused) {
    return PageOutcome::kNoSpace;
  }
  entry.charged.Add(node);
  return PageOutcome::kDone;
}

void PageMap::UnchargeAllBut(Entry& entry, NodeSet keep) noexcept {
  NodeSet left;
  entry.charged.ForEach([&](NodeId node) {
    if (keep.Contains(node)) {
      left.Add(node);
    } else {
      ledger_.Remove(node, kGranule);
    }
  });
  entry.charged = left;
}

void PageMap::UnmapAllBut(GranuleIndex granule, Entry& entry,
                          NodeSet keep) noexcept {
  const bool owed_before = !entry.owed.empty();
  // What is owed may still be mapped, whatever else was done since.
  const NodeSet candidates = Unite(entry.mapped, entry.owed);
  candidates.ForEach([&](NodeId node) {
    if (keep.Contains(node)) return;
    const bool late = port(node).Unmap(RangeOf(granule)) == PortOutcome::kLate;
    if (late) entry.owed.Add(node);
    if (!late) entry.owed.Remove(node);
  });
  // Where it is mapped by right, nothing is owed.
  keep.ForEach([&](NodeId node) { entry.owed.Remove(node); });
  entry.mapped = Intersect(entry.mapped, keep);
  if (owed_before && entry.owed.empty()) --owed_count_;
  if (!owed_before && !entry.owed.empty()) ++owed_count_;
}

off_t PageMap::OffsetOf(GranuleIndex granule) const noexcept {
  return static_cast<off_t>((kGranule * granule.value()).bytes());
}

// Takes the pages out of the file and out of every process's table.
void PageMap::PunchOut(GranuleIndex granule) noexcept {
  fallocate(space_.managed_fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            OffsetOf(granule), static_cast<off_t>(kGranule.bytes()));
}

// The bytes of a granule that has none.
PageOutcome PageMap::MakeBytes(GranuleIndex granule, NodeId node) noexcept {
  const AddressRange range = RangeOf(granule);
  NodePort& target = port(node);
  if (target.userfault() != nullptr) {
    const UserfaultOutcome outcome = target.MapZeroed(range);
    // A poisoned page cannot be made in place: made first, it can be mapped.
    if (outcome != UserfaultOutcome::kGone &&
        outcome != UserfaultOutcome::kHole) {
      return OutcomeOf(outcome);
    }
  }
  // Nobody to map it at, or nothing is watched: the file first.
  if (fallocate(space_.managed_fd(), 0, OffsetOf(granule),
                static_cast<off_t>(range.size().bytes())) == 0) {
    return OutcomeOf(target.Map(range));
  }
  return errno == ENOSPC || errno == ENOMEM ? PageOutcome::kNoMemory
                                            : PageOutcome::kFailed;
}

PageOutcome PageMap::DoPopulate(GranuleIndex granule, NodeId node) noexcept {
  Entry& entry = At(granule);
  if (entry.populated) return MakeOnlyHolder(granule, node);
  if (ledger_.physical().Add(kGranule) == Charge::kRefused) {
    return PageOutcome::kNoMemory;
  }
  PageOutcome outcome = ChargeTo(entry, node);
  if (outcome == PageOutcome::kDone) {
    UnmapAllBut(granule, entry, NodeSet());
    outcome = MakeBytes(granule, node);
  }
  if (outcome != PageOutcome::kDone) {
    // A part of it may have been made, and mapped.
    PunchOut(granule);
    UnchargeAllBut(entry, NodeSet());
    ledger_.physical().Remove(kGranule);
    return outcome;
  }
  entry.populated = true;
  entry.read_only = false;
  entry.mapped = NodeSet(node);
  return PageOutcome::kDone;
}

// Unmap first, then map: the bytes are the same, so no store is lost; a toucher
// in between faults and waits.
PageOutcome PageMap::MakeOnlyHolder(GranuleIndex granule,
                                    NodeId node) noexcept {
  Entry& entry = At(granule);
  const bool was_charged = entry.charged.Contains(node);
  const PageOutcome charged = ChargeTo(entry, node);
  if (charged != PageOutcome::kDone) return charged;
  UnmapAllBut(granule, entry, NodeSet(node));
  const PageOutcome mapped = OutcomeOf(port(node).Map(RangeOf(granule)));
  if (mapped != PageOutcome::kDone) {
    // The former holders fault and get their mappings back.
    if (!was_charged) {
      entry.charged.Remove(node);
      ledger_.Remove(node, kGranule);
    }
    return mapped;
  }
  UnchargeAllBut(entry, NodeSet(node));
  if (entry.read_only) port(node).Unprotect(RangeOf(granule));
  entry.mapped.Add(node);
  entry.read_only = false;
  return PageOutcome::kDone;
}

PageOutcome PageMap::DoTransfer(GranuleIndex granule, NodeId node) noexcept {
  return MakeOnlyHolder(granule, node);
}

PageOutcome PageMap::DoCollapse(GranuleIndex granule, NodeId node) noexcept {
  return MakeOnlyHolder(granule, node);
}

PageOutcome PageMap::DoDuplicate(GranuleIndex granule, NodeId node) noexcept {
  Entry& entry = At(granule);
  const AddressRange range = RangeOf(granule);
  const bool was_charged = entry.charged.Contains(node);
  const PageOutcome charged = ChargeTo(entry, node);
  if (charged != PageOutcome::kDone) return charged;
  if (!entry.read_only) {
    entry.mapped.ForEach([&](NodeId holder) { port(holder).Protect(range); });
  }
  const PageOutcome mapped = OutcomeOf(port(node).MapReadOnly(range));
  if (mapped != PageOutcome::kDone) {
    // A writer that nobody expects would fault for ever.
    if (!entry.read_only) {
      entry.mapped.ForEach(
          [&](NodeId holder) { port(holder).Unprotect(range); });
    }
    if (!was_charged) {
      entry.charged.Remove(node);
      ledger_.Remove(node, kGranule);
    }
    return mapped;
  }
  entry.read_only = true;
  entry.mapped.Add(node);
  return PageOutcome::kDone;
}

PageOutcome PageMap::DoMapRemote(GranuleIndex granule, NodeId node) noexcept {
  Entry& entry = At(granule);
  const PageOutcome mapped = OutcomeOf(port(node).Map(RangeOf(granule)));
  if (mapped != PageOutcome::kDone) return mapped;
  entry.mapped.Add(node);
  return PageOutcome::kDone;
}

void PageMap::DoDiscard(GranuleIndex granule) noexcept {
  Entry& entry = At(granule);
  PunchOut(granule);  // of every process's table: nothing is owed any more
  if (!entry.owed.empty()) --owed_count_;
  entry.owed = NodeSet();
  UnchargeAllBut(entry, NodeSet());
  if (entry.populated) ledger_.physical().Remove(kGranule);
  // Write protection that was set on the range must not outlive it.
  entry.mapped.ForEach([&](NodeId node) {
    if (entry.read_only) port(node).Unprotect(RangeOf(granule));
  });
  entry.mapped = NodeSet();
  entry.populated = false;
  entry.read_only = false;
}

void PageMap::Admit(AddressRange range) noexcept {
  for (NodePort& port : ports_) port.Restore(range);
}

PageMap::Debt PageMap::Settle() noexcept {
  Debt debt = Debt::kNone;
  for (NodePort& port : ports_) {
    port.RestoreOld();
    if (port.has_spoilt()) debt = Debt::kOwed;
  }
  const uint32_t count = window().granule_count();
  for (uint32_t seen = 0; owed_count_ > 0 && seen <= count; ++seen) {
    Entry& entry = entries_[owed_cursor_];
    if (!entry.owed.empty()) {
      UnmapAllBut(GranuleIndex(owed_cursor_), entry, entry.mapped);
      // Still late: not now, and without a search the next time.
      if (!entry.owed.empty()) return Debt::kOwed;
    }
    owed_cursor_ = (owed_cursor_ + 1) % count;
  }
  return debt;
}

}  // namespace npu::hal::emu
