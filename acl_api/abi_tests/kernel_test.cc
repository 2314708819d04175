// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels, over the library.

#include <cstdint>
#include <initializer_list>
#include <string>

#include "acl_api/abi_tests/world.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {
namespace {

constexpr char kKernels[] = "acl_api/abi_tests/test_kernels.so";

class KernelTest : public World {
 protected:
  void SetUp() override {
    World::SetUp();
    ASSERT_DONE(aclrtBinaryLoadFromFile(kKernels, nullptr, &binary_));
  }

  aclrtFuncHandle Function(const char* name) {
    aclrtFuncHandle function = nullptr;
    EXPECT_DONE(aclrtBinaryGetFunction(binary_, name, &function));
    return function;
  }

  static aclrtArgsHandle Open(aclrtFuncHandle function) {
    aclrtArgsHandle args = nullptr;
    EXPECT_DONE(aclrtKernelArgsInit(function, &args));
    return args;
  }

  template <typename T>
  static aclError Append(aclrtArgsHandle args, T value) {
    aclrtParamHandle param = nullptr;
    return aclrtKernelArgsAppend(args, &value, sizeof value, &param);
  }

  template <typename T>
  static void ExpectAppended(aclrtArgsHandle args, T value) {
    EXPECT_DONE(Append(args, value));
  }

  template <typename... Values>
  static aclrtArgsHandle Arguments(aclrtFuncHandle function, Values... values) {
    const aclrtArgsHandle args = Open(function);
    (ExpectAppended(args, values), ...);
    EXPECT_DONE(aclrtKernelArgsFinalize(args));
    return args;
  }

  template <typename... Values>
  aclError Launch(const char* name, uint32_t blocks, aclrtStream stream,
                  Values... values) {
    const aclrtFuncHandle function = Function(name);
    return aclrtLaunchKernelWithConfig(function, blocks, stream, nullptr,
                                       Arguments(function, values...), nullptr);
  }

  aclrtBinHandle binary_ = nullptr;
};

TEST_F(KernelTest, SeesManagedAndDeviceMemory) {
  auto* const managed = static_cast<int64_t*>(Managed());
  auto* const device = static_cast<int64_t*>(Device(8));
  *managed = 5;
  ASSERT_DONE(aclrtMemset(device, 8, 0, 8));
  ASSERT_DONE(Launch("test_add", 1, nullptr, managed, int64_t{-7}));
  ASSERT_DONE(Launch("test_add", 1, nullptr, device, int64_t{3}));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(*managed, -2);
  int64_t host = 0;
  ASSERT_DONE(aclrtMemcpy(&host, 8, device, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(host, 3);
}

TEST_F(KernelTest, TakesSixteenArguments) {
  auto* const out = static_cast<uint64_t*>(Managed());
  const uint64_t high = uint64_t{1} << 63;
  ASSERT_DONE(Launch("test_sixteen", 1, nullptr, out, uint8_t{1}, uint16_t{2},
                     uint32_t{3}, high + 4, high + 5, high + 6, high + 7,
                     high + 8, high + 9, high + 10, high + 11, high + 12,
                     high + 13, high + 14, high + 15));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  for (uint64_t i = 0; i < 15; ++i) {
    EXPECT_EQ(out[i], i < 3 ? i + 1 : high + i + 1);
  }
}

TEST_F(KernelTest, BlocksKnowTheirNumber) {
  auto* const out = static_cast<uint32_t*>(Managed());
  ASSERT_DONE(Launch("test_blocks", 5, nullptr, out));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  for (uint32_t i = 0; i < 5; ++i) EXPECT_EQ(out[i], i + 500);
  EXPECT_EQ(out[5], 0u);
}

TEST_F(KernelTest, RunsOnTheDeviceOfItsStream) {
  if (!Tracks()) GTEST_SKIP() << "no userfaultfd: residency is not tracked";
  auto* const managed = static_cast<int64_t*>(Managed());
  ASSERT_DONE(aclrtSetDevice(1));
  ASSERT_DONE(Launch("test_add", 1, nullptr, managed, int64_t{1}));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Residency(managed).owner, 1);
}

TEST_F(KernelTest, ArgumentListsAreCopiedAtTheLaunch) {
  auto* const managed = static_cast<int64_t*>(Managed());
  const aclrtFuncHandle add = Function("test_add");
  const aclrtArgsHandle args = Arguments(add, managed, int64_t{2});
  for (int i = 0; i < 10; ++i) {
    ASSERT_DONE(
        aclrtLaunchKernelWithConfig(add, 1, nullptr, nullptr, args, nullptr));
  }
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(*managed, 20);
}

TEST_F(KernelTest, AnUnloadedBinaryStillRunsWhatIsQueued) {
  auto* const managed = static_cast<int64_t*>(Managed());
  const aclrtFuncHandle add = Function("test_add");
  const aclrtArgsHandle args = Arguments(add, managed, int64_t{2});
  ASSERT_DONE(
      aclrtLaunchKernelWithConfig(add, 1, nullptr, nullptr, args, nullptr));
  ASSERT_DONE(aclrtBinaryUnLoad(binary_));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(*managed, 2);
  aclrtFuncHandle function = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "binHandle",
               aclrtBinaryUnLoad(binary_));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "binHandle",
               aclrtBinaryGetFunction(binary_, "test_add", &function));
  EXPECT_FAILS(
      ACL_ERROR_RT_INVALID_HANDLE, "funcHandle",
      aclrtLaunchKernelWithConfig(add, 1, nullptr, nullptr, args, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "argsHandle",
               aclrtKernelArgsFinalize(args));
}

TEST_F(KernelTest, ManyListsDoNotRunOut) {
  auto* const managed = static_cast<int64_t*>(Managed());
  const aclrtFuncHandle add = Function("test_add");
  const aclrtArgsHandle first = Arguments(add, managed, int64_t{1});
  for (int i = 0; i < 5000; ++i) Arguments(add, managed, int64_t{1});
  EXPECT_EQ(aclrtKernelArgsFinalize(first), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(KernelTest, AForcedResetEndsAKernelThatDoesNotEnd) {
  auto* const flag = static_cast<int32_t*>(Managed());
  ASSERT_DONE(Launch("test_spin", 1, nullptr, flag));
  ASSERT_DONE(aclrtResetDeviceForce(0));
  ASSERT_DONE(aclrtSetDevice(0));
  EXPECT_EQ(*flag, 0);
}

TEST_F(KernelTest, FinalizeEndsAKernelThatDoesNotEnd) {
  ASSERT_DONE(Launch("test_spin", 1, nullptr, Managed()));
  EXPECT_DONE(aclFinalize());
}

class KernelCrash : public KernelTest,
                    public ::testing::WithParamInterface<const char*> {};

TEST_P(KernelCrash, IsAnExceptionAndTheDeviceGoesOn) {
  auto* const managed = static_cast<int64_t*>(Managed());
  auto* const device = static_cast<int64_t*>(Device(8));
  ASSERT_DONE(aclrtMemset(device, 8, 0, 8));
  *managed = 1;
  ASSERT_DONE(Launch("test_add", 1, nullptr, managed, int64_t{1}));
  ASSERT_DONE(Launch("test_add", 1, nullptr, device, int64_t{1}));
  ASSERT_DONE(Launch(GetParam(), 1, nullptr));
  ASSERT_DONE(Launch("test_add", 1, nullptr, managed, int64_t{1}));
  ASSERT_DONE(Launch("test_add", 1, nullptr, device, int64_t{1}));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(*managed, 3);
  int64_t host = 0;
  ASSERT_DONE(aclrtMemcpy(&host, 8, device, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(host, 2);
}

INSTANTIATE_TEST_SUITE_P(Ways, KernelCrash,
                         ::testing::Values("test_crash", "test_abort",
                                           "test_exit"),
                         [](const auto& way) {
                           return std::string(way.param).substr(5);
                         });

TEST_F(KernelTest, LoadArgumentsAreChecked) {
  aclrtBinHandle binary = &binary;
  int local = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "binPath",
               aclrtBinaryLoadFromFile(nullptr, nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "binHandle",
               aclrtBinaryLoadFromFile(kKernels, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_FILE_OPEN, "/no/such",
               aclrtBinaryLoadFromFile("/no/such", nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "options",
               aclrtBinaryLoadFromFile(
                   kKernels, reinterpret_cast<aclrtBinaryLoadOptions*>(&local),
                   &binary));
  const std::string text = WriteFile("kernels.txt", "no shared object");
  EXPECT_NE(aclrtBinaryLoadFromFile(text.c_str(), nullptr, &binary),
            ACL_SUCCESS);
  EXPECT_EQ(binary, &binary);
  remove(text.c_str());
}

TEST_F(KernelTest, FunctionArgumentsAreChecked) {
  aclrtFuncHandle function = &function;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "binHandle",
               aclrtBinaryGetFunction(nullptr, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kernelName",
               aclrtBinaryGetFunction(binary_, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "funcHandle",
               aclrtBinaryGetFunction(binary_, "test_add", nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_KERNEL_LOOKUP, "no_such_kernel",
               aclrtBinaryGetFunction(binary_, "no_such_kernel", &function));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "binHandle",
               aclrtBinaryGetFunction(&function, "test_add", &function));
  EXPECT_EQ(function, &function);
}

TEST_F(KernelTest, AppendArgumentsAreChecked) {
  const aclrtFuncHandle add = Function("test_add");
  const aclrtArgsHandle args = Open(add);
  aclrtParamHandle param = nullptr;
  int64_t value = 1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "argsHandle",
               aclrtKernelArgsAppend(nullptr, nullptr, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "param",
               aclrtKernelArgsAppend(args, nullptr, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "paramSize",
               aclrtKernelArgsAppend(args, &value, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "paramHandle",
               aclrtKernelArgsAppend(args, &value, 8, nullptr));
  for (const size_t bad : {3, 5, 9, 16}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "paramSize",
                 aclrtKernelArgsAppend(args, &value, bad, &param));
  }
  for (int i = 0; i < 16; ++i) EXPECT_DONE(Append(args, value));
  EXPECT_EQ(Append(args, value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_DONE(aclrtKernelArgsFinalize(args));
  EXPECT_EQ(Append(args, value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "argsHandle",
               aclrtKernelArgsFinalize(args));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "argsHandle",
               aclrtKernelArgsFinalize(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "funcHandle",
               aclrtKernelArgsInit(nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "argsHandle",
               aclrtKernelArgsInit(add, nullptr));
}

TEST_F(KernelTest, LaunchArgumentsAreChecked) {
  const aclrtFuncHandle add = Function("test_add");
  const aclrtFuncHandle other = Function("test_blocks");
  const aclrtArgsHandle args = Open(add);
  int local = 0;
  const auto launch = [](aclrtFuncHandle function, uint32_t blocks,
                         aclrtStream stream, aclrtArgsHandle arguments,
                         void* reserve) {
    return aclrtLaunchKernelWithConfig(function, blocks, stream, nullptr,
                                       arguments, reserve);
  };
  EXPECT_EQ(launch(nullptr, 0, &local, nullptr, &local), 100000);
  EXPECT_NE(RecentText().find("funcHandle"), std::string::npos);
  EXPECT_EQ(launch(add, 0, &local, nullptr, &local), 100000);
  EXPECT_NE(RecentText().find("numBlocks"), std::string::npos);
  EXPECT_EQ(launch(add, 1, &local, nullptr, &local), 100000);
  EXPECT_NE(RecentText().find("argsHandle"), std::string::npos);
  EXPECT_EQ(launch(add, 1, &local, args, &local), 100000);
  EXPECT_NE(RecentText().find("reserve"), std::string::npos);
  EXPECT_EQ(launch(&local, 1, &local, args, nullptr), 107017);
  EXPECT_EQ(launch(add, 1, &local, &local, nullptr), 107017);
  EXPECT_EQ(launch(add, 1, &local, args, nullptr), 107017);
  EXPECT_EQ(launch(add, 1, nullptr, args, nullptr), 107000);  // not finalized
  ASSERT_DONE(aclrtKernelArgsFinalize(args));
  EXPECT_EQ(launch(other, 1, nullptr, args, nullptr), 107000);
  EXPECT_FAILS(
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "cfg",
      aclrtLaunchKernelWithConfig(
          add, 1, nullptr, reinterpret_cast<aclrtLaunchKernelCfg*>(&local),
          args, nullptr));
}

}  // namespace
}  // namespace npu::acl::testing
