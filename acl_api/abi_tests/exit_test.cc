// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Programs that end without aclFinalize.

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "gtest/gtest.h"

namespace {

class LeaveEarly : public testing::TestWithParam<const char*> {};

TEST_P(LeaveEarly, EndsAsItShould) {
  const std::string command =
      std::string("timeout 20 acl_api/abi_tests/leave_early ") + GetParam();
  for (int round = 0; round < 5; ++round) {
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, LeaveEarly,
                         testing::Values("return", "exit", "late"));

}  // namespace
