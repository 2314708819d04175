// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Checks of single arguments. Each answers OK or a Failure whose text names the
// parameter, its value and the rule. The caller says the code, since the same
// rule has different codes in different functions (facts 1.0.1).

#ifndef ACL_API_ARGUMENTS_H_
#define ACL_API_ARGUMENTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "acl/acl_base.h"

namespace npu::acl {

// "NAME = VALUE: RULE" with `code`. Pointers print in hexadecimal.
absl::Status ValueFailure(aclError code, absl::string_view name, int64_t value,
                          absl::string_view rule);
absl::Status SizeFailure(aclError code, absl::string_view name, uint64_t value,
                         absl::string_view rule);
absl::Status PointerFailure(aclError code, absl::string_view name,
                            const void* value, absl::string_view rule);

// `value` must not be NULL.
absl::Status NotNull(absl::string_view name, const void* value,
                     aclError code = ACL_ERROR_INVALID_PARAM);

// `value` must not be 0.
absl::Status NotZero(absl::string_view name, uint64_t value,
                     aclError code = ACL_ERROR_INVALID_PARAM);

// `value` is reserved and must be 0.
absl::Status Reserved(absl::string_view name, uint64_t value,
                      aclError code = ACL_ERROR_INVALID_PARAM);

// What a value of an enumeration may be, both ends included.
struct Interval {
  int64_t least;
  int64_t most;
};

// `value` must be in `interval`. The value is not narrowed on its way here.
absl::Status InInterval(absl::string_view name, int64_t value,
                        Interval interval,
                        aclError code = ACL_ERROR_RT_PARAM_INVALID);

// `value` must not be above `limit`, which `limit_name` names.
struct Limit {
  absl::string_view name;
  uint64_t value;
};
absl::Status NotAbove(absl::string_view name, uint64_t value, Limit limit,
                      aclError code = ACL_ERROR_RT_PARAM_INVALID);

// The status of a call below, which knows no parameters, with the parameter
// that it is about in front of its text: "NAME = VALUE: TEXT". The code and OK
// stay what they are.
absl::Status AboutSize(absl::string_view name, uint64_t value,
                       const absl::Status& status);
absl::Status AboutId(absl::string_view name, int64_t value,
                     const absl::Status& status);
absl::Status AboutText(absl::string_view name, absl::string_view value,
                       const absl::Status& status);
absl::Status AboutPointer(absl::string_view name, const void* value,
                          const absl::Status& status);

}  // namespace npu::acl

#endif  // ACL_API_ARGUMENTS_H_
