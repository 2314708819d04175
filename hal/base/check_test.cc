// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/check.h"

#include "gtest/gtest.h"

namespace npu {
namespace {

TEST(CheckTest, EvaluatesItsConditionOnce) {
  int calls = 0;
  NPU_CHECK(++calls == 1);
  EXPECT_EQ(calls, 1);
}

TEST(CheckDeathTest, NamesTheFileTheLineAndTheText) {
  EXPECT_DEATH(NPU_CHECK(2 + 2 == 5),
               "check_test.cc:[0-9]+: check failed: 2 \\+ 2 == 5");
}

TEST(CheckDeathTest, ALongTextIsCutNotOverrun) {
  static const char text[2000] = {'x'};
  EXPECT_DEATH(FailCheck("file.cc", 7, text), "file.cc:7: check failed: x");
}

#ifdef NDEBUG
TEST(CheckTest, DebugChecksCostNothingInAReleaseBuild) {
  int calls = 0;
  NPU_DCHECK(++calls == 99);
  EXPECT_EQ(calls, 0);
}
#else
TEST(CheckDeathTest, DebugChecksCheckInADebugBuild) {
  EXPECT_DEATH(NPU_DCHECK(false), "check failed");
}
#endif

}  // namespace
}  // namespace npu
