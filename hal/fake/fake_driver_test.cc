// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/fake/fake_driver.h"

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu::hal::fake {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const NodeId kHost = NodeId::Host();
const NodeId kZero = NodeId::Device(DeviceId(0));
const NodeId kOne = NodeId::Device(DeviceId(1));
constexpr GranuleIndex kGranule0(0);

// Without a service thread: the residency alone.
class FakeResidencyTest : public testing::Test {
 protected:
  FakeDriver driver_{
      FakeDriver::Options{2, 1, 8, FakeCapacity{kGranule * 2, kGranule * 4}}};
  FakeResidency& pages_ = driver_.residency();
};

TEST_F(FakeResidencyTest, ANodeWithoutAMappingFaults) {
  EXPECT_EQ(pages_.Read(kHost, kGranule0), std::nullopt);
  EXPECT_EQ(pages_.Write(kHost, kGranule0, 1), FakeResidency::Store::kFaults);
  EXPECT_EQ(pages_.Populate(kGranule0, kHost), PageOutcome::kDone);
  EXPECT_EQ(pages_.Read(kHost, kGranule0), 0u);
  EXPECT_EQ(pages_.Read(kZero, kGranule0), std::nullopt);
}

TEST_F(FakeResidencyTest, ATransferCarriesTheBytesAndTheCharge) {
  pages_.Populate(kGranule0, kHost);
  pages_.Write(kHost, kGranule0, 5);
  EXPECT_EQ(pages_.Transfer(kGranule0, kZero), PageOutcome::kDone);
  EXPECT_EQ(pages_.Read(kZero, kGranule0), 5u);
  EXPECT_EQ(pages_.Read(kHost, kGranule0), std::nullopt);
  EXPECT_TRUE(pages_.IsCharged(kZero, kGranule0));
  EXPECT_FALSE(pages_.IsCharged(kHost, kGranule0));
}

TEST_F(FakeResidencyTest, CopiesAreSeparateBytesThatOnlyAnOwnerSpreads) {
  pages_.Populate(kGranule0, kHost);
  pages_.Write(kHost, kGranule0, 5);
  EXPECT_EQ(pages_.Duplicate(kGranule0, kZero), PageOutcome::kDone);
  EXPECT_EQ(pages_.Write(kHost, kGranule0, 6), FakeResidency::Store::kFaults);
  // A write that forgets to end the copies is a write that they do not see.
  pages_.WritePhysical(kGranule0, 6);
  EXPECT_EQ(pages_.Read(kZero, kGranule0), 5u);
  EXPECT_EQ(pages_.Collapse(kGranule0, kZero), PageOutcome::kDone);
  EXPECT_EQ(pages_.Read(kZero, kGranule0), 6u);
}

TEST_F(FakeResidencyTest, ARemoteMappingReachesTheOwnersBytes) {
  pages_.Populate(kGranule0, kOne);
  EXPECT_EQ(pages_.MapRemote(kGranule0, kHost), PageOutcome::kDone);
  EXPECT_EQ(pages_.Write(kHost, kGranule0, 9), FakeResidency::Store::kDone);
  EXPECT_EQ(pages_.Read(kOne, kGranule0), 9u);
  EXPECT_FALSE(pages_.IsCharged(kHost, kGranule0));
}

TEST_F(FakeResidencyTest, ADiscardedGranuleIsNobodysAndZeroLater) {
  pages_.Populate(kGranule0, kHost);
  pages_.Write(kHost, kGranule0, 5);
  pages_.Discard(kGranule0);
  EXPECT_EQ(pages_.ReadPhysical(kGranule0), kDropped);
  EXPECT_TRUE(pages_.HoldersOf(kGranule0).empty());
  pages_.Populate(kGranule0, kOne);
  EXPECT_EQ(pages_.Read(kOne, kGranule0), 0u);
}

TEST_F(FakeResidencyTest, CapacitiesAreCounted) {
  EXPECT_EQ(pages_.Populate(GranuleIndex(0), kZero), PageOutcome::kDone);
  EXPECT_EQ(pages_.Populate(GranuleIndex(1), kZero), PageOutcome::kDone);
  EXPECT_EQ(pages_.Populate(GranuleIndex(2), kZero), PageOutcome::kNoSpace);
  EXPECT_EQ(pages_.DeviceCapacity(DeviceId(0)).free, ByteSize(0));
  EXPECT_EQ(pages_.Populate(GranuleIndex(2), kHost), PageOutcome::kDone);
  EXPECT_EQ(pages_.Populate(GranuleIndex(3), kHost), PageOutcome::kDone);
  EXPECT_EQ(pages_.Populate(GranuleIndex(4), kHost), PageOutcome::kNoMemory);
  EXPECT_EQ(pages_.PhysicalCapacity().free, ByteSize(0));
}

TEST_F(FakeResidencyTest, OrderedFailuresComeWhenOrderedAndChangeNothing) {
  pages_.Populate(kGranule0, kHost);
  pages_.Fail({"Transfer", 2, 1, PageOutcome::kFailed});
  EXPECT_EQ(pages_.Transfer(kGranule0, kZero), PageOutcome::kDone);
  EXPECT_EQ(pages_.Transfer(kGranule0, kOne), PageOutcome::kFailed);
  EXPECT_EQ(pages_.HoldersOf(kGranule0), NodeSet(kZero));
  EXPECT_EQ(pages_.Transfer(kGranule0, kOne), PageOutcome::kDone);
  EXPECT_EQ(pages_.Calls("Transfer"), 3u);
}

TEST_F(FakeResidencyTest, HooksSeeEveryCall) {
  std::vector<std::string> seen;
  pages_.SetHook(
      [&](const char* method, GranuleIndex) { seen.push_back(method); });
  pages_.Populate(kGranule0, kHost);
  pages_.Duplicate(kGranule0, kZero);
  pages_.Discard(kGranule0);
  EXPECT_THAT(seen, ElementsAre("Populate", "Duplicate", "Discard"));
}

TEST_F(FakeResidencyTest, BrokenRulesAreKept) {
  pages_.Populate(kGranule0, kHost);
  EXPECT_THAT(pages_.Violations(), IsEmpty());
  pages_.Populate(kGranule0, kHost);
  pages_.Collapse(kGranule0, kHost);
  EXPECT_THAT(pages_.Violations(),
              ElementsAre(HasSubstr("Populate of a populated"),
                          HasSubstr("writable copies")));
}

// A sink that gives every granule but the last to its toucher.
class Giver final : public FaultSink {
 public:
  explicit Giver(FakeResidency& pages) : pages_(pages) {}
  std::atomic<int> work{0};
  std::atomic<int> lost{0};

 private:
  FaultVerdict DoOnFault(const Fault& fault) noexcept override {
    if (fault.granule == GranuleIndex(7)) return FaultVerdict::kIllegal;
    const bool touched = !pages_.HoldersOf(fault.granule).empty();
    const PageOutcome outcome =
        touched ? pages_.Transfer(fault.granule, fault.node)
                : pages_.Populate(fault.granule, fault.node);
    return outcome == PageOutcome::kDone ? FaultVerdict::kServed
                                         : FaultVerdict::kNoMemory;
  }
  void DoOnNodeLost(DeviceId) noexcept override { ++lost; }
  // Three pieces of work for each kick.
  WorkState DoOnWork() noexcept override {
    return ++work % 3 == 0 ? WorkState::kIdle : WorkState::kMore;
  }

  FakeResidency& pages_;
};

TEST_F(FakeResidencyTest, InstructionsFaultUntilTheyAreServed) {
  Giver sink(pages_);
  ASSERT_THAT(driver_.faults().Start({&sink, nullptr}), IsOk());
  EXPECT_THAT(driver_.Store(kHost, kGranule0, 5), IsOk());
  EXPECT_THAT(driver_.Load(kZero, kGranule0), IsOkAndHolds(5u));
  EXPECT_THAT(driver_.Load(kZero, GranuleIndex(7)),
              StatusIs(absl::StatusCode::kOutOfRange, "SIGSEGV"));
  pages_.Fail({"Transfer"});
  EXPECT_THAT(driver_.Load(kOne, kGranule0),
              StatusIs(absl::StatusCode::kResourceExhausted, "SIGBUS"));
  driver_.Crash(DeviceId(0));
  EXPECT_EQ(sink.lost.load(), 1);
  EXPECT_EQ(pages_.Read(kZero, kGranule0), std::nullopt);
  driver_.faults().Kick();
  while (sink.work.load() < 3) std::this_thread::yield();
  driver_.faults().Stop();
}

}  // namespace
}  // namespace npu::hal::fake
