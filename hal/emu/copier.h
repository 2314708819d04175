// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Copier: the copy engine of the emulated NPU.

#ifndef HAL_EMU_COPIER_H_
#define HAL_EMU_COPIER_H_

#include "absl/status/statusor.h"
#include "hal/api/copy_engine.h"
#include "hal/emu/address_space.h"
#include "hal/emu/device_heap.h"

namespace npu::hal::emu {

// What it is: memmove and memset on the unwatched aliases of the windows, and
// on plain host memory as it is. Borrows address space and heap. Threads: any,
// without a lock. Cost: O(size).
class Copier final : public CopyEngine {
 public:
  Copier(const AddressSpace& space, const DeviceHeap& heap)
      : space_(space), heap_(heap) {}

 private:
  absl::Status DoCopy(AddressRange destination, AddressRange source) override;
  absl::Status DoFill(AddressRange destination, uint8_t value) override;

  // Where the runtime itself reaches a range. Error: kInvalidValue when it is
  // only partly in a window, or not inside a live block of a device.
  absl::StatusOr<Address> Reach(AddressRange range) const;

  const AddressSpace& space_;
  const DeviceHeap& heap_;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_COPIER_H_
