// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ManagedAdvice: hints about managed memory.

#ifndef HAL_API_MANAGED_ADVICE_H_
#define HAL_API_MANAGED_ADVICE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "hal/api/location.h"
#include "hal/base/address_range.h"

namespace npu::hal {

// The numbers are those of the C ABI, which are also the driver's.
enum class Advice : uint8_t {
  kSetReadMostly = 0,
  kUnsetReadMostly = 1,
  kSetPreferredLocation = 2,
  kUnsetPreferredLocation = 3,
  kSetAccessedBy = 4,
  kUnsetAccessedBy = 5,
};

// What it is: sets and clears the properties of the granules that a range
// touches. Threads: any. Cost: O(granules). All or nothing where it fails.
class ManagedAdvice {
 public:
  virtual ~ManagedAdvice() = default;

  // `location` means: unset read mostly, the copy that stays (nowhere: the
  // host's); set preferred and accessed by, the place; ignored otherwise.
  // Errors: kInvalidValue when the range is not live, when a place is needed
  // and "nowhere" is given, or when the preferred location is refused (API page
  // 25-02: data that is mapped elsewhere does not move); kOutOfMemory.
  absl::Status Advise(AddressRange range, Advice advice, Location location) {
    return DoAdvise(range, advice, location);
  }

 private:
  virtual absl::Status DoAdvise(AddressRange range, Advice advice,
                                Location location) = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_MANAGED_ADVICE_H_
