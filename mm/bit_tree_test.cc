// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/bit_tree.h"

#include <optional>
#include <random>
#include <set>

#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu::mm {
namespace {

class BitTreeTest : public testing::TestWithParam<uint32_t> {};

// Sizes around the borders of words and levels.
INSTANTIATE_TEST_SUITE_P(Sizes, BitTreeTest,
                         testing::Values(1, 63, 64, 65, 4095, 4096, 4097,
                                         300000));

TEST_P(BitTreeTest, AgreesWithASet) {
  auto tree = BitTree::Make(GetParam());
  ASSERT_THAT(tree, IsOk());
  std::set<uint32_t> model;
  std::mt19937 random(GetParam());
  for (int step = 0; step < 3000; ++step) {
    const uint32_t number = random() % GetParam();
    if (random() % 2 == 0) {
      tree->Add(number);
      model.insert(number);
    } else {
      tree->Remove(number);
      model.erase(number);
    }
    if (step % 100 == 0) tree->CheckInvariants();
    const uint32_t from = random() % GetParam();
    ASSERT_EQ(tree->Contains(from), model.count(from) == 1);
    const auto next = model.lower_bound(from);
    ASSERT_EQ(tree->Next(from), next == model.end()
                                    ? std::nullopt
                                    : std::optional<uint32_t>(*next));
    const auto above = model.upper_bound(from);
    ASSERT_EQ(tree->Previous(from),
              above == model.begin()
                  ? std::nullopt
                  : std::optional<uint32_t>(*std::prev(above)));
  }
  tree->CheckInvariants();
}

TEST_P(BitTreeTest, NothingComesBehindTheEnd) {
  auto tree = BitTree::Make(GetParam());
  ASSERT_THAT(tree, IsOk());
  tree->Add(GetParam() - 1);
  EXPECT_EQ(tree->Next(GetParam()), std::nullopt);
  EXPECT_EQ(tree->Next(0), GetParam() - 1);
}

TEST(BitTreeDeathTest, NumbersOutsideAreABrokenInvariant) {
  auto tree = BitTree::Make(10);
  EXPECT_DEATH(tree->Add(10), "check failed");
}

}  // namespace
}  // namespace npu::mm
