// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/address_range.h"

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu {
namespace {

using ::testing::HasSubstr;

AddressRange Range(uint64_t begin, uint64_t size) {
  return AddressRange::Of(Address(begin), ByteSize(size));
}

TEST(AddressTest, AlignsDownToAPowerOfTwo) {
  EXPECT_EQ(Address(0x200fff).AlignDown(MiB(2)), Address(0x200000));
  EXPECT_EQ(Address(0x200000).AlignDown(MiB(2)), Address(0x200000));
  EXPECT_TRUE(Address(0x400000).IsAligned(MiB(2)));
  EXPECT_FALSE(Address(0x400001).IsAligned(MiB(2)));
}

TEST(AddressTest, PointersGoInAndOut) {
  int object = 0;
  EXPECT_EQ(Address::Of(&object).pointer(), &object);
}

TEST(AddressTest, PrintsInHexadecimal) {
  std::ostringstream out;
  out << Address(0x90000000000);
  EXPECT_EQ(out.str(), "0x90000000000");
}

TEST(AddressDeathTest, ASumThatWrapsIsABrokenInvariant) {
  EXPECT_DEATH(Address(UINT64_MAX) + ByteSize(1), "check failed");
}

TEST(AddressRangeTest, RefusesAnEmptyRange) {
  EXPECT_THAT(
      AddressRange::Make(Address(16), ByteSize(0)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0x10 is empty")));
}

TEST(AddressRangeTest, RefusesARangeThatWraps) {
  const Address high(UINT64_MAX - 15);
  EXPECT_THAT(AddressRange::Make(high, ByteSize(15)), IsOk());
  EXPECT_THAT(
      AddressRange::Make(high, ByteSize(17)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("does not fit")));
  EXPECT_THAT(AddressRange::Make(high, ByteSize(UINT64_MAX)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// The end of such a range is 2^64, which an Address cannot name.
TEST(AddressRangeTest, RefusesARangeThatEndsAtTheTopOfTheAddressSpace) {
  EXPECT_THAT(AddressRange::Make(Address(UINT64_MAX - 15), ByteSize(16)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(AddressRangeTest, EndIsOutside) {
  const AddressRange range = Range(100, 50);
  EXPECT_TRUE(range.Contains(Address(100)));
  EXPECT_TRUE(range.Contains(Address(149)));
  EXPECT_FALSE(range.Contains(Address(150)));
  EXPECT_FALSE(range.Contains(Address(99)));
}

TEST(AddressRangeTest, ContainsRangesUpToItsOwnSize) {
  const AddressRange range = Range(100, 50);
  EXPECT_TRUE(range.Contains(range));
  EXPECT_TRUE(range.Contains(Range(149, 1)));
  EXPECT_FALSE(range.Contains(Range(149, 2)));
  EXPECT_FALSE(range.Contains(Range(99, 2)));
}

TEST(AddressRangeTest, NeighboursDoNotOverlap) {
  EXPECT_FALSE(Range(100, 50).Overlaps(Range(150, 1)));
  EXPECT_FALSE(Range(150, 1).Overlaps(Range(100, 50)));
  EXPECT_TRUE(Range(100, 50).Overlaps(Range(149, 9)));
  EXPECT_TRUE(Range(120, 2).Overlaps(Range(100, 50)));
}

TEST(AddressRangeTest, PrintsHalfOpen) {
  std::ostringstream out;
  out << Range(0x10, 0x10);
  EXPECT_EQ(out.str(), "[0x10, 0x20)");
}

}  // namespace
}  // namespace npu
