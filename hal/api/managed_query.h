// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ManagedQuery: what is known about a range of managed memory.

#ifndef HAL_API_MANAGED_QUERY_H_
#define HAL_API_MANAGED_QUERY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/api/location.h"
#include "hal/base/address_range.h"

namespace npu::hal {

enum class ReadMostly : uint8_t { kNo, kYes };

// What it is: the properties of the granules that a range touches, when they
// all agree (API page 25-02). Threads: any; no lock of a writer is waited for.
// Cost: O(log granules). Error of all four: kInvalidValue when the range is not
// live.
class ManagedQuery {
 public:
  virtual ~ManagedQuery() = default;

  // kYes when every granule is.
  absl::StatusOr<ReadMostly> QueryReadMostly(AddressRange range) const {
    return DoQueryReadMostly(range);
  }
  // The common preferred location; nowhere when mixed or not set.
  absl::StatusOr<Location> QueryPreferred(AddressRange range) const {
    return DoQueryPreferred(range);
  }
  // Those that are accessors of every granule: devices by number, then the
  // host, then NUMA nodes.
  absl::StatusOr<std::vector<Location>> QueryAccessedBy(
      AddressRange range) const {
    return DoQueryAccessedBy(range);
  }
  // The common last prefetch request; nowhere when mixed or none.
  absl::StatusOr<Location> QueryLastPrefetch(AddressRange range) const {
    return DoQueryLastPrefetch(range);
  }

 private:
  virtual absl::StatusOr<ReadMostly> DoQueryReadMostly(
      AddressRange range) const = 0;
  virtual absl::StatusOr<Location> DoQueryPreferred(
      AddressRange range) const = 0;
  virtual absl::StatusOr<std::vector<Location>> DoQueryAccessedBy(
      AddressRange range) const = 0;
  virtual absl::StatusOr<Location> DoQueryLastPrefetch(
      AddressRange range) const = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_MANAGED_QUERY_H_
