// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ManagedMemory: the memory manager as a whole, and the face of this layer.
//
//   API threads, stream workers        the back end's service thread
//        |  allocate, advise, ...           |  faults
//        v                                  v
//   RangeAllocator, RangeIndex  --->  Pager: granule table, attributes
//        (one mutex)           commands     |
//                                           v  hal::PageResidency

#ifndef MM_MANAGED_MEMORY_H_
#define MM_MANAGED_MEMORY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/api/driver.h"
#include "hal/base/address_range.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"
#include "hal/base/ranked_mutex.h"
#include "mm/granule_table.h"
#include "mm/node_counters.h"
#include "mm/pager.h"
#include "mm/peer_query.h"
#include "mm/range_allocator.h"
#include "mm/range_index.h"

namespace npu::mm {

// What a copy or a fill is about to do to a range.
enum class CopyAccess : uint8_t { kRead, kWrite };

// What it is: managed memory over a back end that has page tables to offer. It
// implements the five managed parts of hal/api, so that what stands above does
// not see whether the driver or this layer supplies them. Owns the allocator,
// the index and the pager; borrows the driver's parts, which outlive it.
// Threads: every public method is safe from any thread, none may be called on
// the service thread. One mutex (LockRank::kManagedMemory) guards allocator and
// index writes and is never held while a command is waited for; queries take no
// lock. Cost: as said in hal/api; every change is a command to the pager, a hop
// of two context switches. Breaks: while FaultSource does not run, all that
// needs the pager answers kUnavailable.
class ManagedMemory final : public hal::ManagedAllocation,
                            public hal::ManagedAdvice,
                            public hal::ManagedBatchPrefetch,
                            public hal::ManagedQuery {
 public:
  // `parts` must have residency, faults, device_memory, host_memory and
  // devices. `peers` outlives the result. Errors: kInvalidValue when a part is
  // missing; kOutOfMemory when the tables cannot be had.
  static absl::StatusOr<std::unique_ptr<ManagedMemory>> Create(
      const hal::DriverParts& parts, const PeerQuery& peers);
  ~ManagedMemory() override;

  // What FaultSource::Start is to be given.
  hal::FaultSink& fault_sink() { return *pager_; }

  // Pointers to this object in all five roles.
  hal::ManagedParts Parts();

  // Readies the pieces of `range` that are live managed memory for the copy
  // engine: untouched granules are populated at `node`, a write ends read
  // mostly. Other pieces are left alone. Errors: kOutOfMemory, checked for the
  // whole range before anything changes.
  absl::Status PrepareCopy(AddressRange range, CopyAccess access, NodeId node);

  // Moves what lives on a device to the host. Error: kOutOfMemory when the host
  // has no room; what was moved until then stays at the host.
  absl::Status EvacuateDevice(DeviceId device);

  // Drops mappings that an accessor has by advice to memory of `owner`, which
  // it may not reach any more.
  absl::Status OnPeerDisabled(DeviceId owner, DeviceId accessor);

  // Frees every live allocation.
  absl::Status FreeAll();

  // Where the granule of an address lives; moves nothing. Error: kInvalidValue
  // when the address is not live managed memory.
  absl::StatusOr<GranuleState> Residency(Address address) const;

  // Since the start or the last reset; a moment's reading.
  NodeCounters Counters(NodeId node) const;
  void ResetCounters();

  // Recounts allocator, index and granule table. No other call may run.
  void CheckInvariants() const;

 private:
  explicit ManagedMemory(const hal::DriverParts& parts);

  absl::StatusOr<AddressRange> DoAllocate(ByteSize size,
                                          DeviceId current) override;
  absl::Status DoFree(Address begin) override;
  std::optional<hal::ManagedBlock> DoLocate(Address address) const override;
  absl::Status DoCheckLive(AddressRange range) const override;
  AddressRange DoWindow() const override;

  absl::Status DoAdvise(AddressRange range, hal::Advice advice,
                        hal::Location location) override;

  absl::StatusOr<hal::PrefetchTicket> DoAdmit(
      absl::Span<const hal::PrefetchRequest> requests) override;
  absl::Status DoRun(const hal::PrefetchTicket& ticket) override;

  absl::StatusOr<hal::ReadMostly> DoQueryReadMostly(
      AddressRange range) const override;
  absl::StatusOr<hal::Location> DoQueryPreferred(
      AddressRange range) const override;
  absl::StatusOr<std::vector<hal::Location>> DoQueryAccessedBy(
      AddressRange range) const override;
  absl::StatusOr<hal::Location> DoQueryLastPrefetch(
      AddressRange range) const override;

  // A place that exists here. Error: kInvalidValue.
  absl::Status CheckLocation(hal::Location location) const;
  // The pieces of a live range, one for each allocation in it.
  absl::Status AppendPieces(const hal::PrefetchRequest& request,
                            std::vector<hal::PrefetchPiece>& pieces) const;
  absl::Status PrefetchPieceNow(const hal::PrefetchPiece& piece);
  // Gives the granules of a dead allocation back.
  absl::Status Release(GranuleRange granules);

  const GranuleWindow window_;
  const hal::DriverParts parts_;
  mutable RankedMutex mutex_{LockRank::kManagedMemory};
  std::unique_ptr<RangeAllocator> allocator_ ABSL_GUARDED_BY(mutex_);
  // Written under mutex_, read by anybody.
  std::unique_ptr<RangeIndex> index_;
  std::unique_ptr<Pager> pager_;
};

}  // namespace npu::mm

#endif  // MM_MANAGED_MEMORY_H_
