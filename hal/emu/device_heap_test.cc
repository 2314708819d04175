// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device_heap.h"

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/copier.h"

namespace npu::hal::emu {
namespace {

using testing::HasSubstr;

constexpr DeviceId kZero(0);
constexpr DeviceId kOne(1);

class DeviceHeapTest : public testing::Test {
 protected:
  void SetUp() override {
    EmulatorConfig config;
    config.set_device_memory_bytes(MiB(256).bytes());
    config.set_window_bytes(MiB(64).bytes());
    auto space = AddressSpace::Open(config);
    ASSERT_THAT(space, IsOk());
    space_ = *std::move(space);
    auto heap = DeviceHeap::Make(*space_, 2, ledger_);
    ASSERT_THAT(heap, IsOk());
    heap_ = *std::move(heap);
    copier_ = std::make_unique<Copier>(*space_, *heap_);
  }
  void TearDown() override { heap_->CheckInvariants(); }

  Ledger ledger_{MiB(256), MiB(300)};
  std::unique_ptr<AddressSpace> space_;
  std::unique_ptr<DeviceHeap> heap_;
  std::unique_ptr<Copier> copier_;
};

TEST_F(DeviceHeapTest, BlocksLieInTheirDevicesSlice) {
  const auto a = heap_->Allocate(kZero, ByteSize(100));
  const auto b = heap_->Allocate(kOne, MiB(3));
  ASSERT_THAT(a, IsOk());
  ASSERT_THAT(b, IsOk());
  EXPECT_TRUE(space_->slice(kZero).Contains(*a));
  EXPECT_TRUE(space_->slice(kOne).Contains(*b));
  EXPECT_TRUE(b->begin().IsAligned(MiB(2)));
  EXPECT_EQ(heap_->Locate(b->begin() + MiB(2))->page_size, MiB(2));
  EXPECT_EQ(heap_->Locate(a->begin() + ByteSize(99))->device, kZero);
  EXPECT_FALSE(heap_->Locate(Address(64)).has_value());
  EXPECT_TRUE(heap_->IsLive(a->begin()));
  EXPECT_THAT(heap_->Free(a->begin()), IsOk());
  EXPECT_FALSE(heap_->IsLive(a->begin()));
  EXPECT_FALSE(heap_->Locate(a->begin()).has_value());
}

TEST_F(DeviceHeapTest, OnlyTheBeginningFrees) {
  const auto a = heap_->Allocate(kZero, MiB(1));
  ASSERT_THAT(a, IsOk());
  for (const Address bad : {a->begin() + KiB(4), Address(0), Address(64),
                            space_->layout().managed.begin()}) {
    EXPECT_EQ(DriverCodeOf(heap_->Free(bad)), DriverCode::kInvalidValue);
  }
  EXPECT_THAT(heap_->Free(a->begin()), IsOk());
  EXPECT_EQ(DriverCodeOf(heap_->Free(a->begin())), DriverCode::kInvalidValue);
}

TEST_F(DeviceHeapTest, CapacityAndBudgetAreApartAndGivenBack) {
  EXPECT_THAT(
      heap_->Allocate(kZero, MiB(257)).status(),
      StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("its memory")));
  const auto a = heap_->Allocate(kZero, MiB(200));
  ASSERT_THAT(a, IsOk());
  EXPECT_EQ(heap_->Capacity(kZero).free, MiB(56));
  EXPECT_THAT(heap_->Allocate(kOne, MiB(101)).status(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("host_memory_bytes")));
  EXPECT_THAT(heap_->Free(a->begin()), IsOk());
  EXPECT_EQ(heap_->Capacity(kZero).free, MiB(256));
  EXPECT_THAT(heap_->Allocate(kOne, MiB(101)), IsOk());
  EXPECT_EQ(DriverCodeOf(heap_->Allocate(kOne, ByteSize(UINT64_MAX)).status()),
            DriverCode::kOutOfMemory);
  EXPECT_EQ(DriverCodeOf(heap_->Allocate(DeviceId(2), KiB(4)).status()),
            DriverCode::kInvalidDevice);
}

TEST_F(DeviceHeapTest, ANewOwnerSeesZeroes) {
  const auto a = heap_->Allocate(kZero, KiB(64));
  ASSERT_THAT(a, IsOk());
  EXPECT_THAT(copier_->Fill(*a, 0x77), IsOk());
  EXPECT_THAT(heap_->Free(a->begin()), IsOk());
  const auto b = heap_->Allocate(kZero, KiB(64));
  ASSERT_THAT(b, IsOk());
  ASSERT_EQ(b->begin(), a->begin());
  std::vector<unsigned char> bytes(KiB(64).bytes(), 1);
  EXPECT_THAT(copier_->Copy(Address::Of(bytes.data()), *b), IsOk());
  EXPECT_THAT(bytes, testing::Each(0));
}

TEST_F(DeviceHeapTest, CopiesStayInsideOneBlock) {
  const auto a = heap_->Allocate(kZero, KiB(4));
  const auto b = heap_->Allocate(kZero, KiB(4));
  ASSERT_THAT(a, IsOk());
  ASSERT_THAT(b, IsOk());
  const AddressRange both = AddressRange::Of(a->begin(), KiB(8));
  EXPECT_EQ(DriverCodeOf(copier_->Fill(both, 1)), DriverCode::kInvalidValue);
  char host[16] = "0123456789";
  const AddressRange source = AddressRange::Of(Address::Of(host), ByteSize(16));
  EXPECT_THAT(copier_->Copy(b->begin(), source), IsOk());
  EXPECT_THAT(
      copier_->Copy(a->begin(), AddressRange::Of(b->begin(), ByteSize(16))),
      IsOk());
  char back[16] = {};
  EXPECT_THAT(copier_->Copy(Address::Of(back),
                            AddressRange::Of(a->begin(), ByteSize(16))),
              IsOk());
  EXPECT_STREQ(back, host);
}

TEST_F(DeviceHeapTest, LivePiecesEndAtTheBlock) {
  const auto a = heap_->Allocate(kZero, KiB(8));
  ASSERT_THAT(a, IsOk());
  EXPECT_EQ(heap_->LivePiece(a->begin() + ByteSize(5000)),
            AddressRange::Of(a->begin(), KiB(8)));
}

TEST_F(DeviceHeapTest, KeepsItsInvariantsInAnyOrder) {
  std::mt19937 random(3);
  std::vector<AddressRange> live;
  for (int step = 0; step < 2000; ++step) {
    if (live.empty() || random() % 2 == 0) {
      const DeviceId device(static_cast<int32_t>(random() % 2));
      const uint64_t limit = random() % 8 == 0 ? MiB(8).bytes() : 40000;
      const auto range =
          heap_->Allocate(device, ByteSize(1 + random() % limit));
      if (!range.ok()) continue;
      for (const AddressRange& other : live) {
        ASSERT_FALSE(other.Overlaps(*range));
      }
      live.push_back(*range);
    } else {
      const size_t victim = random() % live.size();
      ASSERT_THAT(heap_->Free(live[victim].begin()), IsOk());
      live[victim] = live.back();
      live.pop_back();
    }
    heap_->CheckInvariants();
  }
  heap_->FreeAll(kZero);
  heap_->FreeAll(kOne);
  EXPECT_EQ(heap_->Capacity(kZero).free, MiB(256));
  EXPECT_EQ(ledger_.physical().Read().free, MiB(300));
}

}  // namespace
}  // namespace npu::hal::emu
