// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// B04 empty ranges, B05 what a product lacks, B06 peer access twice.
#include <cstdint>
#include <thread>

#include "conformance/handed/handed_case.h"
#include "conformance/harness/product_table.h"

namespace npu::conformance {
namespace {

constexpr uint64_t G = kGranule;

class B04_EmptyRanges : public HandedCase {
 protected:
  // Each empty call is refused, and the call right after it works.
  void RefuseEmptyRanges() {
    const Piece a = world().Managed(1);
    const Piece d = world().Device(0, G);
    void* slot = &slot;
    EXPECT_EQ(api().aclrtMemAllocManaged(&slot, 0, 1), 107000);
    EXPECT_EQ(slot, &slot);
    ExpectNextCallWorks();
    EXPECT_EQ(Prefetch(a.address, 0, DeviceLocation(1), nullptr), 100000);
    ExpectNextCallWorks();
    EXPECT_EQ(Advise(a.address, 0, 0, NoLocation()), 100000);
    ExpectNextCallWorks();
    EXPECT_EQ(Query(1, a.address, 0), 100000);
    ExpectNextCallWorks();
    EXPECT_EQ(api().aclrtMemP2PMap(d.address, 0, 1, 0), 100000);
    ExpectNextCallWorks();
    const void* ptrs[] = {a.address};
    size_t sizes[] = {G};
    size_t indices[] = {0};
    aclrtMemManagedLocation locations[] = {HostLocation()};
    EXPECT_EQ(api().aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, 0, locations,
                                                      indices, 1, 0, nullptr),
              100000);
    ExpectNextCallWorks();
  }
};

TEST_F(B04_EmptyRanges, EmptyRangesLeaveNoTrace) { RefuseEmptyRanges(); }

TEST_F(B04_EmptyRanges, AlsoOnAThreadThatNeverMadeAGoodCall) {
  std::thread([] {
    void* slot = nullptr;
    EXPECT_EQ(api().aclrtMemAllocManaged(&slot, 0, 1), 107000);
    EXPECT_EQ(api().aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
    void* good = nullptr;
    EXPECT_EQ(api().aclrtMemAllocManaged(&good, G, 1), ACL_SUCCESS);
    EXPECT_EQ(Prefetch(good, 0, DeviceLocation(1), nullptr), 100000);
    EXPECT_EQ(Prefetch(good, G, DeviceLocation(1), nullptr), ACL_SUCCESS);
    EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
    EXPECT_EQ(Attribute(6, good, G), 1);
    EXPECT_EQ(api().aclrtFree(good), ACL_SUCCESS);
  }).join();
}

class B05_UnsupportedProducts
    : public HandedCase,
      public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    UseProduct(GetParam());
    HandedCase::SetUp();
  }

  void TearDown() override {
    HandedCase::TearDown();
    UseProduct("ATLAS_A2");
  }

  static Support Has(const char* function) {
    return SupportOf("2026-07", function, GetParam());
  }
};

TEST_P(B05_UnsupportedProducts, ManagedCallsAreUnsupportedAsATable) {
  if (world().has_managed_memory()) return;
  void* slot = &slot;
  EXPECT_EQ(api().aclrtMemAllocManaged(&slot, G, 1), 207000);
  EXPECT_EQ(slot, &slot);
  void* address = At(world().window().base);
  EXPECT_EQ(Advise(address, G, 2, DeviceLocation(0)), 207000);
  EXPECT_EQ(Prefetch(address, G, DeviceLocation(0), nullptr), 207000);
  EXPECT_EQ(Query(1, address, G), 207000);
  int32_t value = 7;
  aclrtMemManagedRangeAttribute attribute = ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  void* data = &value;
  size_t data_size = sizeof(value);
  EXPECT_EQ(api().aclrtMemManagedGetAttrs(&attribute, 1, address, G, &data,
                                          &data_size),
            207000);
  EXPECT_EQ(value, 7);
  const void* ptrs[] = {address};
  size_t sizes[] = {G};
  size_t indices[] = {0};
  aclrtMemManagedLocation locations[] = {HostLocation()};
  EXPECT_EQ(api().aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, 1, locations,
                                                    indices, 1, 0, nullptr),
            207000);
}

TEST_P(B05_UnsupportedProducts, AWrongDeviceIdIsNotAnUnsupportedProduct) {
  if (!world().has_managed_memory()) return;
  const Piece a = world().Managed(1);
  const int32_t count = world().device_count();
  for (int32_t id : {count, count + 100, -1, INT32_MIN}) {
    EXPECT_EQ(Advise(a.address, G, 2, DeviceLocation(id)), 107000) << id;
    EXPECT_EQ(Prefetch(a.address, G, DeviceLocation(id), nullptr), 107000)
        << id;
  }
  EXPECT_EQ(Residency(a.address).owner, -2);
}

TEST_P(B05_UnsupportedProducts, ArgumentsAreCheckedBeforeTheProduct) {
  EXPECT_EQ(api().aclrtMemAllocManaged(nullptr, G, 1), 100000);
  EXPECT_EQ(Advise(nullptr, G, 0, NoLocation()), 100000);
  EXPECT_EQ(Prefetch(nullptr, G, HostLocation(), nullptr), 100000);
  EXPECT_EQ(Query(1, nullptr, G), 100000);
}

TEST_P(B05_UnsupportedProducts, PointerQueryAndMappingFollowTheirOwnLines) {
  int here = 0;
  aclrtPtrAttributes attributes;
  const bool has_query = Has("aclrtPointerGetAttributes") == Support::kHas;
  EXPECT_EQ(api().aclrtPointerGetAttributes(&here, &attributes),
            has_query ? ACL_SUCCESS : 207000);
  const Piece d = world().Device(0, G);
  const bool has_map = Has("aclrtMemP2PMap") == Support::kHas;
  EXPECT_EQ(api().aclrtMemP2PMap(d.address, G, 1, 0),
            has_map ? ACL_SUCCESS : 207000);
}

INSTANTIATE_TEST_SUITE_P(
    Products, B05_UnsupportedProducts, ::testing::ValuesIn(ProductNames()),
    [](const ::testing::TestParamInfo<std::string>& product) {
      return product.param;
    });

class B06_PeerAccessTwice : public HandedCase {
 protected:
  void SetUp() override {
    HandedCase::SetUp();
    // Off at the start, whatever the world did.
    world().DisablePeerAccess();
  }

  static int32_t Status() {
    int32_t status = -1;
    EXPECT_EQ(api().aclrtDevicePeerAccessStatus(0, 1, &status), ACL_SUCCESS);
    return status;
  }

  // The error is not told again by a later, good call.
  static void ExpectNoTrace() {
    api().aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    ExpectNextCallWorks();
    EXPECT_EQ(api().aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  }
};

TEST_F(B06_PeerAccessTwice, EnablingTwiceIsEnablingOnce) {
  const Piece d = world().Device(0, G);
  EXPECT_EQ(Status(), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(api().aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
    ExpectNoTrace();
  }
  EXPECT_EQ(api().aclrtMemP2PMap(d.address, G, 1, 0), ACL_SUCCESS);
  EXPECT_EQ(Status(), 1);
  EXPECT_EQ(api().aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
  EXPECT_EQ(Status(), 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(api().aclrtDeviceDisablePeerAccess(1), 107000);
    ExpectNoTrace();
  }
  EXPECT_EQ(api().aclrtMemP2PMap(d.address, G, 1, 0), 207006);
  ExpectNoTrace();
}

TEST_F(B06_PeerAccessTwice, BadPeersAndFlags) {
  EXPECT_EQ(api().aclrtDeviceEnablePeerAccess(0, 0), 100000);
  ExpectNoTrace();
  EXPECT_EQ(api().aclrtDeviceEnablePeerAccess(1, 7), 200006);
  ExpectNoTrace();
  for (int32_t id : {-1, 2, 1000}) {
    EXPECT_EQ(api().aclrtDeviceEnablePeerAccess(id, 0), 107001) << id;
    ExpectNoTrace();
  }
  EXPECT_EQ(Status(), 0);
}

}  // namespace
}  // namespace npu::conformance
