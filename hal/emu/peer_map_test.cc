// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Memory of one device under another: who may, for how long, and at what cost.

#include "hal/emu/peer_map.h"

#include <chrono>
#include <cstdint>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/testing/emulator_fixture.h"

namespace npu::hal::emu {
namespace {

constexpr PeerPair kPair = {DeviceId(0), DeviceId(1)};
constexpr PeerPair kBack = {DeviceId(1), DeviceId(0)};

class PeerMapTest : public EmulatorFixture {
 protected:
  void SetUp() override {
    Open(SmallConfig());
    if (!IsSkipped() && !HasFatalFailure()) pager().allow_peers.store(true);
  }

  AddressRange Block(int32_t device, ByteSize size) {
    const auto range = parts().device_memory->Allocate(DeviceId(device), size);
    EXPECT_THAT(range, IsOk());
    return *range;
  }
  absl::Status Store(int32_t device, Address place) {
    return Call(device, "store", {place.value(), 7});
  }
  PeerLink& peers() { return *parts().peers; }
  uint64_t faults() { return pager().peer_faults.load(); }
};

TEST_F(PeerMapTest, ADirectionIsOneDirection) {
  const AddressRange zero = Block(0, KiB(4));
  const AddressRange one = Block(1, KiB(4));
  EXPECT_THAT(peers().Enable(kPair), IsOk());
  EXPECT_THAT(peers().Enable(kPair), IsOk());  // again: nothing
  EXPECT_THAT(Store(1, zero.begin()), IsOk());
  EXPECT_TRUE(IsKernelException(Store(0, one.begin())));
  EXPECT_THAT(peers().Enable(kBack), IsOk());
  EXPECT_THAT(Store(0, one.begin()), IsOk());
}

TEST_F(PeerMapTest, TheSinkHasTheLastWord) {
  const AddressRange block = Block(0, KiB(4));
  EXPECT_THAT(peers().Enable(kPair), IsOk());
  pager().allow_peers.store(false);
  EXPECT_TRUE(IsKernelException(Store(1, block.begin())));
  EXPECT_EQ(faults(), 1u);
}

TEST_F(PeerMapTest, ARangeIsInsideOneBlockOfTheOwner) {
  const AddressRange block = Block(0, KiB(8));
  EXPECT_THAT(peers().Enable(kPair), IsOk());
  const AddressRange part =
      AddressRange::Of(block.begin() + ByteSize(100), ByteSize(50));
  EXPECT_THAT(peers().Map(kPair, part), IsOk());
  for (const AddressRange bad :
       {AddressRange::Of(block.begin(), KiB(12)),
        AddressRange::Of(Address::Of(Word(0)), KiB(4)),
        AddressRange::Of(Address(64), KiB(4)), Block(1, KiB(4))}) {
    EXPECT_EQ(DriverCodeOf(peers().Map(kPair, bad)), DriverCode::kInvalidValue)
        << bad;
  }
}

TEST_F(PeerMapTest, ANewBlockAtAnOldPlaceIsNotMapped) {
  EXPECT_THAT(peers().Enable(kPair), IsOk());
  const AddressRange old = Block(0, KiB(4));
  EXPECT_THAT(peers().Map(kPair, old), IsOk());
  EXPECT_THAT(Store(1, old.begin()), IsOk());
  EXPECT_EQ(faults(), 0u);
  EXPECT_THAT(parts().device_memory->Free(old.begin()), IsOk());
  const AddressRange next = Block(0, KiB(4));
  ASSERT_EQ(next.begin(), old.begin());
  EXPECT_THAT(Store(1, next.begin()), IsOk());
  EXPECT_EQ(faults(), 1u);
  // Nor does a new process of the accessor get it.
  EXPECT_TRUE(IsKernelException(Call(1, "crash", {})));
  EXPECT_THAT(Store(1, next.begin()), IsOk());
  EXPECT_EQ(faults(), 2u);
}

TEST_F(PeerMapTest, MappingsOfManyShortLivedBlocksDoNotHide) {
  EXPECT_THAT(peers().Enable(kPair), IsOk());
  const AddressRange kept = Block(0, KiB(4));
  EXPECT_THAT(peers().Map(kPair, kept), IsOk());
  // Enough to have the dead ones forgotten some times.
  for (int i = 0; i < 500; ++i) {
    const AddressRange block = Block(0, KiB(4));
    ASSERT_THAT(peers().Map(kPair, block), IsOk());
    ASSERT_THAT(parts().device_memory->Free(block.begin()), IsOk());
  }
  EXPECT_TRUE(IsKernelException(Call(1, "crash", {})));
  EXPECT_THAT(Store(1, kept.begin()), IsOk());
  EXPECT_EQ(faults(), 0u);
}

TEST_F(PeerMapTest, AfterDisableNobodyGetsIn) {
  const AddressRange block = Block(0, MiB(1));
  for (uint64_t round = 0; round < 12; ++round) {
    EXPECT_THAT(peers().Enable(kPair), IsOk());
    std::thread toucher([&] {
      // Until the switch is thrown.
      absl::Status status;
      for (uint64_t piece = 0; piece < 16 && status.ok(); ++piece) {
        status = Store(1, block.begin() + KiB(64) * piece);
      }
      EXPECT_TRUE(status.ok() || IsKernelException(status)) << status;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(100 * round));
    EXPECT_THAT(peers().Disable(kPair), IsOk());
    toucher.join();
    EXPECT_TRUE(IsKernelException(Store(1, block.begin()))) << round;
  }
}

TEST_F(PeerMapTest, AResetOfTheOwnerShutsEverybodyOut) {
  EXPECT_THAT(peers().Enable(kPair), IsOk());
  const AddressRange block = Block(0, KiB(4));
  EXPECT_THAT(Store(1, block.begin()), IsOk());
  EXPECT_THAT(parts().devices->Reset(DeviceId(0), ResetMode::kDrain), IsOk());
  EXPECT_TRUE(IsKernelException(Store(1, block.begin())));
  const AddressRange next = Block(0, KiB(4));
  EXPECT_TRUE(IsKernelException(Store(1, next.begin())));
}

}  // namespace
}  // namespace npu::hal::emu
