// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/devices.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "gtest/gtest.h"

namespace npu::acl {
namespace {

constexpr DeviceId kZero(0);
constexpr DeviceId kOne(1);

class DevicesTest : public testing::Test {
 protected:
  Devices::Hooks Hooks() {
    return {[this](DeviceId) {
              log_ += "open ";
              return open_;
            },
            [this](DeviceId device) -> absl::StatusOr<std::shared_ptr<Stream>> {
              auto place = budget_.Take(device);
              if (!place.ok()) return place.status();
              return std::make_shared<Stream>(device, *std::move(place),
                                              nullptr);
            },
            [this](DeviceId) {
              log_ += "evacuate ";
              return evacuate_;
            },
            [this](DeviceId, hal::ResetMode mode) {
              log_ += mode == hal::ResetMode::kKill ? "kill " : "reset ";
              return absl::OkStatus();
            }};
  }
  void TearDown() override {
    devices_.CheckInvariants();
    for (const auto& context : devices_.RemoveAll()) {
      context->Close(StreamEnd::kAbort);
    }
  }

  std::string log_;
  absl::Status open_;
  absl::Status evacuate_;
  StreamBudget budget_{8};
  Devices devices_{Hooks()};
};

TEST_F(DevicesTest, SetMakesOneDefaultContext) {
  const auto first = devices_.Set(kZero);
  const auto second = devices_.Set(kZero);
  devices_.CheckInvariants();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(log_, "open ");
  EXPECT_EQ((*first)->kind(), ContextKind::kDefault);
  EXPECT_EQ(Handles::Get().contexts.Find((*first)->handle()), *first);
}

TEST_F(DevicesTest, AFailedOpenLeavesTheDeviceUnset) {
  open_ = absl::ResourceExhaustedError("none");
  EXPECT_FALSE(devices_.Set(kZero).ok());
  devices_.CheckInvariants();
  EXPECT_EQ(CodeOf(devices_.Reset(kZero, hal::ResetMode::kDrain)), 507007);
}

TEST_F(DevicesTest, ResetCountsDown) {
  const auto context = devices_.Set(kZero);
  ASSERT_TRUE(devices_.Set(kZero).ok());
  EXPECT_TRUE(devices_.Reset(kZero, hal::ResetMode::kDrain).ok());
  EXPECT_TRUE((*context)->live());
  EXPECT_TRUE(devices_.Reset(kZero, hal::ResetMode::kDrain).ok());
  devices_.CheckInvariants();
  EXPECT_FALSE((*context)->live());
  EXPECT_EQ(Handles::Get().contexts.Find((*context)->handle()), nullptr);
  EXPECT_EQ(log_, "open evacuate evacuate reset ");
  EXPECT_EQ(CodeOf(devices_.Reset(kZero, hal::ResetMode::kDrain)), 507007);
}

TEST_F(DevicesTest, AForcedResetEndsExplicitContextsToo) {
  ASSERT_TRUE(devices_.Set(kZero).ok());
  ASSERT_TRUE(devices_.Set(kZero).ok());
  const auto extra = devices_.CreateContext(kZero);
  ASSERT_TRUE(extra.ok());
  EXPECT_TRUE(devices_.Reset(kZero, hal::ResetMode::kKill).ok());
  devices_.CheckInvariants();
  EXPECT_FALSE((*extra)->live());
  EXPECT_EQ(log_, "open open evacuate kill evacuate ");
}

TEST_F(DevicesTest, WithoutRoomNothingIsReset) {
  const auto context = devices_.Set(kZero);
  evacuate_ = Failure(207001, "no room");
  EXPECT_EQ(CodeOf(devices_.Reset(kZero, hal::ResetMode::kDrain)), 207001);
  devices_.CheckInvariants();
  EXPECT_TRUE((*context)->live());
  evacuate_ = absl::OkStatus();
  EXPECT_TRUE(devices_.Reset(kZero, hal::ResetMode::kDrain).ok());
}

TEST_F(DevicesTest, ExplicitContextsAreRemovedOnce) {
  const auto context = devices_.CreateContext(kOne);
  ASSERT_TRUE(context.ok());
  EXPECT_TRUE(devices_.Remove(*context).ok());
  EXPECT_EQ(CodeOf(devices_.Remove(*context)), 107000);
  const auto standard = devices_.Set(kOne);
  EXPECT_EQ(CodeOf(devices_.Remove(*standard)), 107000);
  devices_.CheckInvariants();
  (*context)->Close(StreamEnd::kDrain);
}

TEST_F(DevicesTest, StreamsAreThoseOfTheDevice) {
  ASSERT_TRUE(devices_.Set(kZero).ok());
  ASSERT_TRUE(devices_.CreateContext(kZero).ok());
  ASSERT_TRUE(devices_.Set(kOne).ok());
  EXPECT_EQ(devices_.StreamsOf(kZero).size(), 2u);
  EXPECT_EQ(devices_.StreamsOf(kOne).size(), 1u);
  EXPECT_EQ(devices_.StreamsOf(DeviceId(2)).size(), 0u);
}

TEST_F(DevicesTest, ADrainWaitsForTheWork) {
  const auto context = devices_.Set(kZero);
  std::atomic<bool> ran{false};
  ASSERT_TRUE((*context)
                  ->default_stream()
                  ->Enqueue([&ran] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    ran = true;
                    return absl::OkStatus();
                  })
                  .ok());
  EXPECT_TRUE(devices_.Reset(kZero, hal::ResetMode::kDrain).ok());
  EXPECT_TRUE(ran);
}

TEST_F(DevicesTest, SettingAndResettingAtOnceKeepsTheBooks) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([this] {
      for (int round = 0; round < 50; ++round) {
        if (!devices_.Set(kOne).ok()) continue;
        devices_.Reset(kOne, hal::ResetMode::kDrain).IgnoreError();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  devices_.CheckInvariants();
  EXPECT_EQ(CodeOf(devices_.Reset(kOne, hal::ResetMode::kDrain)), 507007);
}

}  // namespace
}  // namespace npu::acl
