// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/quiet_thread.h"

#include <pthread.h>
#include <signal.h>

#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu {
namespace {

TEST(QuietThreadTest, ReceivesNoSignal) {
  bool blocked = false;
  auto thread = StartQuietThread("npu-test", [&] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked = sigismember(&mask, SIGTERM) == 1 &&
              sigismember(&mask, SIGINT) == 1 &&
              sigismember(&mask, SIGUSR1) == 1;
  });
  ASSERT_THAT(thread, IsOk());
  thread->join();
  EXPECT_TRUE(blocked);
}

TEST(QuietThreadTest, LeavesTheStartersSignalsAsTheyWere) {
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  auto thread = StartQuietThread("npu-test", [] {});
  ASSERT_THAT(thread, IsOk());
  thread->join();
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int number = 1; number < 32; ++number) {
    EXPECT_EQ(sigismember(&before, number), sigismember(&after, number));
  }
}

}  // namespace
}  // namespace npu
