// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/range_allocator.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace npu::mm {
namespace {

GranuleRange Range(uint32_t begin, uint32_t end) {
  return GranuleRange::Of(GranuleIndex(begin), GranuleIndex(end));
}

TEST(RangeAllocatorTest, GivesTheLowestAddressFirst) {
  RangeAllocator allocator(1000);
  EXPECT_EQ(allocator.Allocate(10), Range(0, 10));
  EXPECT_EQ(allocator.Allocate(100), Range(10, 110));
  allocator.Free(Range(0, 10));
  EXPECT_EQ(allocator.Allocate(11), Range(110, 121));
  EXPECT_EQ(allocator.Allocate(4), Range(0, 4));
  allocator.CheckInvariants();
}

TEST(RangeAllocatorTest, NeighboursThatAreFreeMergeAcrossWords) {
  RangeAllocator allocator(200);
  EXPECT_EQ(allocator.Allocate(200), Range(0, 200));
  EXPECT_EQ(allocator.Allocate(1), std::nullopt);
  allocator.Free(Range(60, 100));
  allocator.Free(Range(100, 140));
  EXPECT_EQ(allocator.longest_free(), 80u);
  EXPECT_EQ(allocator.Allocate(80), Range(60, 140));
  allocator.CheckInvariants();
}

TEST(RangeAllocatorTest, NothingBeyondTheSizeIsGiven) {
  for (uint32_t size : {1u, 63u, 64u, 65u, 127u, 1000u}) {
    RangeAllocator allocator(size);
    EXPECT_EQ(allocator.longest_free(), size);
    EXPECT_EQ(allocator.Allocate(size + 1), std::nullopt);
    EXPECT_EQ(allocator.Allocate(size), Range(0, size));
    EXPECT_EQ(allocator.free_count(), 0u);
    allocator.CheckInvariants();
  }
}

TEST(RangeAllocatorDeathTest, FreeingTwiceIsABrokenInvariant) {
  RangeAllocator allocator(100);
  allocator.Allocate(10);
  allocator.Free(Range(0, 10));
  EXPECT_DEATH(allocator.Free(Range(0, 10)), "check failed");
}

// The naive model: a flag per granule, searched from the left.
class Naive {
 public:
  explicit Naive(uint32_t size) : used_(size, false) {}

  std::optional<GranuleRange> Allocate(uint32_t count) {
    uint32_t run = 0;
    for (uint32_t g = 0; g < used_.size(); ++g) {
      run = used_[g] ? 0 : run + 1;
      if (run < count) continue;
      const GranuleRange range = Range(g + 1 - count, g + 1);
      Set(range, true);
      return range;
    }
    return std::nullopt;
  }
  void Set(GranuleRange range, bool used) {
    for (uint32_t g = range.begin().value(); g < range.end().value(); ++g) {
      used_[g] = used;
    }
  }

 private:
  std::vector<bool> used_;
};

TEST(RangeAllocatorTest, AgreesWithTheNaiveModel) {
  constexpr uint32_t kSize = 777;
  RangeAllocator allocator(kSize);
  Naive model(kSize);
  std::vector<GranuleRange> live;
  std::mt19937 random(5);
  for (int step = 0; step < 20000; ++step) {
    if (live.empty() || random() % 5 < 3) {
      const uint32_t count = 1 + random() % (random() % 4 == 0 ? 200 : 8);
      const auto got = allocator.Allocate(count);
      ASSERT_EQ(got, model.Allocate(count)) << "step " << step;
      if (got) live.push_back(*got);
    } else {
      const size_t victim = random() % live.size();
      allocator.Free(live[victim]);
      model.Set(live[victim], false);
      live[victim] = live.back();
      live.pop_back();
    }
    allocator.CheckInvariants();
  }
}

}  // namespace
}  // namespace npu::mm
