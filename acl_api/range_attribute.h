// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The attributes of managed ranges: what size each one has and what it answers
// (facts 2.6).

#ifndef ACL_API_RANGE_ATTRIBUTE_H_
#define ACL_API_RANGE_ATTRIBUTE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "acl/acl_rt_types.h"
#include "hal/api/managed_query.h"
#include "hal/base/address_range.h"

namespace npu::acl {

// One question, copied from the caller's arrays.
struct AttributeRequest {
  aclrtMemManagedRangeAttribute attribute;  // 1..8
  void* data;                               // not NULL
  size_t data_size;                         // bytes at data
  std::string size_name;                    // the parameter, for error texts
};

// Error: 107000, the size does not fit the attribute: 4 bytes, or a multiple of
// 4 that is not 0 for ACCESSED_BY.
absl::Status CheckDataSize(const AttributeRequest& request);

// The words of the answer: one, or one per accessor. Error: what the query
// answers. O(log granules).
absl::StatusOr<std::vector<int32_t>> QueryAttribute(
    const hal::ManagedQuery& query, AddressRange range,
    aclrtMemManagedRangeAttribute attribute);

// Writes the words to the caller's memory, as many as there is room for; the
// rest of it becomes -2. Holds no lock: the memory may be managed itself.
void WriteAnswer(const std::vector<int32_t>& words,
                 const AttributeRequest& request);

}  // namespace npu::acl

#endif  // ACL_API_RANGE_ATTRIBUTE_H_
