// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/residency.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace npu::mm {
namespace {

constexpr int kStates = static_cast<int>(ResidencyState::kCount);
constexpr int kEvents = static_cast<int>(ResidencyEvent::kCount);

TEST(ResidencyTest, EveryPairHasTheAnswerOfItsRowOrNone) {
  size_t answers = 0;
  for (int s = 0; s < kStates; ++s) {
    for (int e = 0; e < kEvents; ++e) {
      const auto state = static_cast<ResidencyState>(s);
      const auto event = static_cast<ResidencyEvent>(e);
      const auto next = kResidencyTable.Next(state, event);
      if (!next) continue;
      ++answers;
      // What the events mean, whatever the state.
      if (event == ResidencyEvent::kDiscard) {
        EXPECT_EQ(*next, ResidencyState::kUnpopulated);
      }
      if (event == ResidencyEvent::kTransfer ||
          event == ResidencyEvent::kCollapse ||
          event == ResidencyEvent::kPopulate) {
        EXPECT_EQ(*next, ResidencyState::kExclusive);
      }
      if (event == ResidencyEvent::kDuplicate) {
        EXPECT_EQ(*next, ResidencyState::kShared);
      }
      if (event == ResidencyEvent::kRepair) {
        EXPECT_EQ(*next, state);
      }
    }
  }
  EXPECT_EQ(answers, kResidencyTable.size());
}

TEST(ResidencyTest, OnlyUntouchedMemoryIsPopulated) {
  for (int s = 0; s < kStates; ++s) {
    const auto state = static_cast<ResidencyState>(s);
    EXPECT_EQ(
        kResidencyTable.Next(state, ResidencyEvent::kPopulate).has_value(),
        state == ResidencyState::kUnpopulated);
  }
}

TEST(ResidencyTest, NamesAreDistinct) {
  std::set<std::string> names;
  for (int s = 0; s < kStates; ++s) {
    names.insert(NameOf(static_cast<ResidencyState>(s)));
  }
  for (int e = 0; e < kEvents; ++e) {
    names.insert(NameOf(static_cast<ResidencyEvent>(e)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(kStates + kEvents));
  EXPECT_EQ(names.count("?"), 0u);
}

}  // namespace
}  // namespace npu::mm
