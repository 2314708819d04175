// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// B01 broken batches, B02 foreign pointers, B03 addresses that come back.
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "conformance/handed/handed_case.h"

namespace npu::conformance {
namespace {

constexpr uint64_t G = kGranule;

// One batch of two ranges; each test breaks one thing.
struct Batch {
  const void* ptrs[2];
  size_t sizes[2];
  size_t count = 2;
  aclrtMemManagedLocation locations[3] = {DeviceLocation(1), HostLocation(),
                                          HostLocation()};
  size_t indices[3] = {0, 1, 1};
  size_t location_count = 2;
  uint64_t flags = 0;

  aclError Send(const Api& api, aclrtStream stream) {
    return api.aclrtMemManagedPrefetchBatchAsync(
        ptrs, sizes, count, locations, indices, location_count, flags, stream);
  }
};

class B01_BrokenBatch : public HandedCase {
 protected:
  void SetUp() override {
    HandedCase::SetUp();
    a_ = world().Managed(4);
    b_ = world().Managed(4);
  }

  Batch Good() const {
    Batch batch;
    batch.ptrs[0] = a_.address;
    batch.ptrs[1] = b_.address;
    batch.sizes[0] = batch.sizes[1] = 4 * G;
    return batch;
  }

  // Refused, and nothing of either range has moved or changed.
  void ExpectRefused(Batch batch, aclError code) {
    const RangeState a = StateOf(a_);
    const RangeState b = StateOf(b_);
    EXPECT_EQ(batch.Send(api(), nullptr), code);
    EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
    EXPECT_EQ(StateOf(a_), a);
    EXPECT_EQ(StateOf(b_), b);
    ExpectNextCallWorks();
  }

  Piece a_;
  Piece b_;
};

TEST_F(B01_BrokenBatch, GoodBatchOfUntouchedMemoryMoves) {
  EXPECT_EQ(Good().Send(api(), nullptr), ACL_SUCCESS);
  EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
  EXPECT_EQ(Attribute(6, a_.address, a_.bytes), 1);
  EXPECT_EQ(Attribute(6, b_.address, b_.bytes), -1);
  EXPECT_EQ(Residency(a_.address).owner, 1);
  EXPECT_EQ(Residency(b_.address).owner, -1);
}

TEST_F(B01_BrokenBatch, BadElementsStopTheWholeBatch) {
  Batch batch = Good();
  batch.ptrs[1] = nullptr;
  ExpectRefused(batch, 107000);
  batch = Good();
  batch.ptrs[1] = world().HostHeap(4 * G).address;
  ExpectRefused(batch, 107000);
  batch = Good();
  batch.sizes[0] = 2 * G;
  batch.sizes[1] = 8 * G;
  ExpectRefused(batch, 107000);
  batch.sizes[1] = 0;
  ExpectRefused(batch, 107000);
}

TEST_F(B01_BrokenBatch, FreedElementStopsTheWholeBatch) {
  Batch batch = Good();
  batch.ptrs[1] = world().Freed(4).address;
  ExpectRefused(batch, 107000);
}

TEST_F(B01_BrokenBatch, BadIndicesStopTheWholeBatch) {
  for (const auto& indices :
       {std::pair<size_t, size_t>{1, 1}, {0, 0}, {0, 2}}) {
    Batch batch = Good();
    batch.indices[0] = indices.first;
    batch.indices[1] = indices.second;
    ExpectRefused(batch, 107000);
  }
}

TEST_F(B01_BrokenBatch, BadCountsAndFlagsStopTheWholeBatch) {
  Batch batch = Good();
  batch.location_count = 3;
  ExpectRefused(batch, 100000);
  batch = Good();
  batch.flags = 1;
  ExpectRefused(batch, 100000);
  batch = Good();
  batch.count = 0;
  ExpectRefused(batch, 100000);
  batch = Good();
  batch.location_count = 0;
  ExpectRefused(batch, 100000);
}

TEST_F(B01_BrokenBatch, NullArraysStopTheWholeBatch) {
  Batch b = Good();
  const auto send = [&](const void** ptrs, size_t* sizes,
                        aclrtMemManagedLocation* locations, size_t* indices) {
    return api().aclrtMemManagedPrefetchBatchAsync(
        ptrs, sizes, b.count, locations, indices, b.location_count, 0, nullptr);
  };
  EXPECT_EQ(send(nullptr, b.sizes, b.locations, b.indices), 100000);
  EXPECT_EQ(send(b.ptrs, nullptr, b.locations, b.indices), 100000);
  EXPECT_EQ(send(b.ptrs, b.sizes, nullptr, b.indices), 100000);
  EXPECT_EQ(send(b.ptrs, b.sizes, b.locations, nullptr), 100000);
  EXPECT_EQ(Residency(a_.address).owner, -2);
  ExpectNextCallWorks();
}

class B02_ForeignPointers : public HandedCase {
 protected:
  void ExpectUnregistered(const void* ptr) {
    EXPECT_EQ(PointerOf(ptr).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED)
        << ptr;
  }
};

TEST_F(B02_ForeignPointers, ForeignPointersAreUnregisteredAndNoError) {
  static int in_static_memory = 0;
  int on_stack = 0;
  const std::unique_ptr<void, void (*)(void*)> from_malloc(malloc(4096), free);
  const std::unique_ptr<void, void (*)(void*)> from_calloc(calloc(1, 64), free);
  const auto from_new = std::make_unique<int64_t[]>(8);
  void* anonymous = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void* shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(anonymous, MAP_FAILED);
  ASSERT_NE(shared, MAP_FAILED);
  const void* const kPlaces[] = {&in_static_memory,
                                 &on_stack,
                                 from_malloc.get(),
                                 from_calloc.get(),
                                 from_new.get(),
                                 anonymous,
                                 shared,
                                 "literal",
                                 reinterpret_cast<const void*>(&malloc)};
  for (const void* place : kPlaces) {
    ExpectUnregistered(place);
    ExpectUnregistered(At(place, 3));
  }
  munmap(anonymous, 4096);
  munmap(shared, 4096);
}

TEST_F(B02_ForeignPointers, NeighboursOfAManagedRangeAreUnregistered) {
  const Piece island = world().Island();
  ExpectUnregistered(At(island.address, -1));
  ExpectUnregistered(At(island.address, G));
  for (int64_t offset : {int64_t{0}, int64_t{77}, int64_t{G - 1}}) {
    const aclrtPtrAttributes found = PointerOf(At(island.address, offset));
    EXPECT_EQ(found.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
    EXPECT_EQ(found.pageSize, G);
  }
}

TEST_F(B02_ForeignPointers, NullArgumentsAreErrorsAndWriteNothing) {
  aclrtPtrAttributes attributes;
  std::memset(&attributes, 0xA5, sizeof(attributes));
  EXPECT_EQ(api().aclrtPointerGetAttributes(nullptr, &attributes), 100000);
  EXPECT_EQ(api().aclrtPointerGetAttributes(&attributes, nullptr), 100000);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&attributes);
  for (size_t i = 0; i < sizeof(attributes); ++i) EXPECT_EQ(bytes[i], 0xA5);
}

TEST_F(B02_ForeignPointers, NoStateOfTheThreadChanges) {
  api().aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  int here = 0;
  ExpectUnregistered(&here);
  EXPECT_EQ(api().aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

class B03_RecycledAddresses : public HandedCase {
 protected:
  // Leaves every trace that an allocation can carry, then frees it.
  void* UseAndFree(uint64_t granules) {
    void* a = nullptr;
    EXPECT_EQ(api().aclrtMemAllocManaged(&a, granules * G, 1), ACL_SUCCESS);
    EXPECT_EQ(Advise(a, G, ACL_MEM_ADVISE_SET_READ_MOSTLY, NoLocation()),
              ACL_SUCCESS);
    EXPECT_EQ(Advise(At(a, G), G, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION,
                     DeviceLocation(1)),
              ACL_SUCCESS);
    EXPECT_EQ(
        Advise(a, granules * G, ACL_MEM_ADVISE_SET_ACCESSED_BY, HostLocation()),
        ACL_SUCCESS);
    EXPECT_EQ(Prefetch(a, granules * G, DeviceLocation(1), nullptr),
              ACL_SUCCESS);
    EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
    EXPECT_EQ(api().aclrtFree(a), ACL_SUCCESS);
    EXPECT_EQ(PointerOf(a).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    return a;
  }

  // Allocates until the address comes back. Null if it does not.
  Piece AllocateAt(const void* address, uint64_t granules) {
    for (int attempt = 0; attempt < 16; ++attempt) {
      const Piece piece = world().Managed(granules);
      if (piece.address == address) return piece;
    }
    return {nullptr, 0};
  }

  void ExpectFresh(Piece piece) {
    const RangeState state = StateOf(piece);
    EXPECT_EQ(state.attributes[0], 0);   // read mostly
    EXPECT_EQ(state.attributes[1], -2);  // preferred location
    EXPECT_EQ(state.attributes[2], 0);   // its type
    EXPECT_EQ(state.attributes[4], -2);  // last prefetch
    EXPECT_EQ(state.attributes[5], 0);   // its type
    for (int i = 7; i < 10; ++i) EXPECT_EQ(state.attributes[i], -2);
    for (const npuEmuResidency& granule : state.granules) {
      EXPECT_EQ(granule.owner, -2);
      EXPECT_EQ(granule.hostHolds, 0);
      EXPECT_EQ(granule.deviceHolds, 0u);
      EXPECT_EQ(granule.readMostly, 0);
    }
    EXPECT_EQ(PointerOf(piece.address).location.type,
              ACL_MEM_LOCATION_TYPE_MANAGED);
  }
};

TEST_F(B03_RecycledAddresses, AnAddressThatComesBackKnowsNothing) {
  for (uint64_t granules : {2, 1, 4}) {
    const void* address = UseAndFree(2);
    const Piece piece = AllocateAt(address, granules);
    ASSERT_NE(piece.address, nullptr) << "the address did not come back";
    ExpectFresh(piece);
    world().Clean();
  }
}

}  // namespace
}  // namespace npu::conformance
