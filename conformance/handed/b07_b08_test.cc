// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// B07 memory that is not managed, B08 sizes that wrap.
#include <sys/mman.h>

#include <cstdint>
#include <vector>

#include "conformance/handed/handed_case.h"

namespace npu::conformance {
namespace {

constexpr uint64_t G = kGranule;

class B07_NotManaged : public HandedCase {
 protected:
  // The same error from every call, whatever memory it is.
  void ExpectForeign(const void* ptr, uint64_t size) {
    for (int32_t advise = 0; advise < 6; ++advise) {
      EXPECT_EQ(Advise(ptr, size, advise, DeviceLocation(0)), 107000)
          << ptr << " advice " << advise;
    }
    for (int32_t attribute = 1; attribute <= 8; ++attribute) {
      EXPECT_EQ(Query(attribute, ptr, size), 107000)
          << ptr << " attribute " << attribute;
    }
    EXPECT_EQ(Prefetch(ptr, size, DeviceLocation(0), nullptr), 107000) << ptr;
    const void* ptrs[] = {ptr};
    size_t sizes[] = {size};
    size_t indices[] = {0};
    aclrtMemManagedLocation locations[] = {DeviceLocation(0)};
    EXPECT_EQ(api().aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, 1, locations,
                                                      indices, 1, 0, nullptr),
              107000)
        << ptr;
    EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
  }
};

TEST_F(B07_NotManaged, OtherKindsOfMemory) {
  ExpectForeign(world().Device(0, G).address, G);
  ExpectForeign(world().Pinned(G).address, G);
  ExpectForeign(world().HostHeap(G).address, G);
  void* mapped = mmap(nullptr, 2 * G, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  const uint64_t start = reinterpret_cast<uint64_t>(mapped);
  ExpectForeign(At((start + G - 1) / G * G), G);
  munmap(mapped, 2 * G);
}

TEST_F(B07_NotManaged, ManagedAddressesWithoutAllocation) {
  const Piece island = world().Island();
  ExpectForeign(At(island.address, G), G);
  ExpectForeign(At(world().window().end() - G), G);
}

TEST_F(B07_NotManaged, RangesThatStickOut) {
  const Piece island = world().Island();
  const RangeState before = StateOf(island);
  ExpectForeign(island.address, 2 * G);
  ExpectForeign(At(island.address, -static_cast<int64_t>(G)), 2 * G);
  EXPECT_EQ(StateOf(island), before);
}

// The two ends alone look valid.
TEST_F(B07_NotManaged, AHoleInTheMiddle) {
  const Piece broken = world().BrokenRange();
  ExpectForeign(broken.address, broken.bytes);
}

class B08_WrappingSizes : public HandedCase {
 protected:
  void ExpectNoAllocation(uint64_t size) {
    void* slot = &slot;
    const aclError code = api().aclrtMemAllocManaged(&slot, size, 1);
    EXPECT_EQ(code, 207001) << size;
    EXPECT_EQ(slot, &slot) << size;
  }
};

TEST_F(B08_WrappingSizes, SizesNearTheTopOfTheType) {
  for (uint64_t size :
       {UINT64_MAX, 0 - G, 1 - G, uint64_t{1} << 63, uint64_t{1} << 42,
        (uint64_t{3} << 40) + 1, (uint64_t{3} << 40) + G}) {
    ExpectNoAllocation(size);
  }
  // No address space was lost: all of it can still be had.
  EXPECT_EQ(world().WholeWindow().bytes, world().window().bytes);
}

TEST_F(B08_WrappingSizes, RoundedSizesAreUsableToTheLastByte) {
  for (uint64_t size : {uint64_t{1}, G - 1, G, G + 1}) {
    void* slot = nullptr;
    ASSERT_EQ(api().aclrtMemAllocManaged(&slot, size, 1), ACL_SUCCESS);
    const uint64_t rounded = (size + G - 1) / G * G;
    volatile char* last = static_cast<char*>(slot) + rounded - 1;
    *last = 'x';
    EXPECT_EQ(*last, 'x');
    EXPECT_EQ(Query(1, slot, rounded), ACL_SUCCESS);
    EXPECT_EQ(api().aclrtFree(slot), ACL_SUCCESS);
  }
}

TEST_F(B08_WrappingSizes, TheAllocationThatCrossesTheLimitFails) {
  const uint64_t half = world().window().bytes / 2;
  void* first = nullptr;
  void* second = nullptr;
  void* third = nullptr;
  ASSERT_EQ(api().aclrtMemAllocManaged(&first, half, 1), ACL_SUCCESS);
  ASSERT_EQ(api().aclrtMemAllocManaged(&second, half, 1), ACL_SUCCESS);
  EXPECT_EQ(api().aclrtMemAllocManaged(&third, half, 1), 207001);
  EXPECT_EQ(third, nullptr);
  EXPECT_EQ(api().aclrtFree(first), ACL_SUCCESS);
  EXPECT_EQ(api().aclrtMemAllocManaged(&third, half, 1), ACL_SUCCESS);
  EXPECT_EQ(api().aclrtFree(second), ACL_SUCCESS);
  EXPECT_EQ(api().aclrtFree(third), ACL_SUCCESS);
}

TEST_F(B08_WrappingSizes, RangesThatWrap) {
  const Piece a = world().Managed(4);
  const uint64_t start = reinterpret_cast<uint64_t>(a.address);
  const RangeState before = StateOf(a);
  const struct {
    const void* ptr;
    uint64_t size;
  } kRanges[] = {{a.address, UINT64_MAX},
                 {a.address, 0 - start},
                 {a.address, 0 - G},
                 {At(a.address, G), uint64_t{3} << 40}};
  for (const auto& range : kRanges) {
    EXPECT_EQ(Advise(range.ptr, range.size, 0, NoLocation()), 107000);
    EXPECT_EQ(Prefetch(range.ptr, range.size, HostLocation(), nullptr), 107000);
    EXPECT_EQ(Query(1, range.ptr, range.size), 107000);
  }
  EXPECT_EQ(StateOf(a), before);
}

TEST_F(B08_WrappingSizes, MappingsThatWrap) {
  const Piece d = world().Device(0, G);
  const uint64_t start = reinterpret_cast<uint64_t>(d.address);
  for (uint64_t size : {UINT64_MAX, 0 - start, 0 - G, uint64_t{3} << 40}) {
    EXPECT_EQ(api().aclrtMemP2PMap(d.address, size, 1, 0), 107000) << size;
  }
}

}  // namespace
}  // namespace npu::conformance
