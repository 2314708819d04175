// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Ordinary loads and stores of the host and of kernels, over real page faults.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/testing/emulator_fixture.h"

namespace npu::hal::emu {
namespace {

uint64_t Bits(const volatile void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

class FaultsTest : public EmulatorFixture {
 protected:
  void SetUp() override { Open(SmallConfig()); }
};

TEST_F(FaultsTest, MemoryIsZeroAtFirstTouchAndCountsOneFault) {
  EXPECT_EQ(*Word(0), 0u);
  EXPECT_EQ(Word(0)[262143], 0u);  // the last word of the granule
  EXPECT_EQ(pager().faults.load(), 1u);
}

TEST_F(FaultsTest, DataFollowsFromHostToDevicesAndBack) {
  for (uint64_t i = 0; i < 262144; ++i) Word(0)[i] = i * 7;
  EXPECT_THAT(Call(0, "load", {Bits(Word(0) + 1000), Bits(Word(1))}), IsOk());
  EXPECT_THAT(Call(1, "store", {Bits(Word(0) + 5), 99}), IsOk());
  EXPECT_EQ(*Word(1), 7000u);
  for (uint64_t i = 0; i < 262144; ++i) {
    ASSERT_EQ(Word(0)[i], i == 5 ? 99 : i * 7) << i;
  }
  // host 0, device 0: 0 and 1, device 1: 0, host: 1 and 0.
  EXPECT_EQ(pager().faults.load(), 6u);
}

TEST_F(FaultsTest, NoStoreIsLostWhenThreeNodesFightOverAGranule) {
  constexpr uint64_t kTimes = 20000;
  auto* const counter = new (Word(0)) std::atomic<uint64_t>(0);
  std::vector<std::thread> devices;
  for (int32_t device : {0, 1}) {
    devices.emplace_back([this, device, counter] {
      EXPECT_THAT(Call(device, "increment", {Bits(counter), kTimes}), IsOk());
    });
  }
  for (uint64_t i = 0; i < kTimes; ++i) counter->fetch_add(1);
  for (std::thread& device : devices) device.join();
  EXPECT_EQ(counter->load(), 3 * kTimes);
}

TEST_F(FaultsTest, CopiesAreReadWithoutFaultsAndAWriteEndsThem) {
  *Word(0) = 5;
  OnService([&](PageResidency& residency) {
    pager().Share(GranuleIndex(0));
    ASSERT_EQ(residency.Duplicate(GranuleIndex(0), NodeId::Host()),
              PageOutcome::kDone);
  });
  EXPECT_THAT(Call(0, "load", {Bits(Word(0)), Bits(Word(1))}), IsOk());
  const uint64_t before = pager().faults.load();
  EXPECT_EQ(*Word(0), 5u);
  EXPECT_THAT(Call(0, "load", {Bits(Word(0)), Bits(Word(1) + 1)}), IsOk());
  EXPECT_EQ(pager().faults.load(), before);
  *Word(0) = 6;  // the host's copy is read-only: a fault
  EXPECT_EQ(pager().faults.load(), before + 1);
  EXPECT_THAT(Call(0, "load", {Bits(Word(0)), Bits(Word(1) + 2)}), IsOk());
  EXPECT_EQ(pager().faults.load(), before + 2);  // its copy was dropped
  EXPECT_EQ(Word(1)[2], 6u);
}

TEST_F(FaultsTest, ADiscardedGranuleIsZeroAgain) {
  *Word(3) = 77;
  OnService([](PageResidency& residency) {
    residency.Discard(GranuleIndex(3));
    ASSERT_EQ(residency.Populate(GranuleIndex(3), NodeId::Host()),
              PageOutcome::kDone);
  });
  EXPECT_EQ(*Word(3), 0u);
}

TEST_F(FaultsTest, ASystemCallReadsWhatADeviceHolds) {
  EXPECT_THAT(Call(0, "store", {Bits(Word(2)), 0x6c6c6568}), IsOk());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(write(ends[1], Word(2), 8), 8);
  uint64_t got = 0;
  EXPECT_EQ(read(ends[0], &got, 8), 8);
  EXPECT_EQ(got, 0x6c6c6568u);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(FaultsTest, AChildHasNoWindow) {
  *Word(0) = 1;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    *Word(0) = 2;
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(*Word(0), 1u);
}

TEST_F(FaultsTest, DevicesAreNotTheProgramsChildren) {
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// --- devices that end

TEST_F(FaultsTest, ACrashIsAnExceptionAndTheDataStays) {
  EXPECT_THAT(Call(0, "store", {Bits(Word(0)), 42}), IsOk());
  const absl::Status crashed = Call(0, "crash", {});
  EXPECT_TRUE(IsKernelException(crashed)) << crashed;
  // The next call waits for the new process, which has the binary again.
  EXPECT_THAT(Call(0, "load", {Bits(Word(0)), Bits(Word(1))}), IsOk());
  EXPECT_EQ(*Word(1), 42u);
  EXPECT_EQ(pager().lost.load(), 1u);
}

TEST_F(FaultsTest, ExitAndTheEndOfAThreadAreExceptionsToo) {
  EXPECT_TRUE(IsKernelException(Call(0, "leave", {0})));
  EXPECT_TRUE(IsKernelException(Call(0, "end_thread", {})));
  EXPECT_THAT(Call(0, "store", {Bits(Word(0)), 1}), IsOk());
}

TEST_F(FaultsTest, OneDevicesCrashLeavesTheOtherAlone) {
  std::atomic<uint64_t>* const flag = new (Word(0)) std::atomic<uint64_t>(0);
  std::thread other(
      [&] { EXPECT_THAT(Call(1, "wait_for", {Bits(flag)}), IsOk()); });
  EXPECT_TRUE(IsKernelException(Call(0, "crash", {})));
  flag->store(1);
  other.join();
}

// --- illegal touches

TEST_F(FaultsTest, AKernelsIllegalTouchIsAnException) {
  EXPECT_TRUE(
      IsKernelException(Call(0, "store", {Bits(Word(kLiveGranules)), 1})));
  uint64_t on_the_stack = 0;
  EXPECT_TRUE(IsKernelException(Call(0, "store", {Bits(&on_the_stack), 1})));
  EXPECT_EQ(on_the_stack, 0u);
  EXPECT_THAT(Call(0, "store", {Bits(Word(0)), 1}), IsOk());
}

sig_atomic_t volatile caught = 0;

TEST_F(FaultsTest, TheHostsIllegalTouchIsSegv) {
  volatile uint64_t* const dead = Word(kLiveGranules);
  const pid_t self = getpid();
  struct sigaction action = {};
  struct sigaction old;
  static sigjmp_buf back;
  action.sa_handler = [](int number) {
    caught = number;
    siglongjmp(back, 1);
  };
  sigaction(SIGSEGV, &action, &old);
  // More pages than are remembered, twice.
  for (uint64_t page = 0; page < 200; ++page) {
    caught = 0;
    if (sigsetjmp(back, 1) == 0) dead[(page % 100) * 512] = 1;
    ASSERT_EQ(caught, SIGSEGV) << page;
  }
  sigaction(SIGSEGV, &old, nullptr);
  EXPECT_EQ(getpid(), self);
}

TEST_F(FaultsTest, NoMemoryIsBusAndLaterTouchesWork) {
  struct sigaction action = {};
  struct sigaction old;
  static sigjmp_buf back;
  action.sa_handler = [](int number) {
    caught = number;
    siglongjmp(back, 1);
  };
  sigaction(SIGBUS, &action, &old);
  caught = 0;
  pager().out_of_memory.store(true);
  if (sigsetjmp(back, 1) == 0) *Word(4) = 1;
  EXPECT_EQ(caught, SIGBUS);
  pager().out_of_memory.store(false);
  // The page is refused for a moment more, to nobody's harm.
  volatile int refused = 0;
  if (sigsetjmp(back, 1) != 0) {
    refused = refused + 1;
    usleep(1000);
  }
  if (refused < 1000) *Word(4) = 2;
  sigaction(SIGBUS, &old, nullptr);
  ASSERT_LT(refused, 1000);
  EXPECT_EQ(*Word(4), 2u);
}

}  // namespace
}  // namespace npu::hal::emu
