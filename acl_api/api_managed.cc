// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The C functions on managed memory but for the prefetches: allocation, advice,
// queries, and what a pointer is.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "acl/acl_rt_managed.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/managed_arguments.h"
#include "acl_api/range_attribute.h"
#include "acl_api/session.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

constexpr hal::Feature kManaged = hal::Feature::kManagedMemory;

// ------------------------------------------------------------- allocation --

absl::Status AllocManaged(void** ptr, uint64_t size) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  NPU_RETURN_IF_ERROR(session.Require(kManaged, "aclrtMemAllocManaged"));
  const auto range = session.runtime_or_null()->managed().allocation->Allocate(
      ByteSize(size), context->device());
  if (!range.ok()) return AboutSize("size", size, range.status());
  *ptr = range->begin().pointer();
  return absl::OkStatus();
}

// ----------------------------------------------------------------- advice --

// Whether an advice can do without a place.
PlaceRule RuleOf(hal::Advice advice) {
  switch (advice) {
    case hal::Advice::kSetReadMostly:
    case hal::Advice::kUnsetPreferredLocation:
      return PlaceRule::kIgnored;
    case hal::Advice::kUnsetReadMostly:
      return PlaceRule::kOptional;
    default:
      return PlaceRule::kNeeded;
  }
}

absl::Status Advise(const ManagedSpan& span, int advise,
                    aclrtMemManagedLocation location) {
  NPU_RETURN_IF_ERROR(InInterval("advise", advise, {0, 5}));
  const auto advice = static_cast<hal::Advice>(advise);
  const Session session;
  NPU_RETURN_IF_ERROR(CheckLocationDevice(session, "location.id", location));
  NPU_RETURN_IF_ERROR(session.CurrentContext().status());
  NPU_RETURN_IF_ERROR(session.Require(kManaged, "aclrtMemManagedAdvise"));
  Runtime& runtime = *session.runtime_or_null();
  const PlaceRule rule = RuleOf(advice);
  NPU_RETURN_IF_ERROR(CheckLocationType("location", location, rule));
  NPU_ASSIGN_OR_RETURN(const hal::Location place,
                       ToLocation(runtime, "location", location, rule));
  const hal::ManagedParts& parts = runtime.managed();
  NPU_ASSIGN_OR_RETURN(
      const AddressRange range,
      CheckManagedSpan(parts.allocation, span, SizeRule::kGranules));
  return AboutId("location.id", location.id,
                 parts.advice->Advise(range, advice, place));
}

// ---------------------------------------------------------------- queries --

using Answers = std::vector<std::vector<int32_t>>;

absl::StatusOr<Answers> AskAll(const hal::ManagedQuery& query,
                               AddressRange range,
                               const std::vector<AttributeRequest>& requests) {
  Answers answers;
  for (const AttributeRequest& request : requests) {
    NPU_ASSIGN_OR_RETURN(std::vector<int32_t> answer,
                         QueryAttribute(query, range, request.attribute));
    answers.push_back(std::move(answer));
  }
  return answers;
}

// All or nothing: every request is checked and answered before one is written.
absl::Status Query(const std::vector<AttributeRequest>& requests,
                   const ManagedSpan& span) {
  const Session session;
  NPU_RETURN_IF_ERROR(session.Require(kManaged, "a query of managed memory"));
  Runtime* const runtime = session.runtime_or_null();
  const hal::ManagedParts parts =
      runtime == nullptr ? hal::ManagedParts() : runtime->managed();
  NPU_ASSIGN_OR_RETURN(
      const AddressRange range,
      CheckManagedSpan(parts.allocation, span, SizeRule::kAny));
  for (const AttributeRequest& request : requests) {
    NPU_RETURN_IF_ERROR(CheckDataSize(request));
  }
  NPU_ASSIGN_OR_RETURN(const Answers answers,
                       AskAll(*parts.query, range, requests));
  for (size_t i = 0; i < requests.size(); ++i) {
    WriteAnswer(answers[i], requests[i]);
  }
  return absl::OkStatus();
}

absl::Status CheckAttribute(absl::string_view name, int attribute) {
  return InInterval(name, attribute, {1, 8});
}

// The caller's three arrays, as they are at the call.
struct AttributeArrays {
  const aclrtMemManagedRangeAttribute* attributes;
  void* const* data;
  const size_t* sizes;
  size_t count;
};

absl::StatusOr<std::vector<AttributeRequest>> CopyRequests(
    const AttributeArrays& arrays) {
  const std::vector<aclrtMemManagedRangeAttribute> attributes(
      arrays.attributes, arrays.attributes + arrays.count);
  for (size_t i = 0; i < arrays.count; ++i) {
    NPU_RETURN_IF_ERROR(
        CheckAttribute(absl::StrCat("attributes[", i, "]"), attributes[i]));
  }
  std::vector<AttributeRequest> requests;
  for (size_t i = 0; i < arrays.count; ++i) {
    void* const data = arrays.data[i];
    NPU_RETURN_IF_ERROR(NotNull(absl::StrCat("data[", i, "]"), data,
                                ACL_ERROR_RT_PARAM_INVALID));
    requests.push_back({attributes[i], data, arrays.sizes[i],
                        absl::StrCat("dataSizes[", i, "]")});
  }
  return requests;
}

// ---------------------------------------------------- what a pointer is --

constexpr uint32_t kBasePage = 4096;

void Describe(const hal::ManagedBlock& block, aclrtPtrAttributes* out) {
  out->location.type = ACL_MEM_LOCATION_TYPE_MANAGED;
  out->location.id = static_cast<uint32_t>(block.device.value());
  out->pageSize = static_cast<uint32_t>(kGranule.bytes());
}

void Describe(const hal::DeviceBlock& block, aclrtPtrAttributes* out) {
  out->location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  out->location.id = static_cast<uint32_t>(block.device.value());
  out->pageSize = static_cast<uint32_t>(block.page_size.bytes());
}

void Describe(const AddressRange&, aclrtPtrAttributes* out) {
  out->location.type = ACL_MEM_LOCATION_TYPE_HOST;
  out->pageSize = kBasePage;
}

// Fills `out` when `part` knows the address.
template <typename Part>
bool DescribeBy(const Part* part, Address address, aclrtPtrAttributes* out) {
  if (part == nullptr) return false;
  const auto block = part->Locate(address);
  if (!block.has_value()) return false;
  Describe(*block, out);
  return true;
}

aclrtPtrAttributes Describe(const Runtime* runtime, Address address) {
  aclrtPtrAttributes out = {};
  out.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
  if (runtime == nullptr) return out;
  const hal::DriverParts& driver = runtime->driver();
  if (!DescribeBy(runtime->managed().allocation, address, &out) &&
      !DescribeBy(driver.device_memory, address, &out)) {
    DescribeBy(driver.host_memory, address, &out);
  }
  return out;
}

absl::Status PointerAttributes(const void* ptr, aclrtPtrAttributes* out) {
  const Session session;
  NPU_RETURN_IF_ERROR(session.Require(hal::Feature::kPointerAttributes,
                                      "aclrtPointerGetAttributes"));
  *out = Describe(session.runtime_or_null(), Address::Of(ptr));
  return absl::OkStatus();
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptr", ptr));
    NPU_RETURN_IF_ERROR(InInterval(
        "flag", flag, {ACL_RT_MEM_ATTACH_GLOBAL, ACL_RT_MEM_ATTACH_GLOBAL},
        ACL_ERROR_INVALID_PARAM));
    NPU_RETURN_IF_ERROR(NotZero("size", size, ACL_ERROR_RT_PARAM_INVALID));
    return AllocManaged(ptr, size);
  });
}

aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size,
                               aclrtMemManagedAdviseType advise,
                               aclrtMemManagedLocation location) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptr", ptr));
    NPU_RETURN_IF_ERROR(NotZero("size", size));
    return Advise({"ptr", ptr, "size", size}, advise, location);
  });
}

aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute,
                                const void* ptr, size_t size, void* data,
                                size_t dataSize) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptr", ptr));
    NPU_RETURN_IF_ERROR(NotNull("data", data));
    NPU_RETURN_IF_ERROR(NotZero("size", size));
    NPU_RETURN_IF_ERROR(CheckAttribute("attribute", attribute));
    return Query({{attribute, data, dataSize, "dataSize"}},
                 {"ptr", ptr, "size", size});
  });
}

aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute* attributes,
                                 size_t numAttributes, const void* ptr,
                                 size_t size, void** data, size_t* dataSizes) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptr", ptr));
    NPU_RETURN_IF_ERROR(NotNull("attributes", attributes));
    NPU_RETURN_IF_ERROR(NotNull("data", data));
    NPU_RETURN_IF_ERROR(NotNull("dataSizes", dataSizes));
    NPU_RETURN_IF_ERROR(NotZero("size", size));
    NPU_RETURN_IF_ERROR(
        NotZero("numAttributes", numAttributes, ACL_ERROR_RT_PARAM_INVALID));
    NPU_ASSIGN_OR_RETURN(
        const std::vector<AttributeRequest> requests,
        CopyRequests({attributes, data, dataSizes, numAttributes}));
    return Query(requests, {"ptr", ptr, "size", size});
  });
}

aclError aclrtPointerGetAttributes(const void* ptr,
                                   aclrtPtrAttributes* attributes) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptr", ptr));
    NPU_RETURN_IF_ERROR(NotNull("attributes", attributes));
    return PointerAttributes(ptr, attributes);
  });
}
