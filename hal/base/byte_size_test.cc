// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/byte_size.h"

#include "gtest/gtest.h"

namespace npu {
namespace {

TEST(ByteSizeTest, UnitsAreBinary) {
  EXPECT_EQ(KiB(1).bytes(), 1024u);
  EXPECT_EQ(MiB(2).bytes(), 2097152u);
  EXPECT_EQ(TiB(3).bytes(), 3298534883328u);
  EXPECT_EQ(kGranule, MiB(2));
}

TEST(ByteSizeTest, MultiplesAreWholeUnits) {
  EXPECT_TRUE(ByteSize(0).IsMultipleOf(kGranule));
  EXPECT_TRUE(MiB(4).IsMultipleOf(kGranule));
  EXPECT_FALSE((MiB(2) - ByteSize(1)).IsMultipleOf(kGranule));
  EXPECT_FALSE((MiB(2) + ByteSize(1)).IsMultipleOf(kGranule));
}

TEST(ByteSizeTest, CheckedAddTellsAnOverflow) {
  EXPECT_EQ(CheckedAdd(ByteSize(UINT64_MAX - 1), ByteSize(1)),
            ByteSize(UINT64_MAX));
  EXPECT_EQ(CheckedAdd(ByteSize(UINT64_MAX), ByteSize(1)), std::nullopt);
}

TEST(ByteSizeTest, RoundUpKeepsMultiplesAndTellsAnOverflow) {
  EXPECT_EQ(RoundUp(ByteSize(0), kGranule), ByteSize(0));
  EXPECT_EQ(RoundUp(ByteSize(1), kGranule), kGranule);
  EXPECT_EQ(RoundUp(kGranule, kGranule), kGranule);
  EXPECT_EQ(RoundUp(kGranule + ByteSize(1), kGranule), MiB(4));
  // The highest multiple of 2 MiB that fits, and the first size behind it.
  const ByteSize top(UINT64_MAX - (kGranule.bytes() - 1));
  EXPECT_EQ(RoundUp(top, kGranule), top);
  EXPECT_EQ(RoundUp(top + ByteSize(1), kGranule), std::nullopt);
  EXPECT_EQ(RoundUp(ByteSize(UINT64_MAX), kGranule), std::nullopt);
}

TEST(ByteSizeDeathTest, ArithmeticThatWrapsIsABrokenInvariant) {
  EXPECT_DEATH(ByteSize(UINT64_MAX) + ByteSize(1), "check failed");
  EXPECT_DEATH(ByteSize(1) - ByteSize(2), "check failed");
  EXPECT_DEATH(ByteSize(UINT64_MAX / 2 + 1) * 2, "check failed");
}

}  // namespace
}  // namespace npu
