// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/fault_decision.h"

#include "gtest/gtest.h"

namespace npu::mm {
namespace {

constexpr auto kRead = hal::FaultAccess::kRead;
constexpr auto kWrite = hal::FaultAccess::kWrite;
constexpr auto kReachable = hal::PeerReach::kReachable;
constexpr auto kUnreachable = hal::PeerReach::kUnreachable;

const NodeId kHost = NodeId::Host();
const NodeId kZero = NodeId::Device(DeviceId(0));
const NodeId kOne = NodeId::Device(DeviceId(1));

GranuleState OwnedBy(NodeId owner) {
  GranuleState state;
  state.residency = ResidencyState::kExclusive;
  state.owner = owner;
  state.holders = NodeSet(owner);
  return state;
}

GranuleState SharedBy(NodeId a, NodeId b) {
  GranuleState state = OwnedBy(a);
  state.residency = ResidencyState::kShared;
  state.holders.Add(b);
  state.read_mostly = hal::ReadMostly::kYes;
  return state;
}

TEST(FaultDecisionTest, TheFirstTouchPopulates) {
  EXPECT_EQ(DecideFault({}, kOne, kRead, kReachable), FaultAction::kPopulate);
  EXPECT_EQ(DecideFault({}, kHost, kWrite, kReachable), FaultAction::kPopulate);
}

TEST(FaultDecisionTest, TheOnlyCopyFollowsItsToucher) {
  EXPECT_EQ(DecideFault(OwnedBy(kHost), kZero, kRead, kReachable),
            FaultAction::kTransfer);
  EXPECT_EQ(DecideFault(OwnedBy(kZero), kOne, kWrite, kReachable),
            FaultAction::kTransfer);
}

TEST(FaultDecisionTest, AHoldersFaultIsSpurious) {
  EXPECT_EQ(DecideFault(OwnedBy(kZero), kZero, kWrite, kReachable),
            FaultAction::kRepair);
  EXPECT_EQ(DecideFault(SharedBy(kHost, kOne), kOne, kRead, kReachable),
            FaultAction::kRepair);
}

TEST(FaultDecisionTest, ReadMostlyIsCopiedOnReadsAndEndedByWrites) {
  const GranuleState shared = SharedBy(kHost, kOne);
  EXPECT_EQ(DecideFault(shared, kZero, kRead, kReachable),
            FaultAction::kDuplicate);
  EXPECT_EQ(DecideFault(shared, kZero, kWrite, kReachable),
            FaultAction::kCollapse);
  EXPECT_EQ(DecideFault(shared, kOne, kWrite, kReachable),
            FaultAction::kCollapse);
}

TEST(FaultDecisionTest, AnAccessorIsMappedWhereItMayReach) {
  GranuleState state = OwnedBy(kZero);
  state.accessors = NodeSet(kOne);
  EXPECT_EQ(DecideFault(state, kOne, kWrite, kReachable),
            FaultAction::kMapRemote);
  EXPECT_EQ(DecideFault(state, kOne, kWrite, kUnreachable),
            FaultAction::kTransfer);
  EXPECT_EQ(DecideFault(state, kHost, kRead, kReachable),
            FaultAction::kTransfer);
}

TEST(FaultDecisionTest, AnOwnerWithoutAMappingGetsItBack) {
  GranuleState state = OwnedBy(kZero);
  state.residency = ResidencyState::kOwnedUnmapped;
  state.holders = NodeSet();
  state.accessors = NodeSet(kZero);
  EXPECT_EQ(DecideFault(state, kZero, kRead, kReachable),
            FaultAction::kTransfer);
  state.read_mostly = hal::ReadMostly::kYes;
  EXPECT_EQ(DecideFault(state, kOne, kRead, kReachable),
            FaultAction::kDuplicate);
  EXPECT_EQ(DecideFault(state, kOne, kWrite, kReachable),
            FaultAction::kTransfer);
}

}  // namespace
}  // namespace npu::mm
