// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Devices that die again and again under other people's kernels.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/testing/emulator_fixture.h"

namespace npu::hal::emu {
namespace {

constexpr uint64_t kFirstLane = 100;

class RestartTest : public EmulatorFixture {
 protected:
  void SetUp() override { Open(SmallConfig()); }

  std::atomic<uint64_t>* Counter(uint32_t granule) {
    return new (Word(granule)) std::atomic<uint64_t>(0);
  }
};

uint64_t Bits(const volatile void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

// What a lane did: calls that were answered "done", and "exception".
struct Tally {
  uint64_t done = 0;
  uint64_t lost = 0;
};

TEST_F(RestartTest, NoCallRunsTwiceWhileTheDeviceCrashes) {
  constexpr int kLanes = 4;
  constexpr int kCrashes = 12;
  std::vector<std::atomic<uint64_t>*> counters;
  for (uint32_t i = 0; i < kLanes; ++i) counters.push_back(Counter(i));
  std::atomic<bool> stop{false};
  std::vector<Tally> tallies(kLanes);
  std::vector<std::thread> lanes;
  for (uint64_t i = 0; i < kLanes; ++i) {
    lanes.emplace_back([&, i] {
      while (!stop.load()) {
        const absl::Status status = CallIn(LaneId(kFirstLane + i), 0,
                                           "increment", {Bits(counters[i]), 1});
        EXPECT_TRUE(status.ok() || IsKernelException(status)) << status;
        ++(status.ok() ? tallies[i].done : tallies[i].lost);
      }
    });
  }
  for (int crash = 0; crash < kCrashes; ++crash) {
    EXPECT_TRUE(IsKernelException(CallIn(LaneId(99), 0, "crash", {})));
  }
  stop.store(true);
  for (std::thread& lane : lanes) lane.join();
  for (size_t i = 0; i < kLanes; ++i) {
    EXPECT_GE(counters[i]->load(), tallies[i].done) << i;
    EXPECT_LE(counters[i]->load(), tallies[i].done + tallies[i].lost) << i;
  }
  // Answered by the last process: every loss has been noticed by then.
  EXPECT_THAT(Call(0, "increment", {Bits(counters[0]), 1}), IsOk());
  EXPECT_EQ(pager().lost.load(), uint64_t{kCrashes});
}

TEST_F(RestartTest, ACrashTakesEveryKernelOfTheDeviceWithIt) {
  std::atomic<uint64_t>* const flag = Counter(0);
  std::vector<std::thread> waiting;
  std::atomic<int> exceptions{0};
  for (uint64_t i = 0; i < 3; ++i) {
    waiting.emplace_back([&, i] {
      const absl::Status status =
          CallIn(LaneId(kFirstLane + i), 0, "announce_and_wait_for",
                 {Bits(Word(1) + i), Bits(flag)});
      if (IsKernelException(status)) ++exceptions;
    });
  }
  for (uint64_t i = 0; i < 3; ++i) {
    const volatile uint64_t* const here = Word(1) + i;
    while (*here == 0) std::this_thread::yield();
  }
  EXPECT_TRUE(IsKernelException(Call(0, "crash", {})));
  for (std::thread& thread : waiting) thread.join();
  EXPECT_EQ(exceptions.load(), 3);
  EXPECT_THAT(Call(0, "store", {Bits(Word(0)), 1}), IsOk());
}

TEST_F(RestartTest, DataOfAllGranulesOutlivesCrashes) {
  for (uint64_t g = 0; g < kLiveGranules; ++g) {
    const auto granule = static_cast<uint32_t>(g);
    EXPECT_THAT(Call(0, "store", {Bits(Word(granule) + g), g + 1}), IsOk());
  }
  EXPECT_TRUE(IsKernelException(Call(0, "crash", {})));
  for (uint64_t g = 0; g < kLiveGranules; ++g) {
    const auto granule = static_cast<uint32_t>(g);
    EXPECT_THAT(
        Call(g % 2 == 0 ? 0 : 1, "increment", {Bits(Word(granule) + g), 1}),
        IsOk());
    ASSERT_EQ(Word(granule)[g], g + 2);
  }
}

}  // namespace
}  // namespace npu::hal::emu
