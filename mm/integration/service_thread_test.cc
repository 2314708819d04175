// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The fault path does not allocate: every operator new of this program tells
// whether it runs on the service thread.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/config.h"
#include "hal/emu/emulated_npu.h"
#include "hal/emu/fault_service.h"
#include "mm/managed_memory.h"
#include "mm/peer_query.h"

namespace {

std::atomic<uint64_t> on_service_thread{0};
std::atomic<uint64_t> elsewhere{0};

void* Allocate(std::size_t size) {
  if (npu::hal::emu::FaultService::IsServiceThread()) {
    ++on_service_thread;
  } else {
    ++elsewhere;
  }
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace npu::mm {
namespace {

class NoPeers final : public PeerQuery {
  hal::PeerReach DoMayReach(hal::PeerPair) const noexcept override {
    return hal::PeerReach::kUnreachable;
  }
};

TEST(ServiceThreadTest, ServesAndWorksWithoutAllocating) {
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
  const hal::DriverParts parts = (*driver)->Parts();
  const NoPeers peers;
  auto memory = ManagedMemory::Create(parts, peers);
  ASSERT_THAT(memory, IsOk());
  ASSERT_THAT(parts.faults->Start({&(*memory)->fault_sink()}), IsOk());
  const auto binary = parts.kernels->Load("mm/integration/word_kernels.so");
  ASSERT_THAT(binary, IsOk());

  const auto range = (*memory)->Allocate(kGranule * 4, DeviceId(0));
  ASSERT_THAT(range, IsOk());
  auto* const word = static_cast<uint64_t*>(range->begin().pointer());
  hal::KernelCall call;
  call.device = DeviceId(1);
  const auto function = parts.kernels->Find(*binary, "add_to", call.device);
  ASSERT_THAT(function, IsOk());
  call.function = *function;
  call.arguments.words[0] = reinterpret_cast<uint64_t>(word);
  call.arguments.words[1] = 2;
  call.arguments.count = 2;

  // Faults, advice of each kind, a prefetch, a lost device, the end.
  *word = 1;
  ASSERT_THAT(parts.kernels->Launch(call), IsOk());
  for (const hal::Advice advice :
       {hal::Advice::kSetReadMostly, hal::Advice::kUnsetReadMostly,
        hal::Advice::kSetAccessedBy, hal::Advice::kUnsetAccessedBy,
        hal::Advice::kSetPreferredLocation,
        hal::Advice::kUnsetPreferredLocation}) {
    ASSERT_THAT((*memory)->Advise(*range, advice, hal::Location::Host()),
                IsOk());
  }
  const hal::PrefetchRequest request = {*range,
                                        hal::Location::Device(DeviceId(1))};
  const auto ticket = (*memory)->Admit({&request, 1});
  ASSERT_THAT(ticket, IsOk());
  ASSERT_THAT((*memory)->Run(*ticket), IsOk());
  call.arguments.words[0] = 8;  // nobody's address: the device ends
  EXPECT_TRUE(hal::IsKernelException(parts.kernels->Launch(call)));
  EXPECT_EQ(*word, 3u);
  ASSERT_THAT((*memory)->Free(range->begin()), IsOk());
  parts.faults->Stop();

  EXPECT_EQ(on_service_thread.load(), 0u);
  EXPECT_GT(elsewhere.load(), 0u);  // the counting works
}

}  // namespace
}  // namespace npu::mm
