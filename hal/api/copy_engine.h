// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// CopyEngine: moves and fills bytes anywhere without a page fault.

#ifndef HAL_API_COPY_ENGINE_H_
#define HAL_API_COPY_ENGINE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "hal/base/address_range.h"

namespace npu::hal {

// What it is: the DMA of the device. It reads and writes host memory, device
// memory and populated managed memory by physical address, as it were:
// residency does not change. Threads: any, many at once; no lock is held while
// bytes move. Cost: O(size). Breaks: managed granules must be populated (mm
// sees to that); plain host pointers must be readable or writable, as for
// memcpy.
class CopyEngine {
 public:
  virtual ~CopyEngine() = default;

  // Copies source.size() bytes to `destination`; the ranges may overlap.
  // Errors: kInvalidValue when a range that begins in a device window is not
  // inside one live block, or the destination wraps; a driver code when the
  // copy fails.
  absl::Status Copy(Address destination, AddressRange source);

  // Writes `value` to each byte. Errors: as Copy.
  absl::Status Fill(AddressRange destination, uint8_t value) {
    return DoFill(destination, value);
  }

 private:
  virtual absl::Status DoCopy(AddressRange destination,
                              AddressRange source) = 0;
  virtual absl::Status DoFill(AddressRange destination, uint8_t value) = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_COPY_ENGINE_H_
