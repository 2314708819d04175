// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/granule_table.h"

#include <atomic>
#include <sstream>
#include <thread>

#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu::mm {
namespace {

GranuleState Shared(uint64_t devices) {
  GranuleState state;
  state.residency = ResidencyState::kShared;
  state.owner = NodeId::Host();
  state.holders = NodeSet::FromBits(true, devices);
  state.read_mostly = hal::ReadMostly::kYes;
  state.accessors = NodeSet::FromBits(true, devices);
  return state;
}

TEST(GranuleTableTest, KeepsWhatIsWritten) {
  auto table = GranuleTable::Make(10);
  ASSERT_THAT(table, IsOk());
  EXPECT_EQ(table->Read(GranuleIndex(3)), GranuleState());
  GranuleState state = Shared(~uint64_t{0});
  state.owner = NodeId::Device(DeviceId(63));
  table->Write(GranuleIndex(3), state);
  EXPECT_EQ(table->Read(GranuleIndex(3)), state);
  EXPECT_EQ(table->ReadOwn(GranuleIndex(3)), state);
  EXPECT_EQ(table->Read(GranuleIndex(4)), GranuleState());
}

TEST(GranuleTableTest, ReadersAreNeverTorn) {
  auto table = GranuleTable::Make(1);
  ASSERT_THAT(table, IsOk());
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint64_t i = 0; !stop.load(); ++i) {
      table->Write(GranuleIndex(0), Shared(i));
    }
  });
  for (int i = 0; i < 50000; ++i) {
    const GranuleState state = table->Read(GranuleIndex(0));
    ASSERT_EQ(state.holders.devices(), state.accessors.devices());
  }
  stop.store(true);
  writer.join();
}

TEST(GranuleTableTest, StatesPrint) {
  std::ostringstream out;
  out << Shared(1);
  EXPECT_EQ(out.str(),
            "Shared owner host holders {host, device 0} read-mostly accessors "
            "{host, device 0}");
}

TEST(GranuleStateDeathTest, ContradictionsAreBrokenInvariants) {
  GranuleState state;
  state.holders = NodeSet(NodeId::Host());
  EXPECT_DEATH(CheckInvariants(state), "check failed");
  state.residency = ResidencyState::kExclusive;
  CheckInvariants(state);
  state.holders.Add(NodeId::Device(DeviceId(0)));
  EXPECT_DEATH(CheckInvariants(state), "check failed");
  state.residency = ResidencyState::kExclusiveRemote;
  CheckInvariants(state);
  state.read_mostly = hal::ReadMostly::kYes;
  EXPECT_DEATH(CheckInvariants(state), "check failed");
}

}  // namespace
}  // namespace npu::mm
