// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/range_attribute.h"

#include <cstring>

#include "acl_api/arguments.h"
#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

using Words = std::vector<int32_t>;

constexpr int32_t kNothing = -2;

enum class LocationPart { kNumber, kType };

// hal::Location has the numbers that the interface prints.
Words Part(hal::Location location, LocationPart part) {
  if (part == LocationPart::kType) return {static_cast<int>(location.kind())};
  return {location.number()};
}

absl::StatusOr<Words> Preferred(const hal::ManagedQuery& query,
                                AddressRange range, LocationPart part) {
  NPU_ASSIGN_OR_RETURN(const hal::Location location,
                       query.QueryPreferred(range));
  return Part(location, part);
}

absl::StatusOr<Words> LastPrefetch(const hal::ManagedQuery& query,
                                   AddressRange range, LocationPart part) {
  NPU_ASSIGN_OR_RETURN(const hal::Location location,
                       query.QueryLastPrefetch(range));
  return Part(location, part);
}

absl::StatusOr<Words> Accessors(const hal::ManagedQuery& query,
                                AddressRange range) {
  NPU_ASSIGN_OR_RETURN(const std::vector<hal::Location> accessors,
                       query.QueryAccessedBy(range));
  Words words;
  for (const hal::Location accessor : accessors) {
    words.push_back(accessor.number());
  }
  return words;
}

absl::StatusOr<Words> IsReadMostly(const hal::ManagedQuery& query,
                                   AddressRange range) {
  NPU_ASSIGN_OR_RETURN(const hal::ReadMostly answer,
                       query.QueryReadMostly(range));
  return Words{answer == hal::ReadMostly::kYes ? 1 : 0};
}

}  // namespace

absl::Status CheckDataSize(const AttributeRequest& request) {
  const bool fits =
      request.attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY
          ? request.data_size != 0 && request.data_size % sizeof(int32_t) == 0
          : request.data_size == sizeof(int32_t);
  if (fits) return absl::OkStatus();
  return SizeFailure(ACL_ERROR_RT_PARAM_INVALID, request.size_name,
                     request.data_size,
                     "must be 4, or a multiple of 4 above 0 for ACCESSED_BY");
}

absl::StatusOr<Words> QueryAttribute(const hal::ManagedQuery& query,
                                     AddressRange range,
                                     aclrtMemManagedRangeAttribute attribute) {
  switch (attribute) {
    case ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      return IsReadMostly(query, range);
    case ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
      return Accessors(query, range);
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      return Preferred(query, range, LocationPart::kNumber);
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      return Preferred(query, range, LocationPart::kType);
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      return LastPrefetch(query, range, LocationPart::kNumber);
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      return LastPrefetch(query, range, LocationPart::kType);
  }
  // A broken check of ours, not of the caller's.
  return absl::InternalError("an attribute that was not checked");
}

void WriteAnswer(const Words& words, const AttributeRequest& request) {
  char* to = static_cast<char*>(request.data);
  const size_t room = request.data_size / sizeof(int32_t);
  for (size_t i = 0; i < room; ++i) {
    const int32_t word = i < words.size() ? words[i] : kNothing;
    std::memcpy(to + i * sizeof word, &word, sizeof word);  // any alignment
  }
}

}  // namespace npu::acl
