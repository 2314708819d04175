// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/ranked_mutex.h"

#include <chrono>
#include <thread>

#include "gtest/gtest.h"

namespace npu {
namespace {

TEST(RankedMutexTest, LocksOfRisingRankNest) {
  RankedMutex low(LockRank::kRuntime);
  RankedMutex high(LockRank::kLeaf);
  int guarded = 0;
  for (int round = 0; round < 3; ++round) {
    MutexLock first(low);
    MutexLock second(high);
    ++guarded;
  }
  EXPECT_EQ(guarded, 3);
}

TEST(RankedMutexTest, MayBeGivenBackInAnyOrder) {
  RankedMutex low(LockRank::kRuntime);
  RankedMutex high(LockRank::kLeaf);
  low.Lock();
  high.Lock();
  low.Unlock();
  high.Unlock();
  // Nothing is left held: the lower rank can be taken again.
  MutexLock again(low);
  EXPECT_EQ(low.rank(), LockRank::kRuntime);
}

TEST(RankedMutexTest, KeepsThreadsApart) {
  RankedMutex mutex(LockRank::kLeaf);
  int count = 0;
  const auto work = [&] {
    for (int i = 0; i < 10000; ++i) {
      MutexLock lock(mutex);
      ++count;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(count, 20000);
}

TEST(RankedMutexTest, WaitGivesTheMutexBackMeanwhile) {
  RankedMutex mutex(LockRank::kLeaf);
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    MutexLock lock(mutex);
    ready = true;
    changed.notify_all();
  });
  {
    MutexLock lock(mutex);
    while (!ready) lock.Wait(changed);
    EXPECT_TRUE(ready);
  }
  other.join();
}

TEST(RankedMutexTest, WaitForEndsWithoutANotification) {
  RankedMutex mutex(LockRank::kLeaf);
  std::condition_variable changed;
  MutexLock lock(mutex);
  // A spurious wake is legal, so ask until the time is really over.
  while (lock.WaitFor(changed, std::chrono::milliseconds(1)) !=
         MutexLock::Wake::kTimedOut) {
  }
  SUCCEED();
}

#ifndef NDEBUG
TEST(RankedMutexDeathTest, AFallingRankStopsADebugBuild) {
  RankedMutex low(LockRank::kRuntime);
  RankedMutex high(LockRank::kLeaf);
  EXPECT_DEATH(
      {
        MutexLock first(high);
        MutexLock second(low);
      },
      "check failed");
}

TEST(RankedMutexDeathTest, TwoLocksOfOneRankStopADebugBuild) {
  RankedMutex a(LockRank::kStream);
  RankedMutex b(LockRank::kStream);
  EXPECT_DEATH(
      {
        MutexLock first(a);
        MutexLock second(b);
      },
      "check failed");
}
#endif

}  // namespace
}  // namespace npu
