// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The layout checks, in C++17, and what only C++ can get wrong: values
// outside an enumeration are ordinary values.
#include "acl_api/layout_checks.h"
#include "gtest/gtest.h"

namespace {

TEST(Layout, AnyIntIsAValueOfAnEnumeration) {
  for (const int value : {-1, 6, 65536, 0x7FFFFFFF}) {
    const auto advise = static_cast<aclrtMemManagedAdviseType>(value);
    EXPECT_EQ(static_cast<int>(advise), value);
  }
}

}  // namespace
