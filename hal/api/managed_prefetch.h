// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ManagedPrefetch: moves managed memory before it is touched. Streams are not
// the driver's: a prefetch is admitted when it is queued and run when its turn
// comes, which may be after the memory was freed.

#ifndef HAL_API_MANAGED_PREFETCH_H_
#define HAL_API_MANAGED_PREFETCH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/api/location.h"
#include "hal/base/address_range.h"

namespace npu::hal {

struct PrefetchRequest {
  AddressRange range;
  Location location;  // not "nowhere"
};

// One request as admitted: the pieces of it that lie in one allocation each, by
// the generation of that allocation, so that a later owner is never touched.
struct PrefetchPiece {
  AddressRange range;
  Location location;
  uint64_t generation = 0;
};

// What ManagedPrefetch::Admit answers and Run takes; a value.
struct PrefetchTicket {
  std::vector<PrefetchPiece> pieces;
};

// What it is: prefetch in two steps. Threads: any. Cost: Admit is O(requests +
// allocations touched), Run is O(granules).
class ManagedPrefetch {
 public:
  virtual ~ManagedPrefetch() = default;

  // Checks all requests, then notes them as each range's last prefetch: all or
  // nothing. Errors: kInvalidValue when a range is not live or a location is
  // "nowhere".
  absl::StatusOr<PrefetchTicket> Admit(
      absl::Span<const PrefetchRequest> requests);

  // Moves the data, in the order of the requests. Errors: kInvalidValue when an
  // allocation was freed meanwhile (the others are still moved); kOutOfMemory.
  absl::Status Run(const PrefetchTicket& ticket) { return DoRun(ticket); }

 private:
  virtual absl::StatusOr<PrefetchTicket> DoAdmit(
      absl::Span<const PrefetchRequest> requests) = 0;
  virtual absl::Status DoRun(const PrefetchTicket& ticket) = 0;
};

// What it is: the same for a list of requests in one call. A capability of its
// own, since a driver may have the single form only. Threads, cost: as above.
class ManagedBatchPrefetch : public ManagedPrefetch {};

}  // namespace npu::hal

#endif  // HAL_API_MANAGED_PREFETCH_H_
