// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/address_space.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

#if defined(__SANITIZE_ADDRESS__)
#define NPU_EMU_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define NPU_EMU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NPU_EMU_ASAN 1
#elif __has_feature(thread_sanitizer)
#define NPU_EMU_TSAN 1
#endif
#endif

namespace npu::hal::emu {
namespace {

// What this build leaves free (facts of the sanitizers' shadow layouts).
#if defined(NPU_EMU_ASAN)
constexpr uint64_t kManagedBase = 0x190000000000;
constexpr uint64_t kManagedBytes = TiB(3).bytes();
constexpr uint64_t kDeviceBase = 0x1d0000000000;
constexpr uint64_t kDeviceBytes = TiB(48).bytes();
#elif defined(NPU_EMU_TSAN)
constexpr uint64_t kManagedBase = 0x1000000000;
constexpr uint64_t kManagedBytes = GiB(384).bytes();
constexpr uint64_t kDeviceBase = 0x7000000000;
constexpr uint64_t kDeviceBytes = GiB(56).bytes();
#else
constexpr uint64_t kManagedBase = 0x90000000000;
constexpr uint64_t kManagedBytes = TiB(3).bytes();
constexpr uint64_t kDeviceBase = 0xd0000000000;
constexpr uint64_t kDeviceBytes = TiB(64).bytes();
#endif

uint64_t Or(uint64_t value, uint64_t otherwise) {
  return value != 0 ? value : otherwise;
}

absl::StatusOr<FileDescriptor> MakeMemory(const char* name, ByteSize size) {
  FileDescriptor fd(memfd_create(name, MFD_CLOEXEC));
  if (!fd.valid() ||
      ftruncate(fd.get(), static_cast<off_t>(size.bytes())) != 0) {
    return DriverError(DriverCode::kOutOfMemory,
                       absl::StrCat("no memory file of ", size.bytes(),
                                    " bytes: ", strerror(errno)));
  }
  return fd;
}

}  // namespace

absl::StatusOr<WindowLayout> PlanWindows(const EmulatorConfig& config) {
  const auto count = static_cast<uint64_t>(config.device_count());
  // A slice holds the device's memory, and no more than its share of what the
  // build has room for.
  const uint64_t share = kDeviceBytes / count / kGranule.bytes();
  const ByteSize slice =
      std::min(RoundUp(ByteSize(config.device_memory_bytes()), kGranule)
                   .value_or(kGranule),
               kGranule * share);
  const AddressRange managed =
      AddressRange::Of(Address(Or(config.window_base(), kManagedBase)),
                       ByteSize(Or(config.window_bytes(), kManagedBytes)));
  const AddressRange devices = AddressRange::Of(
      Address(Or(config.device_window_base(), kDeviceBase)), slice * count);
  if (managed.Overlaps(devices)) {
    return DriverError(DriverCode::kInvalidValue,
                       "the managed window and the device windows overlap: "
                       "see window_base and device_window_base");
  }
  return WindowLayout{managed, devices, slice};
}

absl::StatusOr<std::unique_ptr<AddressSpace>> AddressSpace::Open(
    const EmulatorConfig& config) {
  NPU_ASSIGN_OR_RETURN(const WindowLayout layout, PlanWindows(config));
  NPU_ASSIGN_OR_RETURN(FileDescriptor managed_fd,
                       MakeMemory("npu-managed", layout.managed.size()));
  NPU_ASSIGN_OR_RETURN(
      Mapping managed,
      Mapping::Make({"the managed window", layout.managed.begin(),
                     layout.managed.size(), managed_fd.get()}));
  NPU_ASSIGN_OR_RETURN(Mapping devices, Mapping::Make({"the device windows",
                                                       layout.devices.begin(),
                                                       layout.devices.size()}));
  auto space = std::unique_ptr<AddressSpace>(
      new AddressSpace(layout, std::move(managed), std::move(devices)));
  space->managed_fd_ = std::move(managed_fd);
  NPU_ASSIGN_OR_RETURN(
      Mapping alias,
      Mapping::Make({"the alias of the managed window", Address(0),
                     layout.managed.size(), space->managed_fd()}));
  space->aliases_.push_back(std::move(alias));
  for (int32_t d = 0; d < config.device_count(); ++d) {
    NPU_ASSIGN_OR_RETURN(FileDescriptor fd,
                         MakeMemory("npu-device", layout.slice));
    NPU_ASSIGN_OR_RETURN(Mapping slice,
                         Mapping::Make({"the alias of a device window",
                                        Address(0), layout.slice, fd.get()}));
    space->slice_fds_.push_back(std::move(fd));
    space->aliases_.push_back(std::move(slice));
  }
  return space;
}

AddressRange AddressSpace::slice(DeviceId device) const {
  const auto number = static_cast<uint64_t>(device.value());
  return AddressRange::Of(layout_.devices.begin() + layout_.slice * number,
                          layout_.slice);
}

std::optional<DeviceId> AddressSpace::SliceOf(Address address) const {
  if (!layout_.devices.Contains(address)) return std::nullopt;
  const uint64_t offset = (address - layout_.devices.begin()).bytes();
  return DeviceId(static_cast<int32_t>(offset / layout_.slice.bytes()));
}

Address AddressSpace::Alias(AddressRange range) const {
  if (layout_.managed.Contains(range)) {
    return aliases_[0].begin() + (range.begin() - layout_.managed.begin());
  }
  const std::optional<DeviceId> device = SliceOf(range.begin());
  NPU_CHECK(device && slice(*device).Contains(range));
  return aliases_[static_cast<size_t>(device->value()) + 1].begin() +
         (range.begin() - slice(*device).begin());
}

}  // namespace npu::hal::emu
