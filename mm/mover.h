// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Mover: does to one granule what was decided, in the page tables and in the
// table, so that the two never part.

#ifndef MM_MOVER_H_
#define MM_MOVER_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "hal/api/managed_query.h"
#include "hal/api/page_residency.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"
#include "mm/attributes.h"
#include "mm/bit_tree.h"
#include "mm/granule_table.h"
#include "mm/node_counters.h"
#include "mm/peer_query.h"

namespace npu::mm {

// The tables that the pager's thread writes.
struct PagerTables {
  // Error: kOutOfMemory.
  static absl::StatusOr<PagerTables> Make(uint32_t granules);

  GranuleTable granules;
  Attributes attributes;
  BitTree known;  // granules whose entry is not a fresh one
};

// What it is: the only writer of residency. Owns the tables; borrows the page
// tables (hal::PageResidency) and the peer rule. Threads: the pager's only; the
// tables' readers are anybody. Fault path: no lock, no allocation. Cost: each
// call O(holders) kernel calls. Breaks: calls that the residency table does not
// allow (checked).
//
// An outcome other than kDone leaves the granule as it was, except that a read
// mostly copy that could not be made may leave it exclusive.
class Mover {
 public:
  Mover(hal::PageResidency& residency, const PeerQuery& peers,
        PagerTables tables)
      : residency_(residency), peers_(peers), tables_(std::move(tables)) {}

  const PagerTables& tables() const { return tables_; }
  Attributes& attributes() { return tables_.attributes; }
  CounterBoard& counters() { return counters_; }
  const CounterBoard& counters() const { return counters_; }

  // Calls into the page tables so far.
  uint64_t moves() const { return moves_; }

  GranuleState StateOf(GranuleIndex granule) const {
    return tables_.granules.ReadOwn(granule);
  }
  // The first granule from `from` on whose entry is not a fresh one.
  std::optional<GranuleIndex> NextKnown(GranuleIndex from) const;
  // Whether an accessor by advice may be mapped to the owner's memory.
  hal::PeerReach ReachOf(const GranuleState& state, NodeId accessor) const;

  // The granule is unpopulated. Outcomes: as PageResidency::Populate.
  hal::PageOutcome Populate(GranuleIndex granule, NodeId node) noexcept;
  // Read mostly ends with it; accessors are mapped again.
  hal::PageOutcome Transfer(GranuleIndex granule, NodeId node) noexcept;
  // A read-only copy at `node`; sets read mostly.
  hal::PageOutcome Duplicate(GranuleIndex granule, NodeId node) noexcept;
  // The granule is shared; read mostly ends.
  hal::PageOutcome Collapse(GranuleIndex granule, NodeId node) noexcept;
  // The granule has an owner that `node` is not.
  hal::PageOutcome MapRemote(GranuleIndex granule, NodeId node) noexcept;
  // `node` is a holder, or the owner.
  hal::PageOutcome Repair(GranuleIndex granule, NodeId node) noexcept;
  // Drops the mappings of accessors and maps those that are accessors now.
  hal::PageOutcome RemapAccessors(GranuleIndex granule) noexcept;

  // Advice without a move.
  void SetAccessors(GranuleIndex granule, NodeSet accessors) noexcept;
  void ClearReadMostly(GranuleIndex granule) noexcept;
  // A device's process is gone, and with it its mappings.
  void LoseMapping(GranuleIndex granule, NodeId node) noexcept;
  // Back to a fresh entry.
  void Discard(GranuleIndex granule) noexcept;

  // Entries, the set of known ones and the attributes agree. O(granules).
  void CheckInvariants() const;

 private:
  // Moves the machine; aborts where the table has no answer.
  static void Step(GranuleState& state, ResidencyEvent event);
  void Commit(GranuleIndex granule, const GranuleState& state) noexcept;
  void CountMove(NodeId from, NodeId to) noexcept;
  void MapAccessors(GranuleIndex granule, GranuleState& state) noexcept;
  hal::PageOutcome TransferState(GranuleIndex granule, NodeId node,
                                 GranuleState& state) noexcept;

  // The page tables, counted.
  hal::PageResidency& Pages() {
    ++moves_;
    return residency_;
  }

  hal::PageResidency& residency_;
  const PeerQuery& peers_;
  PagerTables tables_;
  CounterBoard counters_;
  uint64_t moves_ = 0;
};

}  // namespace npu::mm

#endif  // MM_MOVER_H_
