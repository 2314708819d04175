// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The frame of every call, the thread's state and the process mark.

#include "acl_api/call.h"

#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "acl_api/error_code.h"
#include "acl_api/process_mark.h"
#include "acl_api/thread_state.h"
#include "gtest/gtest.h"

namespace npu::acl {
namespace {

class CallTest : public testing::Test {
 protected:
  // Other tests share the thread.
  void SetUp() override {
    ThreadState::Mine().TakeTexts();
    ThreadState::Mine().set_last_error(0);
  }
  void TearDown() override { ThreadState::Mine().CheckInvariants(); }

  static std::string Texts() {
    const char* texts = ThreadState::Mine().TakeTexts();
    return texts == nullptr ? "" : texts;
  }
};

TEST_F(CallTest, SuccessLeavesNothingBehind) {
  ThreadState::Mine().set_last_error(107002);
  EXPECT_EQ(acl::Run("f", [] { return absl::OkStatus(); }), 0);
  EXPECT_EQ(ThreadState::Mine().TakeTexts(), nullptr);
  EXPECT_EQ(ThreadState::Mine().last_error(), 107002);
}

TEST_F(CallTest, FailureNamesTheFunctionAndFillsTheSlot) {
  EXPECT_EQ(acl::Run("aclrtFoo", [] { return Failure(107001, "id = 9: no"); }),
            107001);
  EXPECT_EQ(Texts(), "aclrtFoo: id = 9: no [107001]");
  EXPECT_EQ(ThreadState::Mine().TakeLastError(), 107001);
  EXPECT_EQ(ThreadState::Mine().last_error(), 0);
}

TEST_F(CallTest, BadArgumentsOfTheFirstLayerDoNotReachTheSlot) {
  EXPECT_EQ(acl::Run("f", [] { return Failure(100000, "x"); }), 100000);
  EXPECT_EQ(ThreadState::Mine().last_error(), 0);
}

TEST_F(CallTest, NoExceptionLeaves) {
  EXPECT_EQ(acl::Run("f", []() -> absl::Status { throw std::bad_alloc(); }),
            200000);
  EXPECT_EQ(
      acl::Run("f", []() -> absl::Status { throw std::length_error("l"); }),
      200000);
  EXPECT_EQ(
      acl::Run("f", []() -> absl::Status { throw std::runtime_error("r"); }),
      500000);
  EXPECT_EQ(Texts(),
            "f: no memory on the host [200000]\n"
            "f: an array is too long [200000]\n"
            "f: r [500000]");
}

TEST_F(CallTest, TextsAreClearedAndBounded) {
  for (size_t i = 0; i < 3 * ThreadState::kMostTexts; ++i) {
    acl::Run("f", [i] { return Failure(100000, std::to_string(i)); });
    ThreadState::Mine().CheckInvariants();
  }
  const std::string texts = Texts();
  EXPECT_EQ(texts.find("f: 0 "), std::string::npos);
  EXPECT_NE(texts.find("f: 47 [100000]"), std::string::npos);
  EXPECT_EQ(ThreadState::Mine().TakeTexts(), nullptr);
}

TEST_F(CallTest, ThePointerLivesUntilTheNextTake) {
  acl::Run("f", [] { return Failure(100000, "one"); });
  const char* const first = ThreadState::Mine().TakeTexts();
  acl::Run("f", [] { return Failure(100000, "two"); });
  EXPECT_STREQ(first, "f: one [100000]");
  EXPECT_EQ(ThreadState::Mine().TakeTexts() != nullptr, true);
}

TEST_F(CallTest, ThreadsHaveTheirOwnState) {
  acl::Run("f", [] { return Failure(107000, "mine"); });
  std::thread([] {
    EXPECT_EQ(ThreadState::Mine().last_error(), 0);
    EXPECT_EQ(ThreadState::Mine().TakeTexts(), nullptr);
    acl::Run("g", [] { return Failure(107003, "other"); });
  }).join();
  EXPECT_EQ(ThreadState::Mine().last_error(), 107000);
  EXPECT_EQ(Texts(), "f: mine [107000]");
}

TEST_F(CallTest, AForkedChildIsRefused) {
  ASSERT_EQ(WhichProcess(), ProcessKind::kOwn);
  const pid_t child = fork();
  if (child == 0) {
    int ran = 0;
    const aclError code = acl::Run("f", [&ran] {
      ran = 1;
      return absl::OkStatus();
    });
    const bool right = WhichProcess() == ProcessKind::kForkedChild &&
                       code == ACL_ERROR_RT_CONTEXT_NULL && ran == 0;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(WhichProcess(), ProcessKind::kOwn);
}

TEST_F(CallTest, ManyThreadsAgreeOnTheMark) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] { EXPECT_EQ(WhichProcess(), ProcessKind::kOwn); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace npu::acl
