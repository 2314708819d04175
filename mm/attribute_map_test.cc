// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/attribute_map.h"

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu::mm {
namespace {

GranuleRange Range(uint32_t begin, uint32_t end) {
  return GranuleRange::Of(GranuleIndex(begin), GranuleIndex(end));
}

TEST(AttributeMapTest, IsZeroEverywhereAtFirst) {
  auto map = AttributeMap::Make(1000);
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(map->Uniform(Range(0, 1000)), 0u);
  EXPECT_EQ(map->Get(GranuleIndex(999)), 0u);
}

TEST(AttributeMapTest, SplitsAndMergesRuns) {
  auto map = AttributeMap::Make(100);
  ASSERT_THAT(map, IsOk());
  map->Set(Range(10, 20), 7);
  map->CheckInvariants();
  map->Set(Range(14, 16), 8);
  map->CheckInvariants();
  EXPECT_EQ(map->Uniform(Range(10, 14)), 7u);
  EXPECT_EQ(map->Uniform(Range(10, 15)), std::nullopt);
  EXPECT_EQ(map->Uniform(Range(14, 16)), 8u);
  map->Set(Range(14, 16), 7);
  map->CheckInvariants();
  EXPECT_EQ(map->Uniform(Range(10, 20)), 7u);
  map->Set(Range(0, 100), 0);
  map->CheckInvariants();
  EXPECT_EQ(map->Uniform(Range(0, 100)), 0u);
}

TEST(AttributeMapTest, AgreesWithAnArray) {
  constexpr uint32_t kSize = 500;
  auto map = AttributeMap::Make(kSize);
  ASSERT_THAT(map, IsOk());
  std::vector<uint64_t> model(kSize, 0);
  std::mt19937 random(1);
  for (int step = 0; step < 5000; ++step) {
    const uint32_t begin = random() % kSize;
    const uint32_t end = begin + 1 + random() % (kSize - begin);
    const uint64_t value = random() % 4;
    map->Set(Range(begin, end), value);
    std::fill(model.begin() + begin, model.begin() + end, value);
    map->CheckInvariants();
    const uint32_t from = random() % kSize;
    const uint32_t to = from + 1 + random() % (kSize - from);
    bool uniform = true;
    uint64_t common = ~uint64_t{0};
    for (uint32_t g = from; g < to; ++g) {
      uniform = uniform && model[g] == model[from];
      common &= model[g];
    }
    ASSERT_EQ(map->Uniform(Range(from, to)),
              uniform ? std::optional<uint64_t>(model[from]) : std::nullopt);
    ASSERT_EQ(map->All(Range(from, to)), common);
    ASSERT_EQ(map->Get(GranuleIndex(from)), model[from]);
  }
}

TEST(AttributeMapTest, RunsCoverTheRangeInOrder) {
  auto map = AttributeMap::Make(64);
  ASSERT_THAT(map, IsOk());
  map->Set(Range(8, 16), 1);
  map->Set(Range(16, 20), 2);
  std::vector<std::pair<uint32_t, uint64_t>> runs;
  map->ForEachRun(Range(4, 18), [&](GranuleRange range, uint64_t value) {
    runs.emplace_back(range.begin().value(), value);
  });
  EXPECT_EQ(runs, (std::vector<std::pair<uint32_t, uint64_t>>{
                      {4, 0}, {8, 1}, {16, 2}}));
}

// A reader sees a range before or after a Set, never half of it.
TEST(AttributeMapTest, ReadersSeeNoHalfWrittenRange) {
  auto map = AttributeMap::Make(256);
  ASSERT_THAT(map, IsOk());
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint64_t value = 1; !stop.load(); ++value) {
      map->Set(Range(50, 200), value);
    }
  });
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(map->Uniform(Range(50, 200)).has_value());
    ASSERT_EQ(map->Get(GranuleIndex(49)), 0u);
  }
  stop.store(true);
  writer.join();
}

}  // namespace
}  // namespace npu::mm
