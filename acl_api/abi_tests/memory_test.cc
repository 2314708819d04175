// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Device memory, pinned memory, copies and fills, over the library.

#include <cstdint>
#include <cstring>
#include <vector>

#include "acl_api/abi_tests/world.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {
namespace {

constexpr auto kHugeFirst = ACL_MEM_MALLOC_HUGE_FIRST;
constexpr auto kDefault = ACL_MEMCPY_DEFAULT;

class MemoryTest : public World {
 protected:
  static void* Pinned(size_t bytes) {
    void* ptr = nullptr;
    EXPECT_DONE(aclrtMallocHost(&ptr, bytes));
    return ptr;
  }
};

TEST_F(MemoryTest, AllocationArgumentsAreChecked) {
  void* ptr = &ptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr",
               aclrtMalloc(nullptr, 0, kHugeFirst));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
               aclrtMalloc(&ptr, 0, kHugeFirst));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
               aclrtMalloc(&ptr, ~size_t{0}, kHugeFirst));
  EXPECT_EQ(aclrtMalloc(&ptr, size_t{1} << 40, kHugeFirst),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "hostPtr", aclrtMallocHost(nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", aclrtMallocHost(&ptr, 0));
  EXPECT_EQ(aclrtMallocHost(&ptr, ~size_t{0} - 4096),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(ptr, &ptr);
}

TEST_F(MemoryTest, FreeTakesStartsOfLiveAllocationsOnly) {
  auto* const device = static_cast<char*>(Device(128));
  auto* const pinned = static_cast<char*>(Pinned(128));
  auto* const managed = static_cast<char*>(Managed());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(device) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pinned) % 64, 0u);
  for (char* bad : {device + 1, managed + 1, pinned, pinned + 1,
                    reinterpret_cast<char*>(~uintptr_t{0})}) {
    EXPECT_EQ(aclrtFree(bad), ACL_ERROR_RT_PARAM_INVALID);
  }
  for (char* bad : {device, managed, pinned + 1}) {
    EXPECT_EQ(aclrtFreeHost(bad), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_DONE(aclrtFree(device));
  EXPECT_DONE(aclrtFree(managed));
  EXPECT_DONE(aclrtFreeHost(pinned));
  EXPECT_EQ(aclrtFree(device), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(managed), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr", aclrtFree(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "hostPtr", aclrtFreeHost(nullptr));
}

TEST_F(MemoryTest, BytesGoEveryWay) {
  constexpr size_t kBytes = 300000;
  std::vector<uint8_t> pageable(kBytes);
  for (size_t i = 0; i < kBytes; ++i) {
    pageable[i] = static_cast<uint8_t>(i * 7);
  }
  void* const device = Device(kBytes);
  void* const pinned = Pinned(kBytes);
  void* const managed = Managed();
  std::vector<uint8_t> back(kBytes);
  // pageable -> device -> pinned -> managed -> device -> pageable
  EXPECT_DONE(aclrtMemcpy(device, kBytes, pageable.data(), kBytes,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_DONE(
      aclrtMemcpy(pinned, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_DONE(aclrtMemset(device, kBytes, 0x100 + 3, kBytes));
  EXPECT_DONE(aclrtMemcpy(managed, kBytes, pinned, kBytes, kDefault));
  EXPECT_EQ(std::memcmp(managed, pageable.data(), kBytes), 0);
  EXPECT_DONE(aclrtMemcpy(back.data(), kBytes, device, kBytes, kDefault));
  EXPECT_EQ(back, std::vector<uint8_t>(kBytes, 3));
  EXPECT_DONE(aclrtMemcpy(device, kBytes, managed, kBytes, kDefault));
  EXPECT_DONE(aclrtMemcpy(back.data(), kBytes, device, kBytes, kDefault));
  EXPECT_EQ(back, pageable);
}

TEST_F(MemoryTest, CopyArgumentsAreCheckedInOrder) {
  char a[8] = {};
  char b[8] = {};
  const auto bad_kind = static_cast<aclrtMemcpyKind>(6);
  EXPECT_DONE(aclrtMemcpy(nullptr, 0, nullptr, 0, bad_kind));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dst",
               aclrtMemcpy(nullptr, 0, nullptr, 1, bad_kind));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "src",
               aclrtMemcpy(a, 0, nullptr, 1, bad_kind));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kind",
               aclrtMemcpy(a, 0, b, 1, bad_kind));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "count",
               aclrtMemcpy(a, 0, b, 1, kDefault));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "count",
               aclrtMemcpy(a, 7, b, 8, kDefault));
  EXPECT_DONE(aclrtMemcpy(a, 8, b, 8, kDefault));
  EXPECT_DONE(aclrtMemcpy(a, 8, a, 8, kDefault));
}

TEST_F(MemoryTest, RangesStayInsideTheirAllocations) {
  char host[64] = {};
  auto* const device = static_cast<char*>(Device(1000));
  auto* const pinned = static_cast<char*>(Pinned(4096));
  auto* const managed = static_cast<char*>(Managed());
  constexpr size_t kLarge = size_t{1} << 32;
  for (char* from : {device, pinned, managed}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "src",
                 aclrtMemcpy(host, kLarge, from, kLarge, kDefault));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dst",
                 aclrtMemcpy(from, kLarge, host, kLarge, kDefault));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devPtr",
                 aclrtMemset(from, kLarge, 0, kLarge));
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dst",
               aclrtMemcpy(host, ~size_t{0}, device, ~size_t{0}, kDefault));
  ASSERT_DONE(aclrtFree(managed));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "src",
               aclrtMemcpy(host, 8, managed, 8, kDefault));
}

TEST_F(MemoryTest, FillArgumentsAreChecked) {
  char host[8] = {};
  EXPECT_DONE(aclrtMemset(nullptr, 0, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr",
               aclrtMemset(nullptr, 0, 0, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "count", aclrtMemset(host, 4, 0, 8));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devPtr",
               aclrtMemset(host, 8, 0, 8));  // not the runtime's
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "count",
               aclrtMemsetAsync(host, 4, 0, 8, &host));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
               aclrtMemsetAsync(host, 8, 0, 8, &host));
}

TEST_F(MemoryTest, StreamsCopyInOrder) {
  auto* const device = static_cast<char*>(Device(4096));
  auto* const pinned = static_cast<char*>(Pinned(4096));
  char pageable[4096] = {};
  EXPECT_DONE(aclrtMemsetAsync(device, 4096, 0x11, 4096, nullptr));
  EXPECT_DONE(aclrtMemcpyAsync(pinned, 4096, device, 4096,
                               ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
  // A pageable end is done when the call is.
  EXPECT_DONE(aclrtMemcpyAsync(pageable, 4096, device, 4096,
                               ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
  EXPECT_EQ(pageable[4095], 0x11);
  EXPECT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pinned[4095], 0x11);
}

TEST_F(MemoryTest, AKindMustFitItsAddresses) {
  char host[8] = {};
  void* const device = Device(8);
  void* const managed = Managed();
  EXPECT_FAILS(
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "kind",
      aclrtMemcpyAsync(host, 8, device, 8, ACL_MEMCPY_HOST_TO_HOST, &host));
  EXPECT_FAILS(
      ACL_ERROR_RT_PARAM_INVALID, "kind",
      aclrtMemcpyAsync(host, 8, device, 8, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "kind",
               aclrtMemcpyAsync(device, 8, host, 8, ACL_MEMCPY_DEVICE_TO_DEVICE,
                                nullptr));
  for (const auto kind : {ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEFAULT,
                          ACL_MEMCPY_DEVICE_TO_DEVICE}) {
    EXPECT_DONE(aclrtMemcpyAsync(managed, 8, device, 8, kind, nullptr));
  }
  EXPECT_DONE(aclrtSynchronizeStream(nullptr));
}

TEST_F(MemoryTest, TwoDevicesNeedPeerAccess) {
  void* const here = Device(64);
  ASSERT_DONE(aclrtMemset(here, 64, 9, 64));
  ASSERT_DONE(aclrtSetDevice(1));
  void* const there = Device(64);
  EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "peer access",
               aclrtMemcpy(there, 64, here, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  ASSERT_DONE(aclrtDeviceEnablePeerAccess(0, 0));
  EXPECT_DONE(aclrtMemcpy(there, 64, here, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  char host[64] = {};
  EXPECT_DONE(aclrtMemcpy(host, 64, there, 64, kDefault));
  EXPECT_EQ(host[63], 9);
}

TEST_F(MemoryTest, CopiesMoveNoManagedMemory) {
  if (!Tracks()) GTEST_SKIP() << "no userfaultfd: residency is not tracked";
  auto* const managed = static_cast<char*>(Managed());
  managed[0] = 1;
  ASSERT_EQ(Residency(managed).owner, -1);
  void* const device = Device(64);
  npuEmuResetCounters();
  EXPECT_DONE(aclrtMemcpy(device, 64, managed, 64, kDefault));
  EXPECT_DONE(aclrtMemset(managed, 64, 2, 64));
  EXPECT_EQ(Residency(managed).owner, -1);
  EXPECT_EQ(Faults(0), 0u);
  EXPECT_EQ(managed[63], 2);
  // Untouched memory is populated on the current device.
  void* const fresh = Managed();
  EXPECT_DONE(aclrtMemset(fresh, kGranuleBytes, 0, kGranuleBytes));
  EXPECT_EQ(Residency(fresh).owner, 0);
}

TEST_F(MemoryTest, MemInfoCounts) {
  size_t free_before = 0;
  size_t total = 0;
  EXPECT_DONE(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total));
  EXPECT_EQ(total, size_t{268435456});
  void* const device = Device(size_t{64} << 20);
  size_t free_after = 0;
  EXPECT_DONE(aclrtGetMemInfo(ACL_HBM_MEM, &free_after, &total));
  EXPECT_GE(free_before - free_after, size_t{64} << 20);
  EXPECT_DONE(aclrtFree(device));
  EXPECT_DONE(aclrtGetMemInfo(ACL_DDR_MEM, &free_after, &total));
  EXPECT_EQ(free_before, free_after);
  EXPECT_DONE(aclrtGetMemInfo(ACL_MEM_P2P_HUGE1G, &free_after, &total));
  EXPECT_EQ(free_after + total, 0u);
  for (const int bad : {-1, 18}) {
    EXPECT_FAILS(
        ACL_ERROR_RT_INVALID_MEMORY_TYPE, "attr",
        aclrtGetMemInfo(static_cast<aclrtMemAttr>(bad), &free_after, &total));
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "free",
               aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "total",
               aclrtGetMemInfo(ACL_HBM_MEM, &free_after, nullptr));
}

}  // namespace
}  // namespace npu::acl::testing
