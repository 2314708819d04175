// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Arguments that several functions on managed memory share: locations and
// ranges.

#ifndef ACL_API_MANAGED_ARGUMENTS_H_
#define ACL_API_MANAGED_ARGUMENTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "acl/acl_rt_types.h"
#include "acl_api/session.h"
#include "hal/api/driver.h"
#include "hal/api/location.h"
#include "hal/base/address_range.h"

namespace npu::acl {

// A range as the caller gave it, with the names of its two parameters.
struct ManagedSpan {
  absl::string_view pointer_name = "ptr";
  const void* pointer = nullptr;
  absl::string_view size_name = "size";
  uint64_t size = 0;
};

// What a size must be, besides 1 byte to 3 TiB.
enum class SizeRule : uint8_t { kAny, kGranules };

// The range, if every byte of it is live managed memory. Errors, all 107000:
// the size is over 3 TiB or 0, the end wraps, the range leaves the window, the
// size is not a multiple of 2 MiB (kGranules), memory that is not live.
absl::StatusOr<AddressRange> CheckManagedSpan(
    const hal::ManagedAllocation* managed, const ManagedSpan& span,
    SizeRule rule);

// A device id inside a location: 107000 outside 0..n-1. Every other type
// passes. While the runtime is off there is no n, and only negative ids fail.
absl::Status CheckLocationDevice(const Session& session, absl::string_view name,
                                 aclrtMemManagedLocation location);

// Whether a function can do without a place.
enum class PlaceRule : uint8_t { kNeeded, kOptional, kIgnored };

// The type of a location: 107000 outside 0..4, and for INVALID where a place is
// needed.
absl::Status CheckLocationType(absl::string_view name,
                               aclrtMemManagedLocation location,
                               PlaceRule rule);

// The place that a location means; the device and the type were checked, the
// runtime is on. HOST_NUMA_CURRENT is the calling thread's node, now. Error:
// 107000 a NUMA node outside 0..numa_nodes-1 (not where it is ignored).
absl::StatusOr<hal::Location> ToLocation(Runtime& runtime,
                                         absl::string_view name,
                                         aclrtMemManagedLocation location,
                                         PlaceRule rule);

}  // namespace npu::acl

#endif  // ACL_API_MANAGED_ARGUMENTS_H_
