// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/granule.h"

#include <sstream>

#include "gtest/gtest.h"

namespace npu {
namespace {

constexpr uint64_t kBase = 0x90000000000;

GranuleWindow Window() {
  return GranuleWindow(AddressRange::Of(Address(kBase), MiB(16)));
}

GranuleRange Granules(uint32_t begin, uint32_t end) {
  return GranuleRange::Of(GranuleIndex(begin), GranuleIndex(end));
}

AddressRange Bytes(uint64_t offset, uint64_t size) {
  return AddressRange::Of(Address(kBase + offset), ByteSize(size));
}

TEST(GranuleRangeTest, IsHalfOpen) {
  const GranuleRange range = Granules(2, 5);
  EXPECT_EQ(range.count(), 3u);
  EXPECT_TRUE(range.Contains(GranuleIndex(2)));
  EXPECT_FALSE(range.Contains(GranuleIndex(5)));
  EXPECT_TRUE(range.Contains(Granules(2, 5)));
  EXPECT_FALSE(range.Contains(Granules(4, 6)));
  EXPECT_TRUE(range.Overlaps(Granules(4, 6)));
  EXPECT_FALSE(range.Overlaps(Granules(5, 6)));
  EXPECT_EQ(GranuleRange::One(GranuleIndex(7)), Granules(7, 8));
}

TEST(GranuleRangeTest, Prints) {
  std::ostringstream out;
  out << Granules(2, 5);
  EXPECT_EQ(out.str(), "[g2, g5)");
}

TEST(GranuleRangeDeathTest, AnEmptyRangeIsABrokenInvariant) {
  EXPECT_DEATH(Granules(3, 3), "check failed");
}

TEST(GranuleWindowTest, FindsTheGranuleOfEachAddress) {
  EXPECT_EQ(Window().granule_count(), 8u);
  EXPECT_EQ(Window().IndexOf(Address(kBase)), GranuleIndex(0));
  EXPECT_EQ(Window().IndexOf(Address(kBase + 0x1fffff)), GranuleIndex(0));
  EXPECT_EQ(Window().IndexOf(Address(kBase + 0x200000)), GranuleIndex(1));
  EXPECT_EQ(Window().IndexOf(Address(kBase + 0xffffff)), GranuleIndex(7));
}

TEST(GranuleWindowTest, ARangeTouchesEveryGranuleItHasAByteOf) {
  EXPECT_EQ(Window().Touched(Bytes(0, 1)), Granules(0, 1));
  EXPECT_EQ(Window().Touched(Bytes(0, 0x200000)), Granules(0, 1));
  EXPECT_EQ(Window().Touched(Bytes(1, 0x200000)), Granules(0, 2));
  EXPECT_EQ(Window().Touched(Bytes(0x1fffff, 2)), Granules(0, 2));
  EXPECT_EQ(Window().Touched(Bytes(0, 0x1000000)), Granules(0, 8));
}

TEST(GranuleWindowTest, AddressesComeBack) {
  EXPECT_EQ(Window().AddressOf(GranuleIndex(3)), Address(kBase + 0x600000));
  EXPECT_EQ(Window().AddressesOf(Granules(1, 3)), Bytes(0x200000, 0x400000));
}

TEST(GranuleWindowDeathTest, AddressesOutsideAreABrokenInvariant) {
  EXPECT_DEATH(Window().IndexOf(Address(kBase - 1)), "check failed");
  EXPECT_DEATH(Window().IndexOf(Address(kBase + 0x1000000)), "check failed");
  EXPECT_DEATH(Window().AddressOf(GranuleIndex(8)), "check failed");
}

TEST(GranuleWindowDeathTest, AWindowIsMadeOfWholeGranules) {
  EXPECT_DEATH(GranuleWindow(AddressRange::Of(Address(kBase + 1), MiB(2))),
               "check failed");
  EXPECT_DEATH(GranuleWindow(AddressRange::Of(Address(kBase), MiB(3))),
               "check failed");
}

}  // namespace
}  // namespace npu
