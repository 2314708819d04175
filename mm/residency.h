// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The residency machine: the states of a granule, what can happen to it, and
// the one table that says where that leads.

#ifndef MM_RESIDENCY_H_
#define MM_RESIDENCY_H_

#include <cstdint>
#include <string>

#include "hal/base/transition_table.h"

namespace npu::mm {

enum class ResidencyState : uint8_t {
  // Nobody has touched it: no bytes, no owner, no holder.
  kUnpopulated,
  // One copy, mapped read-write at its owner and nowhere else.
  kExclusive,
  // One copy at its owner; accessors (by advice) are mapped to it, too.
  kExclusiveRemote,
  // Read-only copies at one node or more, each charged; read mostly is set.
  kShared,
  // An owner with bytes and without a mapping: its process is new, or was lost.
  // Others may still be mapped.
  kOwnedUnmapped,
  kCount,
};

// What is done to a granule. Why it is done (a fault, advice, a prefetch) is
// decided elsewhere (fault_decision.h, pager.h); the machine knows only this.
enum class ResidencyEvent : uint8_t {
  kPopulate,    // zeroed memory for one node
  kTransfer,    // one node becomes owner and only holder
  kMapRemote,   // one more node is mapped to the owner's copy
  kDuplicate,   // one more read-only copy, or the first
  kCollapse,    // one copy of several stays, writable
  kRepair,      // a holder's mapping is made again: nothing changes
  kLoseHolder,  // a holder's mapping is gone, others hold on
  kLoseLast,    // the last holder's mapping is gone
  kLoseOwner,   // the owner's mapping of an exclusive copy is gone
  kDiscard,     // the memory is freed
  kCount,
};

inline constexpr auto kResidencyTable =
    MakeTransitionTable<ResidencyState, ResidencyEvent>({
        {ResidencyState::kUnpopulated, ResidencyEvent::kPopulate,
         ResidencyState::kExclusive},
        {ResidencyState::kUnpopulated, ResidencyEvent::kDiscard,
         ResidencyState::kUnpopulated},

        {ResidencyState::kExclusive, ResidencyEvent::kTransfer,
         ResidencyState::kExclusive},
        {ResidencyState::kExclusive, ResidencyEvent::kMapRemote,
         ResidencyState::kExclusiveRemote},
        {ResidencyState::kExclusive, ResidencyEvent::kDuplicate,
         ResidencyState::kShared},
        {ResidencyState::kExclusive, ResidencyEvent::kRepair,
         ResidencyState::kExclusive},
        {ResidencyState::kExclusive, ResidencyEvent::kLoseOwner,
         ResidencyState::kOwnedUnmapped},
        {ResidencyState::kExclusive, ResidencyEvent::kDiscard,
         ResidencyState::kUnpopulated},

        {ResidencyState::kExclusiveRemote, ResidencyEvent::kTransfer,
         ResidencyState::kExclusive},
        {ResidencyState::kExclusiveRemote, ResidencyEvent::kMapRemote,
         ResidencyState::kExclusiveRemote},
        {ResidencyState::kExclusiveRemote, ResidencyEvent::kRepair,
         ResidencyState::kExclusiveRemote},
        {ResidencyState::kExclusiveRemote, ResidencyEvent::kLoseHolder,
         ResidencyState::kExclusiveRemote},
        {ResidencyState::kExclusiveRemote, ResidencyEvent::kLoseLast,
         ResidencyState::kExclusive},
        {ResidencyState::kExclusiveRemote, ResidencyEvent::kLoseOwner,
         ResidencyState::kOwnedUnmapped},
        {ResidencyState::kExclusiveRemote, ResidencyEvent::kDiscard,
         ResidencyState::kUnpopulated},

        {ResidencyState::kShared, ResidencyEvent::kTransfer,
         ResidencyState::kExclusive},
        {ResidencyState::kShared, ResidencyEvent::kDuplicate,
         ResidencyState::kShared},
        {ResidencyState::kShared, ResidencyEvent::kCollapse,
         ResidencyState::kExclusive},
        {ResidencyState::kShared, ResidencyEvent::kRepair,
         ResidencyState::kShared},
        {ResidencyState::kShared, ResidencyEvent::kLoseHolder,
         ResidencyState::kShared},
        {ResidencyState::kShared, ResidencyEvent::kLoseLast,
         ResidencyState::kOwnedUnmapped},
        {ResidencyState::kShared, ResidencyEvent::kDiscard,
         ResidencyState::kUnpopulated},

        {ResidencyState::kOwnedUnmapped, ResidencyEvent::kTransfer,
         ResidencyState::kExclusive},
        {ResidencyState::kOwnedUnmapped, ResidencyEvent::kMapRemote,
         ResidencyState::kOwnedUnmapped},
        {ResidencyState::kOwnedUnmapped, ResidencyEvent::kRepair,
         ResidencyState::kOwnedUnmapped},
        {ResidencyState::kOwnedUnmapped, ResidencyEvent::kLoseHolder,
         ResidencyState::kOwnedUnmapped},
        {ResidencyState::kOwnedUnmapped, ResidencyEvent::kLoseLast,
         ResidencyState::kOwnedUnmapped},
        {ResidencyState::kOwnedUnmapped, ResidencyEvent::kDiscard,
         ResidencyState::kUnpopulated},
    });

static_assert(kResidencyTable.IsDeterministic());
static_assert(kResidencyTable.IsReachableFrom(ResidencyState::kUnpopulated));

// "Exclusive", "Transfer": the names of the values without their k.
const char* NameOf(ResidencyState state);
const char* NameOf(ResidencyEvent event);

// The table as Markdown: a row per state, a column per event, "-" where the
// machine has no answer. mm/README.md holds it.
std::string ResidencyTableAsMarkdown();

}  // namespace npu::mm

#endif  // MM_RESIDENCY_H_
