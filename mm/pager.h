// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Pager: the single writer of residency. It serves faults and does the commands
// that the rest of mm posts, one granule at a time.

#ifndef MM_PAGER_H_
#define MM_PAGER_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/api/device_memory.h"
#include "hal/api/fault_sink.h"
#include "hal/api/fault_source.h"
#include "hal/api/host_memory.h"
#include "hal/api/page_residency.h"
#include "hal/base/granule.h"
#include "mm/command.h"
#include "mm/command_ring.h"
#include "mm/mover.h"
#include "mm/peer_query.h"
#include "mm/range_index.h"

namespace npu::mm {

// The parts of a back end that the pager works with; all outlive it.
struct PagerParts {
  hal::PageResidency* residency;
  hal::FaultSource* faults;
  const hal::DeviceMemory* device_memory;
  const hal::HostMemory* host_memory;
};

// What it is: the sink of faults and the taker of commands. Owns the mover with
// its tables, and the ring. Threads: OnFault, OnNodeLost and OnWork on the back
// end's service thread; Run from any other thread; the tables can be read by
// anybody. Fault path throughout: no lock, no allocation, no touch of the
// window. Cost: OnFault O(holders); OnWork one granule that moves, or some that
// do not, so that faults are served in the middle of a long command; a command
// that checks its whole range first does so in one piece, O(granules) table
// reads. Breaks: Run on the service thread, which would wait for itself.
class Pager final : public hal::FaultSink {
 public:
  // Error: kOutOfMemory.
  static absl::StatusOr<std::unique_ptr<Pager>> Make(const PagerParts& parts,
                                                     const RangeIndex& index,
                                                     const PeerQuery& peers);

  // Posts a command and waits for its end.
  CommandResult Run(const Command& command) {
    return ring_.Post(command, [this] { parts_.faults->Kick(); });
  }

  // From now on Run answers kStopped. FaultSource must have stopped.
  void Close() { ring_.Close(); }

  const PagerTables& tables() const { return mover_.tables(); }
  CounterBoard& counters() { return mover_.counters(); }
  const CounterBoard& counters() const { return mover_.counters(); }

  // Populated granules belong to live allocations. The service thread is idle.
  void CheckInvariants() const;

 private:
  Pager(const PagerParts& parts, const RangeIndex& index,
        const PeerQuery& peers, PagerTables tables)
      : parts_(parts),
        index_(index),
        mover_(*parts.residency, peers, std::move(tables)) {}

  hal::FaultVerdict DoOnFault(const hal::Fault& fault) noexcept override;
  void DoOnNodeLost(DeviceId device) noexcept override;
  hal::WorkState DoOnWork() noexcept override;

  hal::PageOutcome Serve(const hal::Fault& fault) noexcept;

  // What a command does before its first granule, which may be all of it.
  CommandResult Begin(const Command& command) noexcept;
  CommandResult CheckPreferred(const Command& command) const noexcept;
  // Whether the granules of the range that nobody touched fit in the budget.
  CommandResult CheckRoom(const Command& command) const noexcept;
  bool WillPopulate(const Command& command,
                    GranuleIndex granule) const noexcept;
  // The next granule that the command has something to do for.
  GranuleIndex NextGranule(const Command& command,
                           GranuleIndex from) const noexcept;
  CommandResult DoGranule(const Command& command,
                          GranuleIndex granule) noexcept;
  // What it does after its last granule.
  void End(const Command& command) noexcept;
  void Finish(CommandResult result) noexcept;
  // Whether the granule still belongs to what the command was made for.
  bool IsCurrent(const Command& command, GranuleIndex granule) const noexcept;

  hal::PageOutcome SetReadMostly(GranuleIndex granule) noexcept;
  hal::PageOutcome UnsetReadMostly(GranuleIndex granule, NodeId place) noexcept;
  hal::PageOutcome MakePreferred(GranuleIndex granule, NodeId node) noexcept;
  hal::PageOutcome AddAccessor(GranuleIndex granule,
                               hal::Location location) noexcept;
  hal::PageOutcome RemoveAccessor(GranuleIndex granule,
                                  hal::Location location) noexcept;
  hal::PageOutcome Prefetch(GranuleIndex granule, NodeId node) noexcept;
  hal::PageOutcome PrepareCopy(const Command& command,
                               GranuleIndex granule) noexcept;
  hal::PageOutcome Evacuate(GranuleIndex granule, NodeId node) noexcept;
  hal::PageOutcome ForgetPeer(GranuleIndex granule, NodeId owner,
                              NodeId accessor) noexcept;

  const PagerParts parts_;
  const RangeIndex& index_;
  Mover mover_;
  CommandRing ring_;
  // Of the command at the front of the ring.
  bool begun_ = false;
  GranuleIndex cursor_;
};

}  // namespace npu::mm

#endif  // MM_PAGER_H_
