// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The library in its process: fork, many threads, arguments that other threads
// pull away.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl_api/abi_tests/world.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {
namespace {

class ProcessTest : public World {};

// Runs `body` in a child; answers its exit status, -1 when it did not exit.
template <typename Body>
int InChild(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a hang ends the child, not the test
    _exit(body());
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The number of the first call that does not answer 107002; 0 when all do.
int FirstThatWorks() {
  void* ptr = nullptr;
  aclrtStream stream = nullptr;
  int32_t word = 0;
  const aclError codes[] = {
      aclInit(nullptr),
      aclrtSetDevice(0),
      aclrtMemAllocManaged(&ptr, 1, 1),
      aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST),
      aclrtFree(&ptr),
      aclrtCreateStream(&stream),
      aclrtSynchronizeStream(nullptr),
      aclrtSynchronizeDevice(),
      aclrtGetDevice(&word),
      aclrtMemcpy(&ptr, 4, &word, 4, ACL_MEMCPY_DEFAULT),
      npuEmuResetCounters(),
      aclFinalize(),
  };
  int number = 0;
  for (const aclError code : codes) {
    ++number;
    if (code != ACL_ERROR_RT_CONTEXT_NULL) return number;
  }
  return aclGetRecentErrMsg() == nullptr ? 100 : 0;
}

TEST_F(ProcessTest, AForkedChildIsRefusedAndTheParentUndisturbed) {
  auto* const ptr = static_cast<int*>(Managed());
  *ptr = 7;
  EXPECT_EQ(InChild(&FirstThatWorks), 0);
  EXPECT_EQ(*ptr, 7);
  EXPECT_DONE(aclrtSynchronizeDevice());
}

TEST_F(ProcessTest, AChildForkedUnderLoadDoesNotHang) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&stop] {
      EXPECT_DONE(aclrtSetDevice(0));
      while (!stop) {
        void* ptr = nullptr;
        EXPECT_DONE(aclrtMemAllocManaged(&ptr, 1, 1));
        EXPECT_DONE(aclrtFree(ptr));
      }
    });
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(InChild(&FirstThatWorks), 0);
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ProcessTest, TouchingManagedMemoryInAChildIsASegmentationFault) {
  auto* const ptr = static_cast<volatile int*>(Managed());
  *ptr = 7;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    _exit(*ptr == 7 ? 1 : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(ProcessTest, AClientsWaitDoesNotSeeTheDevices) {
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// One thread's share of the noise: every call either succeeds or fails in a way
// that the other threads can cause.
void Hammer(int seed, std::atomic<void*>* shared) {
  EXPECT_DONE(aclrtSetDevice(seed % 2));
  aclrtStream stream = nullptr;
  EXPECT_DONE(aclrtCreateStream(&stream));
  for (int i = 0; i < 100; ++i) {
    void* ptr = nullptr;
    EXPECT_DONE(aclrtMemAllocManaged(&ptr, 2 * kGranuleBytes, 1));
    std::memset(ptr, seed, 64);
    const aclrtMemManagedLocation place = {ACL_MEM_LOCATIONTYPE_DEVICE, i % 2};
    EXPECT_DONE(
        aclrtMemManagedPrefetchAsync(ptr, 2 * kGranuleBytes, place, 0, stream));
    EXPECT_DONE(aclrtSynchronizeStream(stream));
    EXPECT_EQ(static_cast<char*>(ptr)[63], static_cast<char>(seed));
    // Somebody else's memory, which may be gone: no crash, a legal answer.
    void* const other = shared->exchange(ptr);
    if (other == nullptr) continue;
    aclrtPtrAttributes attributes = {};
    EXPECT_DONE(aclrtPointerGetAttributes(other, &attributes));
    EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
    EXPECT_DONE(aclrtFree(other));
  }
  EXPECT_DONE(aclrtDestroyStream(stream));
}

TEST_F(ProcessTest, FourThreadsHammer) {
  std::atomic<void*> shared{nullptr};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(&Hammer, i + 1, &shared);
  for (std::thread& thread : threads) thread.join();
  EXPECT_DONE(aclrtFree(shared.load()));
}

TEST_F(ProcessTest, FinalizeUnderLoadEndsEveryCall) {
  std::vector<std::thread> threads;
  std::atomic<int> started{0};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&started] {
      EXPECT_DONE(aclrtSetDevice(0));
      aclrtStream stream = nullptr;
      EXPECT_DONE(aclrtCreateStream(&stream));
      ++started;
      // Until the runtime is gone for this thread.
      while (aclrtSynchronizeStream(stream) == ACL_SUCCESS) {
        std::this_thread::yield();
      }
    });
  }
  while (started < 3) std::this_thread::yield();
  EXPECT_DONE(aclFinalize());
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace npu::acl::testing
