// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ManagedMemory over the fake driver, for tests of this layer.

#ifndef MM_TESTING_MEMORY_FIXTURE_H_
#define MM_TESTING_MEMORY_FIXTURE_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"
#include "hal/fake/fake_driver.h"
#include "mm/managed_memory.h"
#include "mm/peer_query.h"

namespace npu::mm {

// What it is: a peer rule that a test sets. Threads: any.
class SettablePeers final : public PeerQuery {
 public:
  void Set(hal::PeerReach reach) { reach_.store(reach); }

 private:
  hal::PeerReach DoMayReach(hal::PeerPair) const noexcept override {
    return reach_.load();
  }

  std::atomic<hal::PeerReach> reach_{hal::PeerReach::kUnreachable};
};

// What it is: a fixture with two devices, a window of 64 granules, running.
// Owns it. After each test the invariants hold, the back end has seen no broken
// rule, and its mappings are those that the table says.
class MemoryFixture : public testing::Test {
 protected:
  static constexpr uint32_t kWindow = 64;

  void SetUp() override { Start({}); }
  void TearDown() override {
    if (memory_ == nullptr) return;
    Check();
    driver_->faults().Stop();
    memory_.reset();
    EXPECT_THAT(driver_->residency().Violations(), testing::IsEmpty());
  }

  // Ends what runs and starts anew with another capacity.
  void Start(hal::fake::FakeCapacity capacity) {
    if (memory_ != nullptr) driver_->faults().Stop();
    memory_.reset();
    hal::fake::FakeDriver::Options options;
    options.granules = kWindow;
    options.capacity = capacity;
    driver_ = std::make_unique<hal::fake::FakeDriver>(options);
    auto memory = ManagedMemory::Create(driver_->Parts(), peers_);
    ASSERT_THAT(memory, IsOk());
    memory_ = *std::move(memory);
    ASSERT_THAT(driver_->faults().Start({&memory_->fault_sink(), nullptr}),
                IsOk());
  }

  // The whole truth check; the service thread is idle.
  void Check() {
    memory_->CheckInvariants();
    for (uint32_t g = 0; g < kWindow; ++g) {
      const auto state = memory_->Residency(AddressOf(g));
      const NodeSet holders = state.ok() ? state->holders : NodeSet();
      ASSERT_EQ(driver_->residency().HoldersOf(GranuleIndex(g)), holders) << g;
    }
  }

  Address AddressOf(uint32_t granule) const {
    return memory_->Window().begin() + kGranule * granule;
  }
  AddressRange Granules(uint32_t begin, uint32_t count) const {
    return AddressRange::Of(AddressOf(begin), kGranule * count);
  }
  // Allocates, and gives the number of the first granule.
  uint32_t Allocate(uint32_t count) {
    const auto range = memory_->Allocate(kGranule * count, DeviceId(0));
    EXPECT_THAT(range, IsOk());
    return static_cast<uint32_t>(
        (range->begin() - memory_->Window().begin()).bytes() /
        kGranule.bytes());
  }
  GranuleState StateOf(uint32_t granule) const {
    return *memory_->Residency(AddressOf(granule));
  }
  uint64_t Load(NodeId node, uint32_t granule) {
    const auto word = driver_->Load(node, GranuleIndex(granule));
    EXPECT_THAT(word, IsOk());
    return word.value_or(0);
  }
  void Store(NodeId node, uint32_t granule, uint64_t value) {
    EXPECT_THAT(driver_->Store(node, GranuleIndex(granule), value), IsOk());
  }
  absl::Status Prefetch(AddressRange range, hal::Location location) {
    const hal::PrefetchRequest request = {range, location};
    auto ticket = memory_->Admit({&request, 1});
    return ticket.ok() ? memory_->Run(*ticket) : ticket.status();
  }
  uint64_t Faults(NodeId node) const { return memory_->Counters(node).faults; }

  const NodeId host_ = NodeId::Host();
  const NodeId zero_ = NodeId::Device(DeviceId(0));
  const NodeId one_ = NodeId::Device(DeviceId(1));
  const hal::Location at_host_ = hal::Location::Host();
  const hal::Location at_zero_ = hal::Location::Device(DeviceId(0));
  const hal::Location at_one_ = hal::Location::Device(DeviceId(1));

  SettablePeers peers_;
  std::unique_ptr<hal::fake::FakeDriver> driver_;
  std::unique_ptr<ManagedMemory> memory_;
};

}  // namespace npu::mm

#endif  // MM_TESTING_MEMORY_FIXTURE_H_
