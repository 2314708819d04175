// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/managed_memory.h"

#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mm/testing/memory_fixture.h"

namespace npu::mm {
namespace {

using hal::Advice;
using hal::Location;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;

using ManagedMemoryTest = MemoryFixture;

// --- allocation

TEST_F(ManagedMemoryTest, RoundsUpAndStartsWithNothing) {
  const auto range = memory_->Allocate(ByteSize(1), DeviceId(1));
  ASSERT_THAT(range, IsOk());
  EXPECT_EQ(range->size(), kGranule);
  EXPECT_EQ(StateOf(0), GranuleState());
  EXPECT_THAT(memory_->QueryReadMostly(*range),
              IsOkAndHolds(hal::ReadMostly::kNo));
  EXPECT_THAT(memory_->QueryPreferred(*range), IsOkAndHolds(Location::None()));
  EXPECT_THAT(memory_->QueryAccessedBy(*range), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(memory_->QueryLastPrefetch(*range),
              IsOkAndHolds(Location::None()));
  EXPECT_EQ(memory_->Locate(range->begin())->device, DeviceId(1));
}

TEST_F(ManagedMemoryTest, RefusesWhatDoesNotFitAndChangesNothing) {
  for (const uint64_t size :
       {UINT64_MAX, UINT64_MAX - kGranule.bytes() + 1,
        kGranule.bytes() * kWindow + 1, uint64_t{1} << 63}) {
    EXPECT_THAT(memory_->Allocate(ByteSize(size), DeviceId(0)),
                StatusIs(kExhausted));
  }
  EXPECT_THAT(memory_->Allocate(ByteSize(0), DeviceId(0)), StatusIs(kInvalid));
  EXPECT_EQ(Allocate(kWindow), 0u);  // nothing was used up
  EXPECT_THAT(memory_->Allocate(ByteSize(1), DeviceId(0)),
              StatusIs(kExhausted));
}

TEST_F(ManagedMemoryTest, FreeForgetsEverything) {
  const uint32_t a = Allocate(2);
  Store(zero_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 2), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_THAT(memory_->Advise(Granules(a, 2), Advice::kSetAccessedBy, at_host_),
              IsOk());
  EXPECT_THAT(Prefetch(Granules(a, 2), at_one_), IsOk());
  EXPECT_THAT(memory_->Free(AddressOf(a)), IsOk());
  Check();
  EXPECT_FALSE(memory_->Locate(AddressOf(a)).has_value());
  EXPECT_EQ(Allocate(4), a);
  EXPECT_EQ(StateOf(a), GranuleState());
  EXPECT_THAT(memory_->QueryLastPrefetch(Granules(a, 4)),
              IsOkAndHolds(Location::None()));
  EXPECT_THAT(memory_->QueryAccessedBy(Granules(a, 4)),
              IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(Load(host_, a), 0u);  // and the bytes
}

TEST_F(ManagedMemoryTest, OnlyTheBeginningFrees) {
  const uint32_t a = Allocate(2);
  EXPECT_THAT(memory_->Free(AddressOf(a + 1)),
              StatusIs(kInvalid, HasSubstr("begins at")));
  EXPECT_THAT(memory_->Free(AddressOf(a) + ByteSize(1)), StatusIs(kInvalid));
  EXPECT_THAT(memory_->Free(AddressOf(a)), IsOk());
  EXPECT_THAT(memory_->Free(AddressOf(a)), StatusIs(kInvalid));
  EXPECT_THAT(memory_->Free(Address(64)), StatusIs(kInvalid));
}

TEST_F(ManagedMemoryTest, ARangeMayCoverNeighboursButNoHole) {
  const uint32_t a = Allocate(2);
  const uint32_t b = Allocate(2);
  const uint32_t c = Allocate(1);
  EXPECT_EQ(b, a + 2);
  EXPECT_THAT(memory_->CheckLive(Granules(a, 5)), IsOk());
  EXPECT_THAT(memory_->Free(AddressOf(b)), IsOk());
  EXPECT_THAT(memory_->CheckLive(Granules(a, 5)), StatusIs(kInvalid));
  EXPECT_THAT(memory_->CheckLive(Granules(c, 1)), IsOk());
  EXPECT_THAT(memory_->CheckLive(Granules(c, 2)), StatusIs(kInvalid));
}

// --- faults

TEST_F(ManagedMemoryTest, DataFollowsWhoeverTouchesIt) {
  const uint32_t a = Allocate(1);
  Store(host_, a, 5);
  EXPECT_EQ(Load(zero_, a), 5u);
  Store(one_, a, 6);
  EXPECT_EQ(StateOf(a).owner, one_);
  EXPECT_EQ(StateOf(a).holders, NodeSet(one_));
  EXPECT_EQ(Load(host_, a), 6u);
  EXPECT_EQ(Faults(host_), 2u);
  EXPECT_EQ(Faults(zero_), 1u);
  const NodeCounters counters = memory_->Counters(one_);
  EXPECT_EQ(counters.migrations_in, 1u);
  EXPECT_EQ(counters.migrations_out, 1u);
  EXPECT_EQ(counters.bytes_in, kGranule.bytes());
}

TEST_F(ManagedMemoryTest, DeadAddressesAreIllegal) {
  EXPECT_THAT(driver_->Load(host_, GranuleIndex(0)),
              StatusIs(absl::StatusCode::kOutOfRange));
  const uint32_t a = Allocate(1);
  Store(host_, a, 1);
  EXPECT_THAT(memory_->Free(AddressOf(a)), IsOk());
  EXPECT_THAT(driver_->Store(zero_, GranuleIndex(a), 1),
              StatusIs(absl::StatusCode::kOutOfRange));
}

TEST_F(ManagedMemoryTest, AFaultThatCannotBeServedLeavesTheStateAsItWas) {
  const uint32_t a = Allocate(1);
  Store(host_, a, 5);
  const GranuleState before = StateOf(a);
  driver_->residency().Fail({"Transfer"});
  EXPECT_THAT(driver_->Load(zero_, GranuleIndex(a)), StatusIs(kExhausted));
  EXPECT_EQ(StateOf(a), before);
  EXPECT_EQ(Load(zero_, a), 5u);
}

// --- read mostly

TEST_F(ManagedMemoryTest, ReadMostlyCopiesOnReadAndEndsOnWrite) {
  const uint32_t a = Allocate(2);
  Store(zero_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 2), Advice::kSetReadMostly,
                              Location::Device(DeviceId(77))),
              IsOk());
  // Every granule has a host copy, touched or not.
  EXPECT_TRUE(StateOf(a).holders.Contains(host_));
  EXPECT_TRUE(StateOf(a + 1).holders.Contains(host_));
  EXPECT_EQ(Load(one_, a), 5u);
  EXPECT_EQ(StateOf(a).holders.size(), 3);
  const uint64_t faults = Faults(one_);
  EXPECT_EQ(Load(one_, a), 5u);
  EXPECT_EQ(Faults(one_), faults);
  Check();
  Store(one_, a, 6);
  EXPECT_EQ(StateOf(a).holders, NodeSet(one_));
  EXPECT_THAT(memory_->QueryReadMostly(Granules(a, 1)),
              IsOkAndHolds(hal::ReadMostly::kNo));
  EXPECT_THAT(memory_->QueryReadMostly(Granules(a + 1, 1)),
              IsOkAndHolds(hal::ReadMostly::kYes));
  EXPECT_THAT(memory_->QueryReadMostly(Granules(a, 2)),
              IsOkAndHolds(hal::ReadMostly::kNo));
  EXPECT_EQ(Load(zero_, a), 6u);
}

TEST_F(ManagedMemoryTest, UnsetReadMostlyKeepsOneCopyWhereItIsAsked) {
  const uint32_t a = Allocate(1);
  Store(host_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_EQ(Load(zero_, a), 5u);
  EXPECT_THAT(
      memory_->Advise(Granules(a, 1), Advice::kUnsetReadMostly, at_one_),
      IsOk());
  EXPECT_EQ(StateOf(a).holders, NodeSet(one_));
  EXPECT_EQ(Load(one_, a), 5u);
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kUnsetReadMostly, {}),
              IsOk());
  EXPECT_EQ(StateOf(a).holders, NodeSet(host_));
}

TEST_F(ManagedMemoryTest, ReadMostlyChecksTheBudgetBeforeItChangesAnything) {
  Start({GiB(1), kGranule * 3});
  const uint32_t a = Allocate(5);
  Store(host_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 5), Advice::kSetReadMostly, {}),
              StatusIs(kExhausted));
  for (uint32_t g = a + 1; g < a + 5; ++g) {
    EXPECT_EQ(StateOf(g), GranuleState());
  }
  EXPECT_THAT(memory_->Advise(Granules(a, 3), Advice::kSetReadMostly, {}),
              IsOk());
}

// --- preferred location: the four rows

TEST_F(ManagedMemoryTest, PreferredPopulatesWhatNobodyTouched) {
  const uint32_t a = Allocate(2);
  EXPECT_THAT(
      memory_->Advise(Granules(a, 2), Advice::kSetPreferredLocation, at_one_),
      IsOk());
  EXPECT_EQ(StateOf(a).owner, one_);
  EXPECT_EQ(Load(one_, a), 0u);
  EXPECT_EQ(Faults(one_), 0u);
  EXPECT_THAT(memory_->QueryPreferred(Granules(a, 2)), IsOkAndHolds(at_one_));
}

TEST_F(ManagedMemoryTest, PreferredIsRefusedWhereDataLivesElsewhere) {
  const uint32_t a = Allocate(3);
  Store(zero_, a + 2, 9);
  for (const Location location : {at_host_, at_one_}) {
    EXPECT_THAT(memory_->Advise(Granules(a, 3), Advice::kSetPreferredLocation,
                                location),
                StatusIs(kInvalid, HasSubstr("refused")));
    // All or nothing.
    EXPECT_EQ(StateOf(a), GranuleState());
    EXPECT_THAT(memory_->QueryPreferred(Granules(a, 3)),
                IsOkAndHolds(Location::None()));
  }
  EXPECT_THAT(memory_->Advise(Granules(a + 2, 1), Advice::kSetPreferredLocation,
                              at_zero_),
              IsOk());
}

TEST_F(ManagedMemoryTest, PreferredOfReadMostlyMakesACopyThere) {
  const uint32_t a = Allocate(1);
  Store(host_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_THAT(
      memory_->Advise(Granules(a, 1), Advice::kSetPreferredLocation, at_one_),
      IsOk());
  EXPECT_TRUE(StateOf(a).holders.Contains(one_));
  EXPECT_TRUE(StateOf(a).holders.Contains(host_));
  EXPECT_THAT(
      memory_->Advise(Granules(a, 1), Advice::kSetPreferredLocation, at_host_),
      IsOk());
}

TEST_F(ManagedMemoryTest, NumaNodesAreTheHostWithANameOfTheirOwn) {
  const uint32_t a = Allocate(2);
  const Location numa = Location::Numa(hal::NumaNode(1));
  EXPECT_THAT(
      memory_->Advise(Granules(a, 2), Advice::kSetPreferredLocation, numa),
      IsOk());
  EXPECT_EQ(StateOf(a).owner, host_);
  EXPECT_THAT(memory_->QueryPreferred(Granules(a, 2)), IsOkAndHolds(numa));
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetPreferredLocation,
                              Location::Numa(hal::NumaNode(2))),
              StatusIs(kInvalid, HasSubstr("NUMA node 2")));
  EXPECT_THAT(
      memory_->Advise(Granules(a, 1), Advice::kUnsetPreferredLocation, {}),
      IsOk());
  EXPECT_THAT(memory_->QueryPreferred(Granules(a, 2)),
              IsOkAndHolds(Location::None()));
}

// --- accessed by

TEST_F(ManagedMemoryTest, AnAccessorNeitherFaultsNorMigrates) {
  const uint32_t a = Allocate(1);
  Store(host_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetAccessedBy, at_zero_),
              IsOk());
  EXPECT_EQ(Load(zero_, a), 5u);
  Store(zero_, a, 6);
  EXPECT_EQ(Faults(zero_), 0u);
  EXPECT_EQ(StateOf(a).owner, host_);
  EXPECT_EQ(Load(host_, a), 6u);
  // The mapping follows the data.
  peers_.Set(hal::PeerReach::kReachable);
  Store(one_, a, 7);
  EXPECT_EQ(StateOf(a).owner, one_);
  EXPECT_EQ(Load(zero_, a), 7u);
  EXPECT_EQ(Faults(zero_), 0u);
  EXPECT_THAT(
      memory_->Advise(Granules(a, 1), Advice::kUnsetAccessedBy, at_zero_),
      IsOk());
  EXPECT_EQ(StateOf(a).holders, NodeSet(one_));
}

TEST_F(ManagedMemoryTest, WithoutPeerAccessAnAccessorMigrates) {
  const uint32_t a = Allocate(1);
  Store(one_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetAccessedBy, at_zero_),
              IsOk());
  EXPECT_EQ(StateOf(a).holders, NodeSet(one_));
  EXPECT_EQ(Load(zero_, a), 5u);
  EXPECT_EQ(StateOf(a).owner, zero_);
}

TEST_F(ManagedMemoryTest, PeerAccessThatEndsTakesTheMappingWithIt) {
  peers_.Set(hal::PeerReach::kReachable);
  const uint32_t a = Allocate(1);
  Store(one_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetAccessedBy, at_zero_),
              IsOk());
  EXPECT_TRUE(StateOf(a).holders.Contains(zero_));
  peers_.Set(hal::PeerReach::kUnreachable);
  EXPECT_THAT(memory_->OnPeerDisabled(DeviceId(1), DeviceId(0)), IsOk());
  EXPECT_EQ(StateOf(a).holders, NodeSet(one_));
}

TEST_F(ManagedMemoryTest, AccessorAtThePreferredPlaceIsPopulatedAtOnce) {
  const uint32_t a = Allocate(1);
  Store(zero_, a, 1);
  EXPECT_THAT(
      memory_->Advise(Granules(a, 1), Advice::kSetPreferredLocation, at_zero_),
      IsOk());
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetAccessedBy, at_zero_),
              IsOk());
  EXPECT_EQ(StateOf(a).owner, zero_);
  EXPECT_EQ(StateOf(a).holders, NodeSet(zero_));
}

TEST_F(ManagedMemoryTest, QueriesGiveTheAccessorsOfTheWholeRange) {
  const uint32_t a = Allocate(3);
  EXPECT_THAT(memory_->Advise(Granules(a, 3), Advice::kSetAccessedBy, at_one_),
              IsOk());
  EXPECT_THAT(memory_->Advise(Granules(a, 2), Advice::kSetAccessedBy, at_host_),
              IsOk());
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetAccessedBy, at_zero_),
              IsOk());
  EXPECT_THAT(memory_->QueryAccessedBy(Granules(a, 1)),
              IsOkAndHolds(ElementsAre(at_zero_, at_one_, at_host_)));
  EXPECT_THAT(memory_->QueryAccessedBy(Granules(a, 2)),
              IsOkAndHolds(ElementsAre(at_one_, at_host_)));
  EXPECT_THAT(memory_->QueryAccessedBy(Granules(a, 3)),
              IsOkAndHolds(ElementsAre(at_one_)));
}

// --- prefetch

TEST_F(ManagedMemoryTest, PrefetchMovesAndIsRemembered) {
  const uint32_t a = Allocate(3);
  Store(host_, a, 5);
  EXPECT_THAT(Prefetch(Granules(a, 3), at_one_), IsOk());
  EXPECT_EQ(StateOf(a).owner, one_);
  EXPECT_EQ(StateOf(a + 2).owner, one_);
  EXPECT_EQ(Load(one_, a), 5u);
  EXPECT_EQ(Faults(one_), 0u);
  EXPECT_THAT(memory_->QueryLastPrefetch(Granules(a, 3)),
              IsOkAndHolds(at_one_));
  EXPECT_EQ(memory_->Counters(one_).prefetches, 3u);
  EXPECT_THAT(Prefetch(Granules(a, 3), at_one_), IsOk());
  EXPECT_EQ(memory_->Counters(one_).prefetches, 3u);  // it was there
}

TEST_F(ManagedMemoryTest, PrefetchOfReadMostlyMakesACopy) {
  const uint32_t a = Allocate(1);
  Store(host_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a, 1), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_THAT(Prefetch(Granules(a, 1), at_zero_), IsOk());
  EXPECT_TRUE(StateOf(a).holders.Contains(host_));
  EXPECT_EQ(Load(zero_, a), 5u);
  EXPECT_EQ(Faults(zero_), 0u);
}

TEST_F(ManagedMemoryTest, ABadRequestAdmitsNothing) {
  const uint32_t a = Allocate(1);
  const hal::PrefetchRequest requests[] = {
      {Granules(a, 1), at_one_},
      {Granules(a + 1, 1), at_one_},  // not allocated
  };
  EXPECT_THAT(memory_->Admit(requests), StatusIs(kInvalid));
  EXPECT_THAT(memory_->QueryLastPrefetch(Granules(a, 1)),
              IsOkAndHolds(Location::None()));
}

TEST_F(ManagedMemoryTest, APrefetchNeverTouchesALaterOwner) {
  const uint32_t a = Allocate(2);
  const uint32_t b = Allocate(1);
  const hal::PrefetchRequest requests[] = {{Granules(a, 3), at_one_}};
  const auto ticket = memory_->Admit(requests);
  ASSERT_THAT(ticket, IsOk());
  EXPECT_THAT(memory_->Free(AddressOf(a)), IsOk());
  EXPECT_EQ(Allocate(2), a);
  Store(host_, a, 7);
  EXPECT_THAT(memory_->Run(*ticket), StatusIs(kInvalid, HasSubstr("freed")));
  EXPECT_EQ(StateOf(a).owner, host_);
  EXPECT_EQ(StateOf(b).owner, one_);  // the live piece was moved
  EXPECT_THAT(memory_->QueryLastPrefetch(Granules(a, 2)),
              IsOkAndHolds(Location::None()));
}

TEST_F(ManagedMemoryTest, APrefetchOfMoreThanFitsFailsBeforeItBegins) {
  Start({kGranule * 4, GiB(1)});
  const uint32_t a = Allocate(5);
  EXPECT_THAT(Prefetch(Granules(a, 5), at_zero_), StatusIs(kExhausted));
  EXPECT_EQ(StateOf(a), GranuleState());
  EXPECT_THAT(Prefetch(Granules(a, 4), at_zero_), IsOk());
}

// --- copies, devices that end, the end

TEST_F(ManagedMemoryTest, ACopyPopulatesAndAWriteEndsReadMostly) {
  const uint32_t a = Allocate(2);
  EXPECT_THAT(memory_->PrepareCopy(Granules(a, 1), CopyAccess::kRead, one_),
              IsOk());
  EXPECT_EQ(StateOf(a).owner, one_);
  EXPECT_THAT(memory_->Advise(Granules(a, 2), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_THAT(memory_->PrepareCopy(Granules(a, 2), CopyAccess::kRead, one_),
              IsOk());
  EXPECT_THAT(memory_->QueryReadMostly(Granules(a, 2)),
              IsOkAndHolds(hal::ReadMostly::kYes));
  EXPECT_THAT(memory_->PrepareCopy(Granules(a, 1), CopyAccess::kWrite, one_),
              IsOk());
  driver_->residency().WritePhysical(GranuleIndex(a), 9);
  EXPECT_EQ(Load(host_, a), 9u);
  EXPECT_EQ(Load(zero_, a), 9u);
  EXPECT_THAT(memory_->QueryReadMostly(Granules(a, 2)),
              IsOkAndHolds(hal::ReadMostly::kNo));
}

TEST_F(ManagedMemoryTest, ACopyOfPlainMemoryIsNoneOfOurBusiness) {
  EXPECT_THAT(
      memory_->PrepareCopy(AddressRange::Of(Address(4096), ByteSize(4096)),
                           CopyAccess::kWrite, host_),
      IsOk());
}

TEST_F(ManagedMemoryTest, ALostDeviceKeepsItsBytes) {
  const uint32_t a = Allocate(2);
  Store(zero_, a, 5);
  EXPECT_THAT(memory_->Advise(Granules(a + 1, 1), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_EQ(Load(zero_, a + 1), 0u);
  driver_->Crash(DeviceId(0));
  EXPECT_EQ(StateOf(a).residency, ResidencyState::kOwnedUnmapped);
  EXPECT_EQ(StateOf(a).owner, zero_);
  EXPECT_EQ(StateOf(a + 1).holders, NodeSet(host_));
  Check();
  EXPECT_EQ(Load(zero_, a), 5u);
  EXPECT_EQ(StateOf(a).residency, ResidencyState::kExclusive);
}

TEST_F(ManagedMemoryTest, EvacuationBringsEverythingToTheHost) {
  const uint32_t a = Allocate(3);
  Store(zero_, a, 5);
  Store(one_, a + 1, 6);
  EXPECT_THAT(memory_->Advise(Granules(a + 2, 1), Advice::kSetReadMostly, {}),
              IsOk());
  EXPECT_EQ(Load(zero_, a + 2), 0u);
  EXPECT_THAT(memory_->EvacuateDevice(DeviceId(0)), IsOk());
  EXPECT_EQ(StateOf(a).holders, NodeSet(host_));
  EXPECT_EQ(StateOf(a + 1).holders, NodeSet(one_));
  EXPECT_EQ(StateOf(a + 2).holders, NodeSet(host_));
  EXPECT_TRUE(StateOf(a + 2).is_read_mostly());
  EXPECT_EQ(Load(host_, a), 5u);
}

TEST_F(ManagedMemoryTest, AfterTheServiceStopsNothingHangs) {
  const uint32_t a = Allocate(1);
  EXPECT_THAT(memory_->FreeAll(), IsOk());
  EXPECT_FALSE(memory_->Locate(AddressOf(a)).has_value());
  driver_->faults().Stop();
  memory_.reset();
}

TEST_F(ManagedMemoryTest, ManyThreadsAllocateTouchAndFree) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (uint64_t round = 0; round < 100; ++round) {
        const auto range = memory_->Allocate(kGranule * 3, DeviceId(0));
        ASSERT_THAT(range, IsOk());
        const GranuleIndex first(static_cast<uint32_t>(
            (range->begin() - memory_->Window().begin()).bytes() /
            kGranule.bytes()));
        const NodeId node = t % 2 == 0 ? host_ : one_;
        ASSERT_THAT(driver_->Store(node, first, round), IsOk());
        ASSERT_THAT(Prefetch(*range, t % 2 == 0 ? at_zero_ : at_host_), IsOk());
        ASSERT_THAT(driver_->Load(node, first), IsOkAndHolds(round));
        ASSERT_THAT(memory_->QueryLastPrefetch(*range), IsOk());
        ASSERT_THAT(memory_->Free(range->begin()), IsOk());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace npu::mm
