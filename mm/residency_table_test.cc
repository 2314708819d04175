// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The table in mm/README.md is the one in the code.

#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "mm/residency.h"

namespace npu::mm {
namespace {

TEST(ResidencyTableTest, TheReadmeShowsTheTable) {
  std::ifstream file("mm/README.md");
  ASSERT_TRUE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find(ResidencyTableAsMarkdown()), std::string::npos)
      << "put this into mm/README.md:\n"
      << ResidencyTableAsMarkdown();
}

}  // namespace
}  // namespace npu::mm
