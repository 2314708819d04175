// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/error_code.h"

#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/driver_code.h"

namespace npu::acl {
namespace {

TEST(ErrorCode, OkIsSuccess) { EXPECT_EQ(CodeOf(absl::OkStatus()), 0); }

TEST(ErrorCode, AFailureKeepsItsCode) {
  for (const aclError code :
       {ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID,
        ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_INTERNAL_ERROR}) {
    const absl::Status status = Failure(code, "text");
    EXPECT_EQ(CodeOf(status), code);
    EXPECT_EQ(status.message(), "text");
  }
}

struct Row {
  int driver;
  aclError code;
};

class DriverRows : public testing::TestWithParam<Row> {};

TEST_P(DriverRows, IsMapped) {
  EXPECT_EQ(CodeOfDriver(GetParam().driver), GetParam().code);
  const auto code = static_cast<DriverCode>(GetParam().driver);
  EXPECT_EQ(CodeOf(DriverError(code, "x")), GetParam().code);
}

// Typed from the table of driver codes, independently of the source.
INSTANTIATE_TEST_SUITE_P(
    Table, DriverRows,
    testing::Values(Row{1, 207004}, Row{2, 107001}, Row{3, 107000},
                    Row{4, 107017}, Row{5, 107018}, Row{6, 207001},
                    Row{10, 207015}, Row{14, 207005}, Row{16, 507012},
                    Row{17, 507899}, Row{25, 507901}, Row{27, 507051},
                    Row{33, 507010}, Row{37, 207012}, Row{40, 207005},
                    Row{43, 507000}, Row{46, 207006}, Row{47, 207007},
                    Row{48, 207008}, Row{49, 207009}, Row{50, 207010},
                    Row{58, 107000}, Row{74, 507052}, Row{75, 207013},
                    Row{76, 207014}, Row{82, 507037}, Row{83, 107000},
                    Row{84, 207011}, Row{89, 207020}, Row{65534, 207000},
                    Row{7, 507899}, Row{-1, 507899}, Row{12345, 507899}));

TEST(ErrorCode, AKernelExceptionHasItsOwnCode) {
  EXPECT_EQ(CodeOf(hal::KernelExceptionError("crash")),
            ACL_ERROR_RT_AICORE_EXCEPTION);
}

TEST(ErrorCode, AStatusOfNobodyGoesByItsKind) {
  EXPECT_EQ(CodeOf(absl::InvalidArgumentError("")), 107000);
  EXPECT_EQ(CodeOf(absl::ResourceExhaustedError("")), 207001);
  EXPECT_EQ(CodeOf(absl::PermissionDeniedError("")), 207006);
  EXPECT_EQ(CodeOf(absl::UnimplementedError("")), 207000);
  EXPECT_EQ(CodeOf(absl::AbortedError("")), 107023);
  EXPECT_EQ(CodeOf(absl::InternalError("")), 507000);
}

TEST(ErrorCode, TheSlotTakesTheRuntimesBandsOnly) {
  EXPECT_TRUE(ReachesLastErrorSlot(107000));
  EXPECT_TRUE(ReachesLastErrorSlot(207001));
  EXPECT_TRUE(ReachesLastErrorSlot(507015));
  EXPECT_FALSE(ReachesLastErrorSlot(100000));
  EXPECT_FALSE(ReachesLastErrorSlot(200000));
  EXPECT_FALSE(ReachesLastErrorSlot(200006));
  EXPECT_FALSE(ReachesLastErrorSlot(500000));
  EXPECT_FALSE(ReachesLastErrorSlot(207000));
}

}  // namespace
}  // namespace npu::acl
