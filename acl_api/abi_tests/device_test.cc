// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Devices, contexts and access between devices, over the library.

#include <cstring>
#include <string>
#include <thread>

#include "acl_api/abi_tests/world.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {
namespace {

class DeviceTest : public World {
 protected:
  DeviceTest()
      : World(
            "device_count: 3\nmax_enabled_peers: 1\n"
            "peer_link { a: 0 b: 1 }\npeer_link { a: 1 b: 2 }\n") {}
};

TEST_F(DeviceTest, IdsAreChecked) {
  for (const int32_t bad : {-1, 3, 64, 0x7FFFFFFF}) {
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
                 aclrtSetDevice(bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
                 aclrtResetDevice(bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
                 aclrtResetDeviceForce(bad));
    aclrtContext context = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
                 aclrtCreateContext(&context, bad));
    EXPECT_EQ(context, nullptr);
  }
}

TEST_F(DeviceTest, CountAndCurrent) {
  uint32_t count = 0;
  int32_t device = -1;
  EXPECT_DONE(aclrtGetDeviceCount(&count));
  EXPECT_EQ(count, 3u);
  EXPECT_DONE(aclrtGetDevice(&device));
  EXPECT_EQ(device, 0);
  EXPECT_DONE(aclrtSetDevice(2));
  EXPECT_DONE(aclrtGetDevice(&device));
  EXPECT_EQ(device, 2);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "count", aclrtGetDeviceCount(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "deviceId", aclrtGetDevice(nullptr));
}

TEST_F(DeviceTest, ThreadsShareTheDefaultContext) {
  aclrtContext mine = nullptr;
  ASSERT_DONE(aclrtGetCurrentContext(&mine));
  std::thread([mine] {
    aclrtContext theirs = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&theirs), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_DONE(aclrtSetDevice(0));
    EXPECT_DONE(aclrtGetCurrentContext(&theirs));
    EXPECT_EQ(mine, theirs);
  }).join();
}

TEST_F(DeviceTest, ResetsAreCounted) {
  ASSERT_DONE(aclrtSetDevice(0));
  EXPECT_DONE(aclrtResetDevice(0));
  EXPECT_DONE(aclrtSynchronizeDevice());  // still set once
  EXPECT_DONE(aclrtResetDevice(0));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "not set",
               aclrtResetDevice(0));
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "not set",
               aclrtResetDeviceForce(0));
  EXPECT_DONE(aclrtSetDevice(0));
  EXPECT_DONE(aclrtSynchronizeDevice());
}

TEST_F(DeviceTest, AForcedResetIgnoresTheCount) {
  ASSERT_DONE(aclrtSetDevice(0));
  EXPECT_DONE(aclrtResetDeviceForce(0));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(DeviceTest, AResetKeepsManagedDataAndEndsDeviceMemory) {
  auto* const managed = static_cast<char*>(Managed());
  void* const device = Device(64);
  ASSERT_DONE(aclrtMemset(managed, kGranuleBytes, 0x5A, kGranuleBytes));
  ASSERT_DONE(aclrtResetDevice(0));
  EXPECT_EQ(managed[0], 0x5A);
  EXPECT_EQ(managed[kGranuleBytes - 1], 0x5A);
  EXPECT_EQ(Residency(managed).owner, -1);
  EXPECT_EQ(aclrtFree(device), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_DONE(aclrtFree(managed));
}

TEST_F(DeviceTest, ContextsSwitchTheDevice) {
  aclrtContext first = nullptr;
  aclrtContext second = nullptr;
  int32_t device = -1;
  ASSERT_DONE(aclrtGetCurrentContext(&first));
  ASSERT_DONE(aclrtCreateContext(&second, 1));
  EXPECT_DONE(aclrtGetDevice(&device));
  EXPECT_EQ(device, 1);
  EXPECT_DONE(aclrtSetCurrentContext(first));
  EXPECT_DONE(aclrtGetDevice(&device));
  EXPECT_EQ(device, 0);
  EXPECT_DONE(aclrtDestroyContext(second));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "context",
               aclrtSetCurrentContext(second));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "context",
               aclrtDestroyContext(second));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "default",
               aclrtDestroyContext(first));
}

TEST_F(DeviceTest, AContextDestroyedElsewhereIsNoLongerCurrent) {
  aclrtContext context = nullptr;
  ASSERT_DONE(aclrtCreateContext(&context, 0));
  std::thread([context] { EXPECT_DONE(aclrtDestroyContext(context)); }).join();
  EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(DeviceTest, ForeignContextsAreRefused) {
  int local = 0;
  aclrtStream stream = nullptr;
  ASSERT_DONE(aclrtCreateStream(&stream));
  for (void* foreign : {static_cast<void*>(&local), stream,
                        reinterpret_cast<void*>(~uintptr_t{0})}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "context",
                 aclrtSetCurrentContext(foreign));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "context",
                 aclrtDestroyContext(foreign));
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "context",
               aclrtSetCurrentContext(nullptr));
}

// ------------------------------------------------------------------ peers --

TEST_F(DeviceTest, ReachabilityFollowsTheLinks) {
  int32_t can = -1;
  EXPECT_DONE(aclrtDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_DONE(aclrtDeviceCanAccessPeer(&can, 0, 2));
  EXPECT_EQ(can, 0);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "peerDeviceId",
               aclrtDeviceCanAccessPeer(nullptr, 1, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "canAccessPeer",
               aclrtDeviceCanAccessPeer(nullptr, 0, 1));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "peerDeviceId",
               aclrtDeviceCanAccessPeer(&can, 0, 3));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
               aclrtDeviceCanAccessPeer(&can, -1, 0));
  EXPECT_EQ(can, 0);
}

TEST_F(DeviceTest, PeerAccessIsOneWay) {
  int32_t status = -1;
  EXPECT_DONE(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_DONE(aclrtDeviceEnablePeerAccess(1, 0));  // again: fine
  EXPECT_DONE(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(status, 1);
  EXPECT_DONE(aclrtDevicePeerAccessStatus(1, 0, &status));
  EXPECT_EQ(status, 0);
  EXPECT_DONE(aclrtDeviceDisablePeerAccess(1));
  EXPECT_DONE(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(DeviceTest, PeerArgumentsAreChecked) {
  int32_t status = -1;
  EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "flags",
               aclrtDeviceEnablePeerAccess(0, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "peerDeviceId",
               aclrtDeviceEnablePeerAccess(0, 0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "peerDeviceId",
               aclrtDeviceEnablePeerAccess(3, 0));
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(2, 0),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);  // no link
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status",
               aclrtDevicePeerAccessStatus(0, 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "peerDeviceId",
               aclrtDevicePeerAccessStatus(0, 9, &status));
  EXPECT_EQ(status, -1);
}

class FullPeers : public World {
 protected:
  FullPeers() : World("device_count: 3\nmax_enabled_peers: 1\n") {}
};

TEST_F(FullPeers, OneMoreThanADeviceLetsInIsRefused) {
  EXPECT_DONE(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_DONE(aclrtDeviceEnablePeerAccess(1, 0));  // again: no more than before
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(2, 0), ACL_ERROR_RT_OVER_LIMIT);
  EXPECT_DONE(aclrtDeviceDisablePeerAccess(1));
  EXPECT_DONE(aclrtDeviceEnablePeerAccess(2, 0));
}

TEST_F(DeviceTest, MapsNeedAccessAndDeviceMemory) {
  auto* const memory = static_cast<char*>(Device(1 << 20));
  EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "dstDevId",
               aclrtMemP2PMap(memory, 1 << 20, 1, 0));
  ASSERT_DONE(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_DONE(aclrtMemP2PMap(memory, 1 << 20, 1, 0));
  EXPECT_DONE(aclrtMemP2PMap(memory + 4096, 17, 1, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dstDevId",
               aclrtMemP2PMap(memory, 1, 0, 0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "dstDevId",
               aclrtMemP2PMap(memory, 1, 3, 0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "dstDevId",
               aclrtMemP2PMap(memory, 1, -1, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr",
               aclrtMemP2PMap(nullptr, 0, -1, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
               aclrtMemP2PMap(memory, 0, -1, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags",
               aclrtMemP2PMap(memory, 1, -1, 1));
  int local = 0;
  for (void* foreign : {Managed(), static_cast<void*>(&local)}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devPtr",
                 aclrtMemP2PMap(foreign, 1, 1, 0));
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devPtr",
               aclrtMemP2PMap(memory, size_t{1} << 30, 1, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devPtr",
               aclrtMemP2PMap(memory, ~size_t{0}, 1, 0));
}

}  // namespace
}  // namespace npu::acl::testing
