// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The memory manager over the emulated NPU: real touches of the host and of
// kernels, and page tables that must be what the table says.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <memory>
#include <thread>

#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/config.h"
#include "hal/emu/emulated_npu.h"
#include "mm/managed_memory.h"
#include "mm/peer_query.h"

namespace npu::mm {
namespace {

constexpr char kKernels[] = "mm/integration/word_kernels.so";
constexpr uint64_t kPagesPerGranule = 512;

class NoPeers final : public PeerQuery {
  hal::PeerReach DoMayReach(hal::PeerPair) const noexcept override {
    return hal::PeerReach::kUnreachable;
  }
};

class EmulatorTest : public testing::Test {
 protected:
  void SetUp() override {
    hal::emu::EmulatorConfig config;
    config.set_rung(hal::emu::FULL);
    config.set_device_memory_bytes(MiB(256).bytes());
    config.set_host_memory_bytes(MiB(256).bytes());
    config.set_window_bytes(MiB(256).bytes());
    auto driver = hal::emu::OpenEmulatedNpu(config);
    if (absl::IsUnimplemented(driver.status())) {
      GTEST_SKIP() << driver.status().message();
    }
    ASSERT_THAT(driver, IsOk());
    driver_ = *std::move(driver);
    auto memory = ManagedMemory::Create(driver_->Parts(), peers_);
    ASSERT_THAT(memory, IsOk());
    memory_ = *std::move(memory);
    ASSERT_THAT(driver_->Parts().faults->Start({&memory_->fault_sink()}),
                IsOk());
    const auto binary = driver_->Parts().kernels->Load(kKernels);
    ASSERT_THAT(binary, IsOk());
    binary_ = *binary;
  }

  void TearDown() override {
    if (memory_ == nullptr) return;
    memory_->CheckInvariants();
    CompareHostPageTable();
    ASSERT_THAT(memory_->FreeAll(), IsOk());
    driver_->Parts().faults->Stop();
    memory_.reset();
  }

  // The host's page table has a granule exactly when the table says so: the
  // only way to see an unmap that was forgotten.
  void CompareHostPageTable() {
    const int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    for (Address at = memory_->Window().begin(); at < memory_->Window().end();
         at = at + kGranule) {
      uint64_t entries[kPagesPerGranule];
      ASSERT_EQ(pread(fd, entries, sizeof(entries),
                      static_cast<off_t>(at.value() / 4096 * 8)),
                static_cast<ssize_t>(sizeof(entries)));
      const auto state = memory_->Residency(at);
      const bool held = state.ok() && state->holders.host();
      for (const uint64_t entry : entries) {
        ASSERT_EQ((entry >> 63) != 0, held) << at;
      }
    }
    close(fd);
  }

  uint64_t* Allocate(uint32_t granules) {
    const auto range = memory_->Allocate(kGranule * granules, DeviceId(0));
    EXPECT_THAT(range, IsOk());
    return static_cast<uint64_t*>(range->begin().pointer());
  }

  absl::Status Call(int32_t device, const char* kernel, uint64_t* word,
                    uint64_t argument) {
    hal::KernelCall call;
    call.device = DeviceId(device);
    call.lane = hal::LaneId(static_cast<uint64_t>(device));
    const auto function =
        driver_->Parts().kernels->Find(binary_, kernel, call.device);
    if (!function.ok()) return function.status();
    call.function = *function;
    call.arguments.words[0] = reinterpret_cast<uint64_t>(word);
    call.arguments.words[1] = argument;
    call.arguments.count = 2;
    return driver_->Parts().kernels->Launch(call);
  }

  GranuleState StateOf(const uint64_t* word) const {
    return *memory_->Residency(Address::Of(word));
  }
  AddressRange RangeOf(const uint64_t* word, uint32_t granules) const {
    return AddressRange::Of(Address::Of(word), kGranule * granules);
  }
  uint64_t Faults(NodeId node) const { return memory_->Counters(node).faults; }

  const NodeId host_ = NodeId::Host();
  const NodeId zero_ = NodeId::Device(DeviceId(0));
  const NodeId one_ = NodeId::Device(DeviceId(1));
  NoPeers peers_;
  std::unique_ptr<hal::Driver> driver_;
  std::unique_ptr<ManagedMemory> memory_;
  hal::BinaryId binary_;
};

TEST_F(EmulatorTest, DataFollowsAndTheTableKnows) {
  uint64_t* const word = Allocate(2);
  *word = 5;
  EXPECT_EQ(StateOf(word).holders, NodeSet(host_));
  EXPECT_THAT(Call(0, "add_to", word, 2), IsOk());
  EXPECT_EQ(StateOf(word).holders, NodeSet(zero_));
  CompareHostPageTable();
  EXPECT_THAT(Call(1, "add_to", word, 3), IsOk());
  EXPECT_EQ(StateOf(word).owner, one_);
  EXPECT_EQ(*word, 10u);
  EXPECT_EQ(StateOf(word).owner, host_);
  EXPECT_EQ(Faults(zero_), 1u);
  EXPECT_EQ(Faults(one_), 1u);
}

TEST_F(EmulatorTest, APrefetchedRangeTakesNoFault) {
  uint64_t* const word = Allocate(4);
  const hal::PrefetchRequest request = {RangeOf(word, 4),
                                        hal::Location::Device(DeviceId(0))};
  const auto ticket = memory_->Admit({&request, 1});
  ASSERT_THAT(ticket, IsOk());
  ASSERT_THAT(memory_->Run(*ticket), IsOk());
  EXPECT_THAT(Call(0, "add_to", word + 3 * 262144, 1), IsOk());
  EXPECT_EQ(Faults(zero_), 0u);
  CompareHostPageTable();
}

TEST_F(EmulatorTest, ReadMostlyIsSharedUntilAWrite) {
  uint64_t* const word = Allocate(2);
  *word = 7;
  ASSERT_THAT(
      memory_->Advise(RangeOf(word, 1), hal::Advice::kSetReadMostly, {}),
      IsOk());
  EXPECT_THAT(Call(0, "copy_from", word + 262144, Address::Of(word).value()),
              IsOk());
  EXPECT_EQ(StateOf(word).holders.size(), 2);
  EXPECT_EQ(word[262144], 7u);
  const uint64_t before = Faults(host_);
  EXPECT_EQ(*word, 7u);
  EXPECT_EQ(Faults(host_), before);
  *word = 8;
  EXPECT_EQ(Faults(host_), before + 1);
  EXPECT_EQ(StateOf(word).holders, NodeSet(host_));
  EXPECT_FALSE(StateOf(word).is_read_mostly());
}

TEST_F(EmulatorTest, AnAccessorOfHostMemoryDoesNotMoveIt) {
  uint64_t* const word = Allocate(1);
  *word = 1;
  ASSERT_THAT(memory_->Advise(RangeOf(word, 1), hal::Advice::kSetAccessedBy,
                              hal::Location::Device(DeviceId(1))),
              IsOk());
  EXPECT_THAT(Call(1, "add_to", word, 1), IsOk());
  EXPECT_EQ(Faults(one_), 0u);
  EXPECT_EQ(StateOf(word).owner, host_);
  EXPECT_EQ(*word, 2u);
}

TEST_F(EmulatorTest, FreedMemoryIsZeroForItsNextOwner) {
  uint64_t* const word = Allocate(1);
  *word = 99;
  ASSERT_THAT(memory_->Free(Address::Of(word)), IsOk());
  uint64_t* const again = Allocate(1);
  ASSERT_EQ(again, word);
  EXPECT_EQ(*again, 0u);
}

sigjmp_buf back;

// The place of a refused touch must not refuse its next owner.
TEST_F(EmulatorTest, AnAddressThatBecomesLegalIsLegalAtOnce) {
  uint64_t* const word = Allocate(1);
  struct sigaction action = {};
  struct sigaction old = {};
  action.sa_handler = [](int) { siglongjmp(back, 1); };
  sigaction(SIGSEGV, &action, &old);
  for (int round = 0; round < 50; ++round) {
    ASSERT_THAT(memory_->Free(Address::Of(word)), IsOk());
    volatile bool refused = true;
    if (sigsetjmp(back, 1) == 0) {
      *static_cast<volatile uint64_t*>(word) = 1;
      refused = false;
    }
    ASSERT_TRUE(refused);
    ASSERT_EQ(Allocate(1), word);
    *static_cast<volatile uint64_t*>(word) = 2;
  }
  sigaction(SIGSEGV, &old, nullptr);
}

TEST_F(EmulatorTest, NothingIsLostUnderAdviceAndPrefetch) {
  constexpr uint64_t kTimes = 3000;
  auto* const counter = new (Allocate(1)) std::atomic<uint64_t>(0);
  auto* const word = reinterpret_cast<uint64_t*>(counter);
  std::thread device(
      [&] { EXPECT_THAT(Call(0, "add_slowly", word, kTimes), IsOk()); });
  std::thread adviser([&] {
    for (int i = 0; i < 60; ++i) {
      const hal::Location there =
          i % 2 == 0 ? hal::Location::Host()
                     : hal::Location::Device(DeviceId(i % 4 / 2));
      const hal::PrefetchRequest request = {RangeOf(word, 1), there};
      const auto ticket = memory_->Admit({&request, 1});
      ASSERT_THAT(ticket, IsOk());
      ASSERT_THAT(memory_->Run(*ticket), IsOk());
      ASSERT_THAT(memory_->Advise(RangeOf(word, 1),
                                  i % 3 == 0 ? hal::Advice::kSetReadMostly
                                             : hal::Advice::kUnsetReadMostly,
                                  there),
                  IsOk());
    }
  });
  for (uint64_t i = 0; i < kTimes; ++i) counter->fetch_add(1);
  device.join();
  adviser.join();
  EXPECT_EQ(counter->load(), 2 * kTimes);
}

}  // namespace
}  // namespace npu::mm
