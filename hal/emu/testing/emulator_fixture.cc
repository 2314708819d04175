// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/testing/emulator_fixture.h"

#include <utility>

#include "hal/base/byte_size.h"
#include "hal/base/status_macros.h"
#include "hal/emu/emulated_npu.h"

namespace npu::hal::emu {
namespace {

// Relative to the test's working directory.
constexpr char kKernels[] = "hal/emu/testing/test_kernels.so";

}  // namespace

EmulatorConfig EmulatorFixture::SmallConfig() {
  EmulatorConfig config;
  config.set_rung(FULL);
  config.set_device_memory_bytes(MiB(256).bytes());
  config.set_host_memory_bytes(MiB(512).bytes());
  config.set_window_bytes(MiB(256).bytes());
  return config;
}

void EmulatorFixture::Open(const EmulatorConfig& config) {
  auto driver = OpenEmulatedNpu(config);
  if (absl::IsUnimplemented(driver.status())) {
    GTEST_SKIP() << driver.status().message();
  }
  ASSERT_TRUE(driver.ok()) << driver.status();
  driver_ = *std::move(driver);
  parts_ = driver_->Parts();
  pager_ = std::make_unique<SimplePager>(*parts_.residency, kLiveGranules);
  const absl::Status started =
      parts_.faults->Start({pager_.get(), pager_.get()});
  ASSERT_TRUE(started.ok()) << started;
  const auto binary = parts_.kernels->Load(kKernels);
  ASSERT_TRUE(binary.ok()) << binary.status();
  binary_ = *binary;
}

void EmulatorFixture::TearDown() {
  if (parts_.faults != nullptr) parts_.faults->Stop();
  parts_ = DriverParts();
  driver_.reset();
}

void EmulatorFixture::OnService(std::function<void(PageResidency&)> work) {
  pager_->Run(std::move(work), [this] { parts_.faults->Kick(); });
}

uint64_t* EmulatorFixture::Word(uint32_t granule) const {
  return static_cast<uint64_t*>(
      parts_.residency->window().AddressOf(GranuleIndex(granule)).pointer());
}

absl::Status EmulatorFixture::Call(int32_t device, const std::string& kernel,
                                   std::initializer_list<uint64_t> arguments,
                                   uint32_t blocks) {
  return CallIn(LaneId(static_cast<uint64_t>(device)), device, kernel,
                arguments, blocks);
}

absl::Status EmulatorFixture::CallIn(LaneId lane, int32_t device,
                                     const std::string& kernel,
                                     std::initializer_list<uint64_t> arguments,
                                     uint32_t blocks) {
  KernelCall call;
  call.device = DeviceId(device);
  NPU_ASSIGN_OR_RETURN(call.function,
                       parts_.kernels->Find(binary_, kernel, call.device));
  call.lane = lane;
  call.blocks = blocks;
  for (const uint64_t word : arguments) {
    call.arguments.words[static_cast<size_t>(call.arguments.count++)] = word;
  }
  return parts_.kernels->Launch(call);
}

}  // namespace npu::hal::emu
