// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/range_index.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu::mm {
namespace {

GranuleRange Range(uint32_t begin, uint32_t end) {
  return GranuleRange::Of(GranuleIndex(begin), GranuleIndex(end));
}

class RangeIndexTest : public testing::Test {
 protected:
  void SetUp() override {
    auto index = RangeIndex::Make(100);
    ASSERT_THAT(index, IsOk());
    index_ = *std::move(index);
  }
  void TearDown() override { index_->CheckInvariants(); }

  std::unique_ptr<RangeIndex> index_;
};

TEST_F(RangeIndexTest, FindsEveryInteriorGranule) {
  index_->Insert(Range(10, 20), DeviceId(3));
  for (uint32_t g = 10; g < 20; ++g) {
    const auto record = index_->Find(GranuleIndex(g));
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->granules, Range(10, 20));
    EXPECT_EQ(record->device, DeviceId(3));
  }
  EXPECT_FALSE(index_->IsLive(GranuleIndex(9)));
  EXPECT_FALSE(index_->Find(GranuleIndex(20)).has_value());
}

TEST_F(RangeIndexTest, ANewOwnerOfTheSamePlaceHasANewGeneration) {
  index_->Insert(Range(0, 5), DeviceId(0));
  const uint64_t old = index_->Find(GranuleIndex(0))->generation;
  index_->Erase(Range(0, 5));
  EXPECT_FALSE(index_->IsLive(GranuleIndex(0)));
  index_->Insert(Range(0, 5), DeviceId(0));
  EXPECT_NE(index_->Find(GranuleIndex(0))->generation, old);
  EXPECT_EQ(index_->live_count(), 1u);
}

TEST_F(RangeIndexTest, FindFromSkipsHoles) {
  index_->Insert(Range(10, 20), DeviceId(0));
  index_->Insert(Range(30, 31), DeviceId(1));
  EXPECT_EQ(index_->FindFrom(GranuleIndex(0))->granules, Range(10, 20));
  EXPECT_EQ(index_->FindFrom(GranuleIndex(20))->granules, Range(30, 31));
  EXPECT_FALSE(index_->FindFrom(GranuleIndex(31)).has_value());
}

using RangeIndexDeathTest = RangeIndexTest;

TEST_F(RangeIndexDeathTest, OverlapsAndHalvesAreBrokenInvariants) {
  index_->Insert(Range(10, 20), DeviceId(0));
  EXPECT_DEATH(index_->Insert(Range(19, 25), DeviceId(0)), "check failed");
  EXPECT_DEATH(index_->Erase(Range(10, 19)), "check failed");
  EXPECT_DEATH(index_->Erase(Range(50, 51)), "check failed");
}

// A reader gets one allocation or the other, whole, or nothing.
TEST_F(RangeIndexTest, ReadersAreNeverTorn) {
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop.load()) {
      index_->Insert(Range(40, 50), DeviceId(1));
      index_->Erase(Range(40, 50));
      index_->Insert(Range(45, 60), DeviceId(2));
      index_->Erase(Range(45, 60));
    }
  });
  for (int i = 0; i < 50000; ++i) {
    const auto record = index_->Find(GranuleIndex(47));
    if (!record) continue;
    const bool first = record->device == DeviceId(1);
    ASSERT_EQ(record->granules, first ? Range(40, 50) : Range(45, 60));
  }
  stop.store(true);
  writer.join();
}

}  // namespace
}  // namespace npu::mm
