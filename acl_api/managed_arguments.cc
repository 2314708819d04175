// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/managed_arguments.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "acl_api/arguments.h"
#include "acl_api/error_code.h"
#include "hal/base/byte_size.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

constexpr aclError kInvalid = ACL_ERROR_RT_PARAM_INVALID;
constexpr uint64_t kMostBytes = TiB(3).bytes();  // API page 11-05

absl::Status SpanFailure(const ManagedSpan& span, absl::string_view rule) {
  return Failure(
      kInvalid, absl::StrCat(span.pointer_name, " = 0x",
                             absl::Hex(Address::Of(span.pointer).value()), ", ",
                             span.size_name, " = ", span.size, ": ", rule));
}

absl::Status CheckSize(const ManagedSpan& span) {
  NPU_RETURN_IF_ERROR(NotZero(span.size_name, span.size, kInvalid));
  return NotAbove(span.size_name, span.size, {"3 TiB", kMostBytes}, kInvalid);
}

}  // namespace

absl::StatusOr<AddressRange> CheckManagedSpan(
    const hal::ManagedAllocation* managed, const ManagedSpan& span,
    SizeRule rule) {
  NPU_RETURN_IF_ERROR(CheckSize(span));
  const auto range =
      AddressRange::Make(Address::Of(span.pointer), ByteSize(span.size));
  if (!range.ok()) return SpanFailure(span, "the end wraps around");
  if (managed == nullptr) {
    return SpanFailure(span, "is not managed memory; the runtime is off");
  }
  if (!managed->Window().Contains(*range)) {
    return SpanFailure(span, "must lie in the window of managed memory");
  }
  if (rule == SizeRule::kGranules && !range->size().IsMultipleOf(kGranule)) {
    return SizeFailure(kInvalid, span.size_name, span.size,
                       "must be a multiple of 2 MiB");
  }
  const absl::Status live = managed->CheckLive(*range);
  if (!live.ok()) return SpanFailure(span, live.message());
  return *range;
}

absl::Status CheckLocationDevice(const Session& session, absl::string_view name,
                                 aclrtMemManagedLocation location) {
  if (location.type != ACL_MEM_LOCATIONTYPE_DEVICE) return absl::OkStatus();
  const Runtime* runtime = session.runtime_or_null();
  const int32_t count =
      runtime == nullptr ? kMaxDevices : runtime->description().device_count;
  return InInterval(name, location.id, {0, count - 1}, kInvalid);
}

absl::Status CheckLocationType(absl::string_view name,
                               aclrtMemManagedLocation location,
                               PlaceRule rule) {
  const int type = location.type;
  const int least = rule == PlaceRule::kNeeded ? 1 : 0;
  return InInterval(absl::StrCat(name, ".type"), type, {least, 4}, kInvalid);
}

absl::StatusOr<hal::Location> ToLocation(Runtime& runtime,
                                         absl::string_view name,
                                         aclrtMemManagedLocation location,
                                         PlaceRule rule) {
  if (rule == PlaceRule::kIgnored) return hal::Location::None();
  switch (location.type) {
    case ACL_MEM_LOCATIONTYPE_DEVICE:
      return hal::Location::Device(DeviceId(location.id));
    case ACL_MEM_LOCATIONTYPE_HOST:
      return hal::Location::Host();
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA:
      NPU_RETURN_IF_ERROR(InInterval(absl::StrCat(name, ".id"), location.id,
                                     {0, runtime.description().numa_nodes - 1},
                                     kInvalid));
      return hal::Location::Numa(hal::NumaNode(location.id));
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT:
      return hal::Location::Numa(runtime.driver().devices->CurrentNumaNode());
    default:
      return hal::Location::None();
  }
}

}  // namespace npu::acl
