// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// aclInit, aclFinalize, the texts and the last-error slot, over the library.

#include <unistd.h>

#include <string>
#include <thread>

#include "acl_api/abi_tests/world.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {
namespace {

constexpr auto kThread = ACL_RT_THREAD_LEVEL;

class Init : public ::testing::Test {
 protected:
  void SetUp() override { UseEmulatorConfig(""); }
  void TearDown() override {
    aclFinalize();
    RecentText();
    aclrtGetLastError(kThread);
    UseEmulatorConfig("");
  }
};

TEST_F(Init, InitAndFinalizeInCycles) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_DONE(aclInit(nullptr));
    ASSERT_DONE(aclrtSetDevice(0));
    void* ptr = nullptr;
    ASSERT_DONE(aclrtMemAllocManaged(&ptr, 1, ACL_RT_MEM_ATTACH_GLOBAL));
    *static_cast<int*>(ptr) = round;
    ASSERT_DONE(aclFinalize());
  }
}

TEST_F(Init, ASecondInitIsToldApart) {
  ASSERT_DONE(aclInit(nullptr));
  EXPECT_FAILS(ACL_ERROR_REPEAT_INITIALIZE, "initialised", aclInit(nullptr));
  const std::string path = WriteFile("a.json", "{\"a\": 1}");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "configPath", aclInit(path.c_str()));
  unlink(path.c_str());
}

TEST_F(Init, ConfigFilesAreChecked) {
  EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "/no/such/file",
               aclInit("/no/such/file"));
  EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "cannot be read", aclInit("/"));
  const std::string bad = WriteFile("bad.json", "{\n\"a\": }");
  EXPECT_FAILS(ACL_ERROR_PARSE_FILE, "line 2", aclInit(bad.c_str()));
  const std::string good = WriteFile("good.json", "{}");
  EXPECT_DONE(aclInit(good.c_str()));
  unlink(bad.c_str());
  unlink(good.c_str());
}

TEST_F(Init, AnEmulatorConfigThatCannotBeReadIsNamed) {
  setenv("NPU_EMU_CONFIG", "/no/such/config", 1);
  EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "/no/such/config", aclInit(nullptr));
  // Nothing stays half started.
  UseEmulatorConfig("");
  EXPECT_DONE(aclInit(nullptr));
}

TEST_F(Init, AnUnknownFieldIsNamedWithFileAndLine) {
  UseEmulatorConfig("device_count: 2\nno_such_field: 1\n");
  const aclError code = aclInit(nullptr);
  EXPECT_EQ(code, ACL_ERROR_PARSE_FILE);
  const std::string text = RecentText();
  EXPECT_NE(text.find("emulator.textproto"), std::string::npos) << text;
  EXPECT_NE(text.find("2"), std::string::npos) << text;
  EXPECT_NE(text.find("no_such_field"), std::string::npos) << text;
}

TEST_F(Init, AnImpossibleValueIsNamed) {
  UseEmulatorConfig("device_count: 65\n");
  EXPECT_NE(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_NE(RecentText().find("device_count"), std::string::npos);
}

TEST_F(Init, FinalizeNeedsAnInit) {
  EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "not initialised", aclFinalize());
  ASSERT_DONE(aclInit(nullptr));
  ASSERT_DONE(aclFinalize());
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(Init, WithoutInitCallsAnswerAsWithoutAContext) {
  void* ptr = nullptr;
  uint32_t count = 77;
  EXPECT_EQ(aclrtMemAllocManaged(&ptr, 1, 1), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(count, 77u);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtFree(&count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetSocName(), nullptr);
  EXPECT_EQ(npuEmuGetRung(), nullptr);
  aclrtPtrAttributes attributes = {};
  EXPECT_DONE(aclrtPointerGetAttributes(&count, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(Init, SetDeviceStartsTheRuntime) {
  ASSERT_DONE(aclrtSetDevice(0));
  EXPECT_NE(aclrtGetSocName(), nullptr);
  EXPECT_DONE(aclFinalize());
}

TEST_F(Init, TheSocNameOutlivesTheRuntime) {
  ASSERT_DONE(aclInit(nullptr));
  const char* const name = aclrtGetSocName();
  ASSERT_NE(name, nullptr);
  const std::string before = name;
  ASSERT_DONE(aclFinalize());
  EXPECT_EQ(before, name);
  EXPECT_EQ(before.rfind("Ascend", 0), 0u);
}

TEST_F(Init, TextsAreClearedByReading) {
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(aclGetRecentErrMsg(),
               "aclrtFree: devPtr = NULL: must not be NULL [100000]");
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(Init, TheSlotIsTheThreadsOwn) {
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  std::thread([] { EXPECT_EQ(aclrtPeekAtLastError(kThread), 0); }).join();
  EXPECT_EQ(aclrtPeekAtLastError(kThread), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtGetLastError(kThread), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtGetLastError(kThread), ACL_SUCCESS);
}

TEST_F(Init, ASuccessLeavesTheSlotAlone) {
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_DONE(aclInit(nullptr));
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLastError(kThread), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Init, OnlyTheThreadsLevelExists) {
  const auto other = static_cast<aclrtLastErrLevel>(1);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "level = 1", aclrtGetLastError(other));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "level = 1",
               aclrtPeekAtLastError(other));
}

TEST_F(Init, FinalizeKillsEveryHandle) {
  ASSERT_DONE(aclInit(nullptr));
  ASSERT_DONE(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  ASSERT_DONE(aclrtCreateStream(&stream));
  ASSERT_DONE(aclrtCreateEvent(&event));
  ASSERT_DONE(aclrtGetCurrentContext(&context));
  ASSERT_DONE(aclFinalize());
  ASSERT_DONE(aclInit(nullptr));
  EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace npu::acl::testing
