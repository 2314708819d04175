// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/driver_code.h"

#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu {
namespace {

struct Row {
  DriverCode driver;
  absl::StatusCode status;
};

class DriverCodeTest : public testing::TestWithParam<Row> {};

TEST_P(DriverCodeTest, TravelsInAStatus) {
  const absl::Status status = DriverError(GetParam().driver, "why");
  EXPECT_THAT(status, StatusIs(GetParam().status, "why"));
  EXPECT_EQ(DriverCodeOf(status), GetParam().driver);
}

INSTANTIATE_TEST_SUITE_P(
    AllCodes, DriverCodeTest,
    testing::Values(
        Row{DriverCode::kNoDevice, absl::StatusCode::kUnavailable},
        Row{DriverCode::kInvalidDevice, absl::StatusCode::kInvalidArgument},
        Row{DriverCode::kInvalidValue, absl::StatusCode::kInvalidArgument},
        Row{DriverCode::kInvalidHandle, absl::StatusCode::kInvalidArgument},
        Row{DriverCode::kOutOfMemory, absl::StatusCode::kResourceExhausted},
        Row{DriverCode::kInternal, absl::StatusCode::kInternal},
        Row{DriverCode::kNoResources, absl::StatusCode::kResourceExhausted},
        Row{DriverCode::kBusDown, absl::StatusCode::kUnavailable},
        Row{DriverCode::kOverLimit, absl::StatusCode::kResourceExhausted},
        Row{DriverCode::kNotPermitted, absl::StatusCode::kPermissionDenied},
        Row{DriverCode::kNotSupported, absl::StatusCode::kUnimplemented},
        // A real driver may answer any number.
        Row{static_cast<DriverCode>(98), absl::StatusCode::kInternal},
        Row{static_cast<DriverCode>(-5), absl::StatusCode::kInternal}));

TEST(DriverCodeOfTest, IsAbsentWhereNoDriverSpoke) {
  EXPECT_EQ(DriverCodeOf(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(DriverCodeOf(absl::InternalError("ours")), std::nullopt);
}

}  // namespace
}  // namespace npu
