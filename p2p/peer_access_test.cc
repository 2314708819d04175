// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "p2p/peer_access.h"

#include <map>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_matchers.h"

namespace npu::p2p {
namespace {

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Three devices; memory of device d at d * 1 GiB, one block of 1 MiB each.
class ThreeDevices final : public hal::DeviceRegistry, public hal::PeerLink {
 public:
  ThreeDevices() { about_.device_count = 3; }

  std::vector<AddressRange> mapped;
  int disabled = 0;

 private:
  const hal::DriverDescription& DoDescribe() const override { return about_; }
  absl::Status DoOpen(DeviceId) override { return absl::OkStatus(); }
  absl::Status DoReset(DeviceId, hal::ResetMode) override {
    return absl::OkStatus();
  }
  hal::NumaNode DoCurrentNumaNode() const override { return hal::NumaNode(0); }

  // There is no way between 1 and 2.
  hal::PeerReach DoReach(hal::PeerPair pair) const override {
    return pair.owner == DeviceId(0) || pair.accessor == DeviceId(0)
               ? hal::PeerReach::kReachable
               : hal::PeerReach::kUnreachable;
  }
  // Device 0 lets one peer in.
  absl::Status DoEnable(hal::PeerPair pair) override {
    if (pair.owner != DeviceId(0)) return absl::OkStatus();
    if (++let_in_ <= 1) return absl::OkStatus();
    return DriverError(DriverCode::kOverLimit, "one peer only");
  }
  absl::Status DoDisable(hal::PeerPair pair) override {
    if (pair.owner == DeviceId(0)) --let_in_;
    ++disabled;
    return absl::OkStatus();
  }
  absl::Status DoMap(hal::PeerPair, AddressRange range) override {
    mapped.push_back(range);
    return absl::OkStatus();
  }

  hal::DriverDescription about_;
  int let_in_ = 0;
};

class Blocks final : public hal::DeviceMemory {
 private:
  absl::StatusOr<AddressRange> DoAllocate(DeviceId, ByteSize) override {
    return absl::UnimplementedError("");
  }
  absl::Status DoFree(Address) override { return absl::OkStatus(); }
  std::optional<hal::DeviceBlock> DoLocate(Address address) const override {
    const uint64_t device = address.value() / GiB(1).bytes();
    const AddressRange block =
        AddressRange::Of(Address(GiB(1).bytes() * device), MiB(1));
    if (device > 2 || !block.Contains(address)) return std::nullopt;
    return hal::DeviceBlock{DeviceId(static_cast<int32_t>(device)), block,
                            KiB(4)};
  }
  hal::MemoryCapacity DoCapacity(DeviceId) const noexcept override {
    return {};
  }
};

hal::PeerPair Pair(int32_t owner, int32_t accessor) {
  return {DeviceId(owner), DeviceId(accessor)};
}

AddressRange Memory(uint64_t device, uint64_t offset, uint64_t size) {
  return AddressRange::Of(Address(GiB(1).bytes() * device + offset),
                          ByteSize(size));
}

class PeerAccessTest : public testing::Test {
 protected:
  void TearDown() override { peers_.CheckInvariants(); }

  hal::FaultVerdict Touch(int32_t accessor, int32_t owner) {
    return static_cast<hal::PeerFaultSink&>(peers_).OnPeerFault(
        {DeviceId(accessor), DeviceId(owner), Address(0)});
  }

  ThreeDevices devices_;
  Blocks memory_;
  PeerAccess peers_{devices_, memory_, devices_};
};

TEST_F(PeerAccessTest, IdsAreChecked) {
  EXPECT_EQ(DriverCodeOf(peers_.Enable(Pair(-1, 0))),
            DriverCode::kInvalidDevice);
  EXPECT_EQ(DriverCodeOf(peers_.Enable(Pair(0, 3))),
            DriverCode::kInvalidDevice);
  EXPECT_EQ(DriverCodeOf(peers_.Enable(Pair(1, 1))), DriverCode::kInvalidValue);
  EXPECT_EQ(DriverCodeOf(peers_.Status(Pair(0, 9)).status()),
            DriverCode::kInvalidDevice);
}

TEST_F(PeerAccessTest, ADirectionIsNotTheOther) {
  EXPECT_THAT(peers_.Enable(Pair(0, 1)), IsOk());
  EXPECT_THAT(peers_.Status(Pair(0, 1)), IsOkAndHolds(PeerState::kOn));
  EXPECT_THAT(peers_.Status(Pair(1, 0)), IsOkAndHolds(PeerState::kOff));
  EXPECT_EQ(peers_.MayReach(Pair(0, 1)), hal::PeerReach::kReachable);
  EXPECT_EQ(peers_.MayReach(Pair(1, 0)), hal::PeerReach::kUnreachable);
}

TEST_F(PeerAccessTest, ASecondEnableSucceedsAndASecondDisableDoesNot) {
  EXPECT_THAT(peers_.Enable(Pair(0, 1)), IsOk());
  EXPECT_THAT(peers_.Enable(Pair(0, 1)), IsOk());
  EXPECT_THAT(peers_.Disable(Pair(0, 1)), IsOk());
  EXPECT_THAT(peers_.Status(Pair(0, 1)), IsOkAndHolds(PeerState::kOff));
  EXPECT_THAT(peers_.Disable(Pair(0, 1)),
              StatusIs(kInvalid, HasSubstr("not enabled")));
}

TEST_F(PeerAccessTest, NoWayAndTooManyAreDifferentAnswers) {
  EXPECT_EQ(DriverCodeOf(peers_.Enable(Pair(1, 2))), DriverCode::kNotSupported);
  EXPECT_THAT(peers_.CanReach(Pair(1, 2)),
              IsOkAndHolds(hal::PeerReach::kUnreachable));
  EXPECT_THAT(peers_.Enable(Pair(0, 1)), IsOk());
  EXPECT_EQ(DriverCodeOf(peers_.Enable(Pair(0, 2))), DriverCode::kOverLimit);
  EXPECT_THAT(peers_.Status(Pair(0, 2)), IsOkAndHolds(PeerState::kOff));
}

TEST_F(PeerAccessTest, MapChecksInOrderAndAsksTheDriver) {
  EXPECT_EQ(DriverCodeOf(peers_.Map(Memory(9, 0, 1), DeviceId(7))),
            DriverCode::kInvalidDevice);
  EXPECT_EQ(DriverCodeOf(peers_.Map(Memory(9, 0, 1), DeviceId(1))),
            DriverCode::kInvalidValue);
  EXPECT_EQ(
      DriverCodeOf(peers_.Map(Memory(0, MiB(1).bytes() - 1, 2), DeviceId(1))),
      DriverCode::kInvalidValue);
  EXPECT_EQ(DriverCodeOf(peers_.Map(Memory(0, 0, 16), DeviceId(0))),
            DriverCode::kInvalidValue);
  EXPECT_EQ(DriverCodeOf(peers_.Map(Memory(0, 0, 16), DeviceId(1))),
            DriverCode::kNotPermitted);
  EXPECT_THAT(devices_.mapped, IsEmpty());
  EXPECT_THAT(peers_.Enable(Pair(0, 1)), IsOk());
  EXPECT_THAT(peers_.Map(Memory(0, 5, 16), DeviceId(1)), IsOk());
  EXPECT_THAT(peers_.Map(Memory(0, 5, 16), DeviceId(1)), IsOk());
  EXPECT_THAT(peers_.Mappings(), SizeIs(1));
  // The pair of the other direction is another one.
  EXPECT_EQ(DriverCodeOf(peers_.Map(Memory(1, 0, 16), DeviceId(0))),
            DriverCode::kNotPermitted);
}

TEST_F(PeerAccessTest, MappingsEndWithTheirBlockTheirPairAndTheirDevice) {
  EXPECT_THAT(peers_.Enable(Pair(0, 1)), IsOk());
  EXPECT_THAT(peers_.Enable(Pair(2, 0)), IsOk());
  EXPECT_THAT(peers_.Map(Memory(0, 0, 16), DeviceId(1)), IsOk());
  EXPECT_THAT(peers_.Map(Memory(2, 0, 16), DeviceId(0)), IsOk());
  peers_.OnFreed(Memory(0, 0, MiB(1).bytes()));
  EXPECT_THAT(peers_.Mappings(), SizeIs(1));
  EXPECT_THAT(peers_.Map(Memory(0, 0, 16), DeviceId(1)), IsOk());
  EXPECT_THAT(peers_.Disable(Pair(0, 1)), IsOk());
  EXPECT_THAT(peers_.Mappings(), SizeIs(1));
  peers_.OnDeviceReset(DeviceId(2));
  EXPECT_THAT(peers_.Mappings(), IsEmpty());
  EXPECT_THAT(peers_.Status(Pair(2, 0)), IsOkAndHolds(PeerState::kOff));
  EXPECT_EQ(devices_.disabled, 2);
}

TEST_F(PeerAccessTest, FaultsAreServedWhereThePairIsOnAndCounted) {
  EXPECT_EQ(Touch(1, 0), hal::FaultVerdict::kIllegal);
  EXPECT_EQ(peers_.faults(DeviceId(1)), 0u);
  EXPECT_THAT(peers_.Enable(Pair(0, 1)), IsOk());
  EXPECT_EQ(Touch(1, 0), hal::FaultVerdict::kServed);
  EXPECT_EQ(Touch(0, 1), hal::FaultVerdict::kIllegal);
  EXPECT_EQ(peers_.faults(DeviceId(1)), 1u);
  peers_.ResetCounters();
  EXPECT_EQ(peers_.faults(DeviceId(1)), 0u);
}

}  // namespace
}  // namespace npu::p2p
