// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Unified addressing over the library: what each call does, and the errors that
// the conformance suite's rows do not reach.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "acl_api/abi_tests/world.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {
namespace {

using Location = aclrtMemManagedLocation;
using Attribute = aclrtMemManagedRangeAttribute;

constexpr Location kNoPlace = {ACL_MEM_LOCATIONTYPE_INVALID, 0};
constexpr Location kHost = {ACL_MEM_LOCATIONTYPE_HOST, 0};
constexpr Location kDevice0 = {ACL_MEM_LOCATIONTYPE_DEVICE, 0};
constexpr Location kDevice1 = {ACL_MEM_LOCATIONTYPE_DEVICE, 1};

Location Place(int type, int32_t id = 0) {
  return {static_cast<aclrtMemManagedLocationType>(type), id};
}

class ManagedTest : public World {
 protected:
  static int32_t Get(const void* ptr, Attribute attribute,
                     size_t size = kGranuleBytes) {
    int32_t word = 12345;
    EXPECT_DONE(
        aclrtMemManagedGetAttr(attribute, ptr, size, &word, sizeof word));
    return word;
  }
  static aclError Advise(const void* ptr, int advise, Location location,
                         uint64_t size = kGranuleBytes) {
    return aclrtMemManagedAdvise(
        ptr, size, static_cast<aclrtMemManagedAdviseType>(advise), location);
  }
  static aclError Prefetch(const void* ptr, Location location,
                           uint64_t size = kGranuleBytes) {
    return aclrtMemManagedPrefetchAsync(ptr, size, location, 0, nullptr);
  }
};

TEST_F(ManagedTest, AllocationsAreAlignedAndInTheWindow) {
  uint64_t base = 0;
  uint64_t bytes = 0;
  ASSERT_DONE(npuEmuGetWindow(&base, &bytes));
  for (const uint64_t size :
       {uint64_t{1}, uint64_t{kGranuleBytes}, uint64_t{kGranuleBytes} + 1}) {
    void* ptr = nullptr;
    ASSERT_DONE(aclrtMemAllocManaged(&ptr, size, 1));
    const auto address = reinterpret_cast<uintptr_t>(ptr);
    EXPECT_EQ(address % kGranuleBytes, 0u);
    EXPECT_GE(address, base);
    EXPECT_LE(address + size, base + bytes);
  }
}

TEST_F(ManagedTest, AllocationArgumentsAreCheckedInOrder) {
  void* ptr = &ptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "ptr",
               aclrtMemAllocManaged(nullptr, 0, 0));
  for (const uint32_t flag : {0u, 2u, 3u, 0x101u, 0x10001u, 0x80000001u}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flag",
                 aclrtMemAllocManaged(&ptr, 0, flag));
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "size",
               aclrtMemAllocManaged(&ptr, 0, 1));
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  for (const uint64_t size :
       {(uint64_t{3} << 40) + 1, most - kGranuleBytes + 1, most}) {
    EXPECT_EQ(aclrtMemAllocManaged(&ptr, size, 1),
              ACL_ERROR_RT_MEMORY_ALLOCATION);
  }
  EXPECT_EQ(ptr, &ptr);
}

TEST_F(ManagedTest, FreshMemoryAnswersNothingSet) {
  void* const ptr = Managed();
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE), 0);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -2);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE), 0);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), -2);
  EXPECT_EQ(Residency(ptr).owner, -2);
}

TEST_F(ManagedTest, ReadMostlyIsSetAndTakenBack) {
  void* const ptr = Managed();
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNoPlace));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_UNSET_READ_MOSTLY, kNoPlace));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
}

TEST_F(ManagedTest, PreferredLocationIsToldInThreeWays) {
  void* const ptr = Managed();
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, kDevice1));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), 1);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID), 1);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE), 1);
  EXPECT_EQ(Residency(ptr).owner, 1);
  // It lives on device 1 now, so that no other place can be preferred.
  EXPECT_EQ(Advise(ptr, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, kDevice0),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(Advise(ptr, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, kHost),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), 1);
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION, kNoPlace));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2);
}

TEST_F(ManagedTest, AccessorsFillTheBuffer) {
  void* const ptr = Managed();
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_SET_ACCESSED_BY, kDevice1));
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_SET_ACCESSED_BY, kHost));
  int32_t words[4] = {7, 7, 7, 7};
  EXPECT_DONE(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, ptr,
                                     1, words, sizeof words));
  // The interface promises no order.
  EXPECT_EQ(std::min(words[0], words[1]), -1);
  EXPECT_EQ(std::max(words[0], words[1]), 1);
  EXPECT_EQ(words[2], -2);
  EXPECT_EQ(words[3], -2);
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_UNSET_ACCESSED_BY, kHost));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), 1);
}

TEST_F(ManagedTest, AMixedRangeAnswersNotSet) {
  auto* const ptr = static_cast<char*>(Managed(2 * kGranuleBytes));
  ASSERT_DONE(Advise(ptr, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNoPlace));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 2 * kGranuleBytes),
            0);
  // A range touches every granule it has a byte of.
  EXPECT_EQ(
      Get(ptr + kGranuleBytes - 1, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 2), 0);
}

TEST_F(ManagedTest, PrefetchMovesAndIsRemembered) {
  auto* const ptr = static_cast<char*>(Managed());
  ptr[7] = 42;
  ASSERT_DONE(Prefetch(ptr, kDevice1));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 1);
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Residency(ptr).owner, 1);
  ASSERT_DONE(Prefetch(ptr, kHost));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Residency(ptr).owner, -1);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -1);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE), 2);
  EXPECT_EQ(ptr[7], 42);
}

TEST_F(ManagedTest, ABatchSplitsByIndex) {
  auto* const memory = static_cast<char*>(Managed(4 * kGranuleBytes));
  std::vector<const void*> ptrs;
  std::vector<size_t> sizes(4, kGranuleBytes);
  for (size_t i = 0; i < 4; ++i) ptrs.push_back(memory + i * kGranuleBytes);
  Location places[] = {kDevice0, kDevice1};
  size_t indices[] = {0, 3};
  ASSERT_DONE(aclrtMemManagedPrefetchBatchAsync(
      ptrs.data(), sizes.data(), 4, places, indices, 2, 0, nullptr));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Residency(ptrs[0]).owner, 0);
  EXPECT_EQ(Residency(ptrs[2]).owner, 0);
  EXPECT_EQ(Residency(ptrs[3]).owner, 1);
}

TEST_F(ManagedTest, ABadBatchEnqueuesNothing) {
  auto* const memory = static_cast<char*>(Managed(2 * kGranuleBytes));
  const void* ptrs[] = {memory, memory + kGranuleBytes};
  size_t sizes[] = {kGranuleBytes, 0};
  Location places[] = {kDevice1};
  size_t indices[] = {0};
  const auto batch = [&] {
    return aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, 2, places, indices, 1,
                                             0, nullptr);
  };
  for (const size_t bad : {size_t{0}, size_t{1}, kGranuleBytes / 2,
                           2 * kGranuleBytes, ~size_t{0} - kGranuleBytes + 1}) {
    sizes[1] = bad;
    EXPECT_EQ(batch(), ACL_ERROR_RT_PARAM_INVALID) << bad;
    EXPECT_NE(RecentText().find("sizes[1]"), std::string::npos) << bad;
  }
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Residency(memory).owner, -2);
  EXPECT_EQ(Get(memory, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -2);
}

TEST_F(ManagedTest, RangesAreChecked) {
  auto* const ptr = static_cast<char*>(Managed());
  int local = 0;
  const auto all_fail = [&](const void* bad, uint64_t size, const char* part) {
    int32_t word = 12345;
    EXPECT_EQ(Advise(bad, 0, kNoPlace, size), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(Prefetch(bad, kHost, size), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, bad,
                                     size, &word, 4),
              ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(word, 12345);
    EXPECT_NE(RecentText().find(part), std::string::npos);
  };
  all_fail(&local, kGranuleBytes, "window");
  all_fail(ptr, 4 * kGranuleBytes, "ptr");
  all_fail(ptr + 4 * kGranuleBytes, kGranuleBytes, "ptr");
  all_fail(ptr, (uint64_t{3} << 40) + kGranuleBytes, "3 TiB");
  all_fail(ptr, ~uint64_t{0} - kGranuleBytes + 1, "size");
  EXPECT_EQ(Advise(ptr, 0, kNoPlace, kGranuleBytes - 1),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(Prefetch(ptr, kHost, kGranuleBytes / 2),
            ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_DONE(aclrtFree(ptr));
  all_fail(ptr, kGranuleBytes, "ptr");
}

TEST_F(ManagedTest, LocationsAreChecked) {
  void* const ptr = Managed();
  for (const Location bad : {Place(5), Place(-1), Place(65537), Place(1, 2),
                             Place(1, -1), Place(3, -1), Place(3, 1000)}) {
    EXPECT_EQ(Advise(ptr, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, bad),
              ACL_ERROR_RT_PARAM_INVALID)
        << bad.type << " " << bad.id;
    EXPECT_EQ(Prefetch(ptr, bad), ACL_ERROR_RT_PARAM_INVALID)
        << bad.type << " " << bad.id;
    EXPECT_NE(RecentText().find("location"), std::string::npos);
  }
  EXPECT_EQ(Prefetch(ptr, kNoPlace), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(Advise(ptr, ACL_MEM_ADVISE_SET_ACCESSED_BY, kNoPlace),
            ACL_ERROR_RT_PARAM_INVALID);
  // A bad device is refused also where the place is ignored.
  EXPECT_EQ(Advise(ptr, ACL_MEM_ADVISE_SET_READ_MOSTLY, Place(1, 2)),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_DONE(Advise(ptr, ACL_MEM_ADVISE_SET_READ_MOSTLY, Place(3, 77)));
}

TEST_F(ManagedTest, NumaPlacesAreTheHost) {
  void* const ptr = Managed();
  ASSERT_DONE(Prefetch(ptr, Place(ACL_MEM_LOCATIONTYPE_HOST_NUMA, 0)));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Residency(ptr).owner, -1);
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE), 3);
  ASSERT_DONE(Prefetch(ptr, Place(ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT, 9)));
  EXPECT_EQ(Get(ptr, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE), 3);
}

TEST_F(ManagedTest, DataSizesAreChecked) {
  void* const ptr = Managed();
  int32_t words[2] = {5, 5};
  for (const int attribute : {1, 2, 4, 5, 6, 7, 8}) {
    for (const size_t bad : {size_t{0}, size_t{3}, size_t{5}, size_t{8}}) {
      EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dataSize",
                   aclrtMemManagedGetAttr(static_cast<Attribute>(attribute),
                                          ptr, 1, words, bad));
    }
  }
  for (const size_t bad : {size_t{0}, size_t{6}}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dataSize",
                 aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
                                        ptr, 1, words, bad));
  }
  EXPECT_EQ(words[0], 5);
}

TEST_F(ManagedTest, SeveralAttributesAreAllOrNothing) {
  void* const ptr = Managed();
  Attribute attributes[] = {ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                            ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
  int32_t first = 5;
  int32_t second = 5;
  void* data[] = {&first, &second};
  size_t sizes[] = {4, 3};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dataSizes[1]",
               aclrtMemManagedGetAttrs(attributes, 2, ptr, 1, data, sizes));
  data[1] = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "data[1]",
               aclrtMemManagedGetAttrs(attributes, 2, ptr, 1, data, sizes));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "numAttributes",
               aclrtMemManagedGetAttrs(attributes, 0, ptr, 1, data, sizes));
  EXPECT_FAILS(
      ACL_ERROR_BAD_ALLOC, "too long",
      aclrtMemManagedGetAttrs(attributes, ~size_t{0}, ptr, 1, data, sizes));
  EXPECT_EQ(first, 5);
  data[1] = &second;
  sizes[1] = 4;
  EXPECT_DONE(aclrtMemManagedGetAttrs(attributes, 2, ptr, 1, data, sizes));
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, -2);
}

// Every pointer argument lies in managed memory that lives on a device.
TEST_F(ManagedTest, ArgumentsMayLieInManagedMemoryElsewhere) {
  struct Arguments {
    const void* ptrs[2];
    size_t sizes[2];
    Location places[1];
    size_t indices[1];
    Attribute attributes[1];
    void* data[1];
    size_t data_sizes[1];
    int32_t word;
    aclrtPtrAttributes pointer;
    void* allocated;
    npuEmuCounters counters;
  };
  auto* const memory = static_cast<char*>(Managed(2 * kGranuleBytes));
  auto* const arguments = static_cast<Arguments*>(Managed());
  *arguments = {{memory, memory + kGranuleBytes},
                {kGranuleBytes, kGranuleBytes},
                {kDevice1},
                {0},
                {ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION},
                {&arguments->word},
                {4},
                7,
                {},
                nullptr,
                {}};
  const auto away = [arguments] {
    EXPECT_DONE(Prefetch(arguments, kDevice0));
    EXPECT_DONE(aclrtSynchronizeStream(nullptr));
  };
  away();
  EXPECT_DONE(aclrtMemManagedPrefetchBatchAsync(
      arguments->ptrs, arguments->sizes, 2, arguments->places,
      arguments->indices, 1, 0, nullptr));
  away();
  EXPECT_DONE(aclrtMemManagedGetAttrs(arguments->attributes, 1, memory, 1,
                                      arguments->data, arguments->data_sizes));
  EXPECT_EQ(arguments->word, 1);
  away();
  EXPECT_DONE(aclrtPointerGetAttributes(memory, &arguments->pointer));
  EXPECT_EQ(arguments->pointer.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
  away();
  EXPECT_DONE(aclrtMemAllocManaged(&arguments->allocated, 1, 1));
  EXPECT_NE(arguments->allocated, nullptr);
  away();
  EXPECT_DONE(npuEmuGetCounters(-1, &arguments->counters));
}

// ------------------------------------------------------------- pointers --

TEST_F(ManagedTest, PointersAreDescribed) {
  ASSERT_DONE(aclrtSetDevice(1));
  auto* const managed = static_cast<char*>(Managed());
  auto* const device = static_cast<char*>(Device(100));
  void* pinned = nullptr;
  ASSERT_DONE(aclrtMallocHost(&pinned, 100));
  ASSERT_DONE(aclrtSetDevice(0));
  const auto describe = [](const void* ptr) {
    aclrtPtrAttributes out;
    std::memset(&out, 0xEE, sizeof out);
    EXPECT_DONE(aclrtPointerGetAttributes(ptr, &out));
    for (const uint32_t word : out.rsv) EXPECT_EQ(word, 0u);
    return out;
  };
  const auto of_managed = describe(managed + kGranuleBytes - 1);
  EXPECT_EQ(of_managed.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
  EXPECT_EQ(of_managed.location.id, 1u);
  EXPECT_EQ(of_managed.pageSize, 2097152u);
  const auto of_device = describe(device + 99);
  EXPECT_EQ(of_device.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(of_device.location.id, 1u);
  EXPECT_EQ(describe(pinned).location.type, ACL_MEM_LOCATION_TYPE_HOST);
  int local = 0;
  for (const void* plain :
       {static_cast<const void*>(&local),
        reinterpret_cast<const void*>(uintptr_t{1}),
        reinterpret_cast<const void*>(~uintptr_t{0}),
        static_cast<const void*>(managed + (size_t{1} << 40))}) {
    const auto of_plain = describe(plain);
    EXPECT_EQ(of_plain.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    EXPECT_EQ(of_plain.pageSize, 0u);
  }
  ASSERT_DONE(aclrtFree(managed));
  EXPECT_EQ(describe(managed).location.type,
            ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "ptr",
               aclrtPointerGetAttributes(nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attributes",
               aclrtPointerGetAttributes(&local, nullptr));
}

// ------------------------------------------------------------- emulator --

TEST_F(ManagedTest, TheEmulatorTellsFaults) {
  if (!Tracks()) GTEST_SKIP() << "no userfaultfd: faults are not counted";
  auto* const ptr = static_cast<char*>(Managed());
  EXPECT_DONE(npuEmuResetCounters());
  ptr[0] = 1;
  EXPECT_GT(Faults(-1), 0u);
  EXPECT_EQ(Faults(0), 0u);
  const npuEmuResidency residency = Residency(ptr + 5);
  EXPECT_EQ(residency.owner, -1);
  EXPECT_EQ(residency.hostHolds, 1);
  EXPECT_EQ(residency.deviceHolds, 0u);
}

TEST_F(ManagedTest, EmulatorArgumentsAreChecked) {
  npuEmuResidency residency = {};
  npuEmuCounters counters = {};
  uint64_t word = 0;
  int local = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "ptr",
               npuEmuGetResidency(nullptr, &residency));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "out",
               npuEmuGetResidency(&local, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "ptr",
               npuEmuGetResidency(&local, &residency));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "out", npuEmuGetCounters(0, nullptr));
  for (const int32_t bad : {-2, 2, 64}) {
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "node",
                 npuEmuGetCounters(bad, &counters));
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "base",
               npuEmuGetWindow(nullptr, &word));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "bytes",
               npuEmuGetWindow(&word, nullptr));
}

// ----------------------------------------------------------------- rungs --

class Untracked : public World {
 protected:
  Untracked() : World("rung: UNTRACKED\n") {}
};

TEST_F(Untracked, DataIsRightWithoutFaults) {
  EXPECT_STREQ(npuEmuGetRung(), "untracked");
  auto* const ptr = static_cast<char*>(Managed());
  ptr[5] = 17;
  ASSERT_DONE(
      aclrtMemManagedPrefetchAsync(ptr, kGranuleBytes, kDevice1, 0, nullptr));
  ASSERT_DONE(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Residency(ptr).owner, 1);
  EXPECT_EQ(ptr[5], 17);
  // The touch moved nothing: nobody saw it.
  EXPECT_EQ(Residency(ptr).owner, 1);
}

// -------------------------------------------------------------- products --

class OldProduct : public World {
 protected:
  OldProduct() : World("product: ATLAS_TRAINING\n") {}
};

TEST_F(OldProduct, LacksManagedMemory) {
  void* ptr = &ptr;
  int32_t word = 5;
  int local = 0;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "ATLAS_TRAINING",
               aclrtMemAllocManaged(&ptr, 1, 1));
  EXPECT_EQ(aclrtMemManagedAdvise(&local, kGranuleBytes,
                                  ACL_MEM_ADVISE_SET_READ_MOSTLY, kNoPlace),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, &local,
                                   1, &word, 4),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(
      aclrtMemManagedPrefetchAsync(&local, kGranuleBytes, kHost, 0, nullptr),
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(ptr, &ptr);
  EXPECT_EQ(word, 5);
  aclrtPtrAttributes attributes = {};
  EXPECT_DONE(aclrtPointerGetAttributes(&local, &attributes));
}

}  // namespace
}  // namespace npu::acl::testing
