// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// GoogleTest matchers for absl::Status and absl::StatusOr (the installed Abseil
// has none). There is no "is not ok": name the error that is expected.
//
//   EXPECT_THAT(Free(address), IsOk());
//   EXPECT_THAT(Find(address), IsOkAndHolds(range));
//   EXPECT_THAT(Free(twice), StatusIs(absl::StatusCode::kNotFound));
//   EXPECT_THAT(Free(twice), StatusIs(code, HasSubstr("freed")));

#ifndef HAL_BASE_STATUS_MATCHERS_H_
#define HAL_BASE_STATUS_MATCHERS_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"

namespace npu {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

MATCHER(IsOk, "is ok") {
  if (StatusOf(arg).ok()) return true;
  *result_listener << "which is " << StatusOf(arg).ToString();
  return false;
}

MATCHER_P(IsOkAndHolds, inner, "is ok and holds a value that matches") {
  if (!arg.ok()) {
    *result_listener << "which is " << arg.status().ToString();
    return false;
  }
  using Value = std::decay_t<decltype(*arg)>;
  return testing::SafeMatcherCast<const Value&>(inner).MatchAndExplain(
      *arg, result_listener);
}

MATCHER_P(StatusIs, code, "has the code " + absl::StatusCodeToString(code)) {
  *result_listener << "which is " << StatusOf(arg).ToString();
  return StatusOf(arg).code() == code;
}

MATCHER_P2(StatusIs, code, text,
           "has the code " + absl::StatusCodeToString(code) +
               " and a message that matches") {
  *result_listener << "which is " << StatusOf(arg).ToString();
  return StatusOf(arg).code() == code &&
         testing::SafeMatcherCast<const std::string&>(text).Matches(
             std::string(StatusOf(arg).message()));
}

}  // namespace npu

#endif  // HAL_BASE_STATUS_MATCHERS_H_
