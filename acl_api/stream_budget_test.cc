// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/stream_budget.h"

#include <utility>
#include <vector>

#include "acl_api/error_code.h"
#include "gtest/gtest.h"

namespace npu::acl {
namespace {

TEST(StreamBudget, LimitsArePerProduct) {
  EXPECT_EQ(StreamBudget::LimitOf("ATLAS_A2"), 1984);
  EXPECT_EQ(StreamBudget::LimitOf("ATLAS_200I_500_A2"), 512);
  EXPECT_EQ(StreamBudget::LimitOf("ATLAS_INFERENCE"), 1024);
  EXPECT_EQ(StreamBudget::LimitOf("ATLAS_TRAINING"), 2048);
}

TEST(StreamBudget, PlacesRunOutPerDeviceAndComeBack) {
  StreamBudget budget(3);
  std::vector<StreamBudget::Place> places;
  for (int i = 0; i < 3; ++i) {
    auto place = budget.Take(DeviceId(0));
    ASSERT_TRUE(place.ok());
    places.push_back(*std::move(place));
    budget.CheckInvariants();
  }
  EXPECT_EQ(CodeOf(budget.Take(DeviceId(0)).status()), 207008);
  budget.CheckInvariants();
  EXPECT_TRUE(budget.Take(DeviceId(63)).ok());
  places.pop_back();
  EXPECT_TRUE(budget.Take(DeviceId(0)).ok());
  budget.CheckInvariants();
}

TEST(StreamBudget, AMovedPlaceGivesBackOnce) {
  StreamBudget budget(1);
  {
    auto first = budget.Take(DeviceId(1));
    ASSERT_TRUE(first.ok());
    const StreamBudget::Place moved = *std::move(first);
    EXPECT_FALSE(budget.Take(DeviceId(1)).ok());
  }
  budget.CheckInvariants();
  EXPECT_TRUE(budget.Take(DeviceId(1)).ok());
}

TEST(StreamBudget, APlaceMayOutliveTheBudget) {
  auto budget = std::make_unique<StreamBudget>(1);
  const auto place = budget->Take(DeviceId(0));
  budget.reset();
  EXPECT_TRUE(place.ok());
}

}  // namespace
}  // namespace npu::acl
