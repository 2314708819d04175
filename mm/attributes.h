// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Attributes: the properties of granules that queries ask for and faults do
// not.

#ifndef MM_ATTRIBUTES_H_
#define MM_ATTRIBUTES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "hal/api/location.h"
#include "hal/api/managed_query.h"
#include "hal/base/granule.h"
#include "mm/attribute_map.h"

namespace npu::mm {

// NUMA nodes that can be accessors by name: one bit of a word each, beside the
// host's.
inline constexpr int32_t kMaxNumaNodes = 63;

// What it is: one AttributeMap per property. Owns them. Threads: one writer,
// the pager; readers lock-free. Cost: O(log granules) each, accessed-by
// O(runs).
class Attributes {
 public:
  // Error: kOutOfMemory.
  static absl::StatusOr<Attributes> Make(uint32_t granules);

  // Readers'. Mixed answers "no" and nowhere.
  hal::ReadMostly ReadMostlyOf(GranuleRange range) const;
  hal::Location PreferredOf(GranuleRange range) const;
  hal::Location LastPrefetchOf(GranuleRange range) const;
  // Accessors of every granule: devices by number, then the host, then NUMA
  // nodes by number.
  std::vector<hal::Location> AccessorsOf(GranuleRange range) const;

  // The writer's.
  void SetReadMostly(GranuleRange range, hal::ReadMostly value);
  void SetPreferred(GranuleRange range, hal::Location location);
  void SetLastPrefetch(GranuleRange range, hal::Location location);
  void AddAccessor(GranuleIndex granule, hal::Location location);
  void RemoveAccessor(GranuleIndex granule, hal::Location location);
  // Whether the host or any NUMA node of it is an accessor of a granule.
  bool HostIsAccessor(GranuleIndex granule) const {
    return host_accessors_.Get(granule) != 0;
  }
  // Back to what a fresh allocation has.
  void Clear(GranuleRange range);

  void CheckInvariants() const;

 private:
  Attributes(AttributeMap read_mostly, AttributeMap preferred,
             AttributeMap last_prefetch, AttributeMap device_accessors,
             AttributeMap host_accessors);

  AttributeMap& MapOf(hal::Location accessor) {
    return accessor.kind() == hal::Location::Kind::kDevice ? device_accessors_
                                                           : host_accessors_;
  }

  AttributeMap read_mostly_;
  AttributeMap preferred_;
  AttributeMap last_prefetch_;
  AttributeMap device_accessors_;  // bit d: device d
  AttributeMap host_accessors_;    // bit 0: the host, bit n + 1: NUMA node n
};

}  // namespace npu::mm

#endif  // MM_ATTRIBUTES_H_
