// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/transition_table.h"

#include "gtest/gtest.h"

namespace npu {
namespace {

enum class Light { kRed, kGreen, kBroken, kCount };
enum class Event { kGo, kStop, kCount };

constexpr auto kLights = MakeTransitionTable<Light, Event>({
    {Light::kRed, Event::kGo, Light::kGreen},
    {Light::kGreen, Event::kStop, Light::kRed},
});
static_assert(kLights.IsDeterministic());
static_assert(!kLights.IsReachableFrom(Light::kRed));  // nothing breaks it

constexpr auto kDoubtful = MakeTransitionTable<Light, Event>({
    {Light::kRed, Event::kGo, Light::kGreen},
    {Light::kRed, Event::kGo, Light::kBroken},
});
static_assert(!kDoubtful.IsDeterministic());
static_assert(kDoubtful.IsReachableFrom(Light::kRed));
static_assert(!kDoubtful.IsReachableFrom(Light::kGreen));

TEST(TransitionTableTest, AnswersEveryPair) {
  EXPECT_EQ(kLights.Next(Light::kRed, Event::kGo), Light::kGreen);
  EXPECT_EQ(kLights.Next(Light::kGreen, Event::kStop), Light::kRed);
  EXPECT_EQ(kLights.Next(Light::kRed, Event::kStop), std::nullopt);
  EXPECT_EQ(kLights.Next(Light::kGreen, Event::kGo), std::nullopt);
  EXPECT_EQ(kLights.Next(Light::kBroken, Event::kGo), std::nullopt);
}

// The rows can be listed, for a table in a README.
TEST(TransitionTableTest, ListsItsRows) {
  EXPECT_EQ(kLights.size(), 2u);
  EXPECT_EQ(kLights.begin()->state, Light::kRed);
  EXPECT_EQ(kLights.end() - kLights.begin(), 2);
}

// Reachability follows chains that stand in the table backwards.
TEST(TransitionTableTest, ReachesThroughRowsInAnyOrder) {
  constexpr auto chain = MakeTransitionTable<Light, Event>({
      {Light::kGreen, Event::kGo, Light::kBroken},
      {Light::kRed, Event::kGo, Light::kGreen},
  });
  EXPECT_TRUE(chain.IsReachableFrom(Light::kRed));
}

}  // namespace
}  // namespace npu
