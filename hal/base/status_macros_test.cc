// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/status_macros.h"

#include <memory>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu {
namespace {

absl::Status Forward(const absl::Status& status, int* reached) {
  NPU_RETURN_IF_ERROR(status);
  ++*reached;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, ReturnIfErrorGoesOnWhenOk) {
  int reached = 0;
  EXPECT_THAT(Forward(absl::OkStatus(), &reached), IsOk());
  EXPECT_EQ(reached, 1);
}

TEST(StatusMacrosTest, ReturnIfErrorHandsTheStatusOn) {
  int reached = 0;
  EXPECT_THAT(Forward(absl::NotFoundError("gone"), &reached),
              StatusIs(absl::StatusCode::kNotFound, "gone"));
  EXPECT_EQ(reached, 0);
}

absl::StatusOr<int> Sum(absl::StatusOr<std::unique_ptr<int>> a,
                        const absl::StatusOr<int>& b) {
  NPU_ASSIGN_OR_RETURN(const std::unique_ptr<int> left, std::move(a));
  NPU_ASSIGN_OR_RETURN(const int right, b);
  return *left + right;
}

TEST(StatusMacrosTest, AssignOrReturnMovesTheValueOut) {
  EXPECT_THAT(Sum(std::make_unique<int>(2), 3), IsOkAndHolds(5));
}

TEST(StatusMacrosTest, AssignOrReturnHandsTheStatusOn) {
  EXPECT_THAT(Sum(absl::AbortedError("first"), 3),
              StatusIs(absl::StatusCode::kAborted, "first"));
  EXPECT_THAT(Sum(std::make_unique<int>(2), absl::InternalError("second")),
              StatusIs(absl::StatusCode::kInternal, "second"));
}

TEST(StatusMatchersTest, TellErrorsApart) {
  const absl::Status gone = absl::NotFoundError("gone");
  EXPECT_THAT(gone, testing::Not(IsOk()));
  EXPECT_THAT(gone, testing::Not(StatusIs(absl::StatusCode::kInternal)));
  EXPECT_THAT(gone,
              testing::Not(StatusIs(absl::StatusCode::kNotFound, "here")));
  EXPECT_THAT(absl::StatusOr<int>(gone), testing::Not(IsOkAndHolds(1)));
  EXPECT_THAT(absl::StatusOr<int>(2), testing::Not(IsOkAndHolds(1)));
}

}  // namespace
}  // namespace npu
