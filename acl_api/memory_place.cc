// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/memory_place.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "acl_api/arguments.h"
#include "acl_api/error_code.h"
#include "hal/base/byte_size.h"
#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

constexpr aclError kInvalid = ACL_ERROR_RT_PARAM_INVALID;

absl::Status Misplaced(const MemorySpan& span, absl::string_view rule) {
  return PointerFailure(kInvalid, span.name, span.pointer,
                        absl::StrCat(span.size, " bytes from there ", rule));
}

absl::StatusOr<Place> WholeIn(const MemorySpan& span, const Place& place,
                              AddressRange block) {
  if (block.Contains(place.range)) return place;
  return Misplaced(span, "leave the allocation");
}

absl::StatusOr<Place> ManagedPlace(const hal::ManagedAllocation& managed,
                                   const MemorySpan& span, AddressRange range) {
  const absl::Status live = managed.CheckLive(range);
  if (!live.ok()) return Misplaced(span, live.message());
  return Place{PlaceKind::kManaged, range, DeviceId()};
}

// Memory that begins in no allocation must not run into one.
absl::StatusOr<Place> PageablePlace(const hal::DriverParts& driver,
                                    const MemorySpan& span,
                                    AddressRange range) {
  const Address last(range.end().value() - 1);
  const bool runs_in =
      (driver.device_memory != nullptr && driver.device_memory->Locate(last)) ||
      (driver.host_memory != nullptr && driver.host_memory->Locate(last));
  if (runs_in) return Misplaced(span, "run into an allocation");
  return Place{PlaceKind::kPageable, range, DeviceId()};
}

// One direction is enough: it is the device that may reach the other's memory
// that copies.
absl::Status CheckPeers(Runtime& runtime, const CopyPlaces& places) {
  const Place& to = places.destination;
  const Place& from = places.source;
  if (to.kind != PlaceKind::kDevice || from.kind != PlaceKind::kDevice ||
      to.device == from.device || runtime.MayCopy(from.device, to.device)) {
    return absl::OkStatus();
  }
  return Failure(
      ACL_ERROR_RT_NO_PERMISSION,
      absl::StrCat("src is memory of device ", from.device.value(),
                   " and dst of device ", to.device.value(),
                   ": peer access between them must be enabled first"));
}

// Populates managed memory, which the copy engine cannot.
absl::Status Prepare(Runtime& runtime, const Place& place,
                     mm::CopyAccess access, DeviceId device) {
  if (place.kind != PlaceKind::kManaged) return absl::OkStatus();
  return runtime.PrepareCopy(place.range, access, device);
}

}  // namespace

absl::StatusOr<Place> LocateMemory(Runtime& runtime, const MemorySpan& span) {
  const auto made =
      AddressRange::Make(Address::Of(span.pointer), ByteSize(span.size));
  if (!made.ok()) return Misplaced(span, "wrap around");
  const AddressRange range = *made;
  const hal::ManagedAllocation* managed = runtime.managed().allocation;
  if (managed != nullptr && managed->Window().Overlaps(range)) {
    return ManagedPlace(*managed, span, range);
  }
  const hal::DriverParts& driver = runtime.driver();
  if (driver.device_memory != nullptr) {
    if (const auto block = driver.device_memory->Locate(range.begin())) {
      return WholeIn(span, {PlaceKind::kDevice, range, block->device},
                     block->range);
    }
  }
  if (driver.host_memory != nullptr) {
    if (const auto block = driver.host_memory->Locate(range.begin())) {
      return WholeIn(span, {PlaceKind::kPinned, range, DeviceId()}, *block);
    }
  }
  return PageablePlace(driver, span, range);
}

absl::StatusOr<CopyPlaces> CheckCopy(Runtime& runtime,
                                     const CopyRequest& request) {
  NPU_ASSIGN_OR_RETURN(
      const Place to,
      LocateMemory(runtime, {"dst", request.destination, request.size}));
  NPU_ASSIGN_OR_RETURN(
      const Place from,
      LocateMemory(runtime, {"src", request.source, request.size}));
  const CopyPlaces places = {to, from};
  NPU_RETURN_IF_ERROR(CheckPeers(runtime, places));
  return places;
}

absl::Status CheckCopyKind(const CopyPlaces& places, aclrtMemcpyKind kind) {
  enum Side { kHost, kDevice, kEither };
  const auto side = [](const Place& place) {
    if (place.kind == PlaceKind::kManaged) return kEither;
    return place.kind == PlaceKind::kDevice ? kDevice : kHost;
  };
  const Side to = side(places.destination);
  const Side from = side(places.source);
  if (to == kHost && from == kHost) {
    return Failure(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                   "dst and src are both the host's: no stream copies that");
  }
  const bool to_device = kind == ACL_MEMCPY_HOST_TO_DEVICE ||
                         kind == ACL_MEMCPY_DEVICE_TO_DEVICE ||
                         kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  const bool from_device =
      kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const auto fits = [](Side have, bool want_device) {
    return have == kEither || (have == kDevice) == want_device;
  };
  if (kind == ACL_MEMCPY_DEFAULT ||
      (fits(to, to_device) && fits(from, from_device))) {
    return absl::OkStatus();
  }
  return ValueFailure(kInvalid, "kind", kind,
                      "contradicts the addresses dst and src");
}

absl::Status CopyNow(Runtime& runtime, const CopyRequest& request) {
  NPU_ASSIGN_OR_RETURN(const CopyPlaces places, CheckCopy(runtime, request));
  NPU_RETURN_IF_ERROR(
      Prepare(runtime, places.source, mm::CopyAccess::kRead, request.device));
  NPU_RETURN_IF_ERROR(Prepare(runtime, places.destination,
                              mm::CopyAccess::kWrite, request.device));
  NPU_ASSIGN_OR_RETURN(hal::CopyEngine * engine, runtime.Copies());
  return engine->Copy(places.destination.range.begin(), places.source.range);
}

absl::StatusOr<Place> CheckFill(Runtime& runtime, const FillRequest& request) {
  const MemorySpan span = {"devPtr", request.destination, request.size};
  NPU_ASSIGN_OR_RETURN(const Place place, LocateMemory(runtime, span));
  if (place.kind != PlaceKind::kPageable) return place;
  return Misplaced(span, "are not memory of this runtime");
}

absl::Status FillNow(Runtime& runtime, const FillRequest& request) {
  NPU_ASSIGN_OR_RETURN(const Place place, CheckFill(runtime, request));
  NPU_RETURN_IF_ERROR(
      Prepare(runtime, place, mm::CopyAccess::kWrite, request.device));
  NPU_ASSIGN_OR_RETURN(hal::CopyEngine * engine, runtime.Copies());
  return engine->Fill(place.range, request.value);
}

}  // namespace npu::acl
