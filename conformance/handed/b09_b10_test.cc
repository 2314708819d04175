// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// B09 threads without a context, B10 memory freed while work is pending.
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

#include "conformance/handed/handed_case.h"

namespace npu::conformance {
namespace {

constexpr uint64_t G = kGranule;

class B09_NoContext : public HandedCase {
 protected:
  // What a thread without a context gets, while `a` is alive.
  void ExpectAnswersWithoutContext(Piece a, aclrtStream stream) {
    std::thread([&] {
      EXPECT_EQ(Advise(a.address, G, 0, NoLocation()), 107002);
      EXPECT_EQ(Attribute(1, a.address, G), 0);
      EXPECT_EQ(PointerOf(a.address).location.type,
                ACL_MEM_LOCATION_TYPE_MANAGED);
      EXPECT_EQ(Prefetch(a.address, G, HostLocation(), nullptr), 507000);
      EXPECT_EQ(Prefetch(a.address, G, HostLocation(), stream), 107002);
      void* slot = &slot;
      EXPECT_EQ(api().aclrtMemAllocManaged(&slot, G, 1), 107002);
      EXPECT_EQ(slot, &slot);
    }).join();
  }
};

TEST_F(B09_NoContext, AFreshThread) {
  ExpectAnswersWithoutContext(world().Managed(1), world().Stream());
}

TEST_F(B09_NoContext, AllSucceedsOnceTheThreadHasADevice) {
  const Piece a = world().Managed(1);
  std::thread([&] {
    EXPECT_EQ(Advise(a.address, G, 0, NoLocation()), 107002);
    EXPECT_EQ(api().aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(Advise(a.address, G, 0, NoLocation()), ACL_SUCCESS);
    EXPECT_EQ(Prefetch(a.address, G, HostLocation(), nullptr), ACL_SUCCESS);
    EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
    void* slot = nullptr;
    EXPECT_EQ(api().aclrtMemAllocManaged(&slot, G, 1), ACL_SUCCESS);
    EXPECT_EQ(api().aclrtFree(slot), ACL_SUCCESS);
  }).join();
}

// Between aclFinalize and aclInit, which is also how the process began.
TEST_F(B09_NoContext, WithoutARuntime) {
  world().Finish();
  void* address = At(world().window().base);
  void* slot = &slot;
  EXPECT_EQ(api().aclrtMemAllocManaged(&slot, G, 1), 107002);
  EXPECT_EQ(slot, &slot);
  EXPECT_EQ(Advise(address, G, 0, NoLocation()), 107002);
  EXPECT_EQ(Prefetch(address, G, HostLocation(), nullptr), 507000);
  EXPECT_EQ(Query(1, address, G), 107000);
  world().Start();
  ExpectNextCallWorks();
}

// Keeps a stream busy until it is opened.
class Latch {
 public:
  static void Wait(void* self) {
    auto* latch = static_cast<Latch*>(self);
    std::unique_lock<std::mutex> lock(latch->mutex_);
    latch->changed_.wait(lock, [latch] { return latch->is_open_; });
  }

  void Open() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_open_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
};

class B10_FreedWhilePending : public HandedCase {
 protected:
  static void* Allocate(uint64_t granules) {
    void* address = nullptr;
    EXPECT_EQ(api().aclrtMemAllocManaged(&address, granules * G, 1),
              ACL_SUCCESS);
    return address;
  }

  static void FreeOnAnotherThread(void* address) {
    std::thread([=] {
      EXPECT_EQ(api().aclrtFree(address), ACL_SUCCESS);
    }).join();
  }

  // Takes memory until the freed address comes back, and writes to it there.
  Piece TakeAndWrite(const void* freed, unsigned char pattern) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const Piece piece = world().Managed(1);
      std::memset(piece.address, pattern, G);
      if (piece.address == freed) return piece;
    }
    ADD_FAILURE() << "the address did not come back";
    return {nullptr, 0};
  }

  // Where a host write leaves a fresh granule: not every rung sees it.
  static int32_t OwnerAfterHostWrite() {
    const bool is_seen = world().host_touches() == World::Touches::kSeen;
    return is_seen ? -1 : -2;
  }

  static void ExpectUntouched(Piece piece, unsigned char pattern) {
    const auto* bytes = static_cast<const unsigned char*>(piece.address);
    EXPECT_EQ(Residency(piece.address).owner, OwnerAfterHostWrite());
    EXPECT_EQ(Attribute(6, piece.address, G), -2);
    EXPECT_EQ(bytes[0], pattern);
    EXPECT_EQ(std::memcmp(bytes, bytes + 1, G - 1), 0);
  }

  static void ExpectUsable(aclrtStream stream) {
    void* address = Allocate(1);
    EXPECT_EQ(Prefetch(address, G, DeviceLocation(0), stream), ACL_SUCCESS);
    EXPECT_EQ(Sync(stream), ACL_SUCCESS);
    EXPECT_EQ(Residency(address).owner, 0);
    EXPECT_EQ(api().aclrtFree(address), ACL_SUCCESS);
  }
};

TEST_F(B10_FreedWhilePending, APendingPrefetchNeverTouchesTheLaterOwner) {
  aclrtStream stream = world().Stream();
  Latch latch;
  void* a = Allocate(1);
  ASSERT_EQ(api().aclrtLaunchHostFunc(stream, &Latch::Wait, &latch),
            ACL_SUCCESS);
  EXPECT_EQ(Prefetch(a, G, DeviceLocation(1), stream), ACL_SUCCESS);
  FreeOnAnotherThread(a);
  const Piece later = TakeAndWrite(a, 0x3C);
  latch.Open();
  EXPECT_EQ(Sync(stream), 107000);
  EXPECT_EQ(Sync(stream), ACL_SUCCESS);
  if (later.address != nullptr) ExpectUntouched(later, 0x3C);
  ExpectUsable(stream);
}

TEST_F(B10_FreedWhilePending, APendingBatchNeverTouchesTheLaterOwner) {
  aclrtStream stream = world().Stream();
  Latch latch;
  const Piece a = world().Managed(1);
  void* b = Allocate(1);
  ASSERT_EQ(api().aclrtLaunchHostFunc(stream, &Latch::Wait, &latch),
            ACL_SUCCESS);
  const void* ptrs[] = {a.address, b};
  size_t sizes[] = {G, G};
  size_t indices[] = {0};
  aclrtMemManagedLocation locations[] = {DeviceLocation(1)};
  EXPECT_EQ(api().aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, 2, locations,
                                                    indices, 1, 0, stream),
            ACL_SUCCESS);
  FreeOnAnotherThread(b);
  const Piece later = TakeAndWrite(b, 0x5D);
  latch.Open();
  EXPECT_EQ(Sync(stream), 107000);
  if (later.address != nullptr) ExpectUntouched(later, 0x5D);
  EXPECT_EQ(PointerOf(a.address).location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
  ExpectUsable(stream);
}

// A reset instead of a free: it waits for the work, and the memory lives on.
TEST_F(B10_FreedWhilePending, AResetKeepsManagedMemory) {
  Latch latch;
  aclrtStream stream = nullptr;
  ASSERT_EQ(api().aclrtCreateStream(&stream), ACL_SUCCESS);
  const Piece a = world().Managed(1);
  std::memset(a.address, 0x77, G);
  ASSERT_EQ(api().aclrtLaunchHostFunc(stream, &Latch::Wait, &latch),
            ACL_SUCCESS);
  EXPECT_EQ(Prefetch(a.address, G, DeviceLocation(0), stream), ACL_SUCCESS);
  std::thread reset([] { EXPECT_EQ(api().aclrtResetDevice(0), ACL_SUCCESS); });
  latch.Open();
  reset.join();
  EXPECT_EQ(Sync(stream), 107017);
  EXPECT_EQ(Residency(a.address).owner, -1);
  const auto* bytes = static_cast<const unsigned char*>(a.address);
  EXPECT_EQ(bytes[0], 0x77);
  EXPECT_EQ(std::memcmp(bytes, bytes + 1, G - 1), 0);
  // The world's own device and peer access are gone with the reset.
  world().Restart();
  ExpectNextCallWorks();
}

TEST_F(B10_FreedWhilePending, ManyTimesAtRandomMoments) {
  std::mt19937 random(20260701);
  aclrtStream stream = world().Stream();
  for (int i = 0; i < 1000; ++i) {
    void* a = Allocate(1);
    EXPECT_EQ(Prefetch(a, G, DeviceLocation(i % 2), stream), ACL_SUCCESS);
    const int spins = static_cast<int>(random() % 2000);
    std::thread freeing([=] {
      for (std::atomic<int> spun{0}; spun < spins; ++spun) {
      }
      EXPECT_EQ(api().aclrtFree(a), ACL_SUCCESS);
    });
    freeing.join();
    void* later = Allocate(1);
    *static_cast<volatile int*>(later) = i;
    const aclError code = Sync(stream);
    EXPECT_TRUE(code == ACL_SUCCESS || code == 107000) << code;
    EXPECT_EQ(*static_cast<volatile int*>(later), i);
    EXPECT_EQ(Residency(later).owner, OwnerAfterHostWrite());
    EXPECT_EQ(api().aclrtFree(later), ACL_SUCCESS);
    if (HasFailure()) break;
  }
  ExpectUsable(stream);
}

}  // namespace
}  // namespace npu::conformance
