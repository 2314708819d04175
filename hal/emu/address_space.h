// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// AddressSpace: the windows of an emulated NPU in the client's process.
//
//   managed window   one memfd, mapped at the same address by every process
//   device windows   a slice and a memfd per device; the client can touch none
//   aliases          the same memory, mapped where no fault is watched: what
//   the
//                    runtime itself reads and writes

#ifndef HAL_EMU_ADDRESS_SPACE_H_
#define HAL_EMU_ADDRESS_SPACE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/base/address_range.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"
#include "hal/emu/config.pb.h"
#include "hal/emu/file_descriptor.h"
#include "hal/emu/mapping.h"

namespace npu::hal::emu {

// Where the windows are; every process has them there.
struct WindowLayout {
  AddressRange managed;
  AddressRange devices;  // device_count slices
  ByteSize slice;
};

// What config asks for, or the defaults of this build: sanitizers keep the
// usual addresses for themselves. Error: kInvalidValue when windows overlap or
// do not fit.
absl::StatusOr<WindowLayout> PlanWindows(const EmulatorConfig& config);

// What it is: memory files and mappings. Owns them. Threads: constant after
// Open. Cost: O(devices) to open, whatever the sizes.
class AddressSpace {
 public:
  // Errors: as PlanWindows; kOutOfMemory.
  static absl::StatusOr<std::unique_ptr<AddressSpace>> Open(
      const EmulatorConfig& config);

  const WindowLayout& layout() const { return layout_; }
  GranuleWindow granules() const { return GranuleWindow(layout_.managed); }
  int managed_fd() const { return managed_fd_.get(); }
  int slice_fd(DeviceId device) const {
    return slice_fds_[static_cast<size_t>(device.value())].get();
  }
  AddressRange slice(DeviceId device) const;
  // Whose slice an address is in; nullopt outside the device windows.
  std::optional<DeviceId> SliceOf(Address address) const;

  // The same bytes where nothing is watched. `range` is inside the managed
  // window, or inside one slice.
  Address Alias(AddressRange range) const;

 private:
  AddressSpace(const WindowLayout& layout, Mapping managed, Mapping devices)
      : layout_(layout),
        managed_(std::move(managed)),
        devices_(std::move(devices)) {}

  WindowLayout layout_;
  FileDescriptor managed_fd_;
  std::vector<FileDescriptor> slice_fds_;
  Mapping managed_;
  Mapping devices_;
  std::vector<Mapping> aliases_;  // the managed one, then one per slice
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_ADDRESS_SPACE_H_
