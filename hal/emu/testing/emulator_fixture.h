// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// An emulated NPU for one test, over a SimplePager.

#ifndef HAL_EMU_TESTING_EMULATOR_FIXTURE_H_
#define HAL_EMU_TESTING_EMULATOR_FIXTURE_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hal/api/driver.h"
#include "hal/emu/config.h"
#include "hal/emu/testing/simple_pager.h"

namespace npu::hal::emu {

// What it is: a fixture with two small devices, the service running and the
// test kernels loaded. Owns all of it. Threads: the test's.
class EmulatorFixture : public testing::Test {
 protected:
  static constexpr uint32_t kLiveGranules = 32;

  // Devices 0 and 1, 256 MiB each; 512 MiB of real memory; 128 granules.
  static EmulatorConfig SmallConfig();

  // Opens and starts. A test on a machine without userfaultfd is skipped when
  // the configuration asks for FULL.
  void Open(const EmulatorConfig& config);
  void TearDown() override;

  DriverParts& parts() { return parts_; }
  SimplePager& pager() { return *pager_; }

  // Runs something on the service thread.
  void OnService(std::function<void(PageResidency&)> work);

  // The first word of a granule of the managed window.
  uint64_t* Word(uint32_t granule) const;

  // Calls a test kernel on a device, in the lane of that device.
  absl::Status Call(int32_t device, const std::string& kernel,
                    std::initializer_list<uint64_t> arguments,
                    uint32_t blocks = 1);
  // The same in a lane of the test's choice; numbers from 100 on are free.
  absl::Status CallIn(LaneId lane, int32_t device, const std::string& kernel,
                      std::initializer_list<uint64_t> arguments,
                      uint32_t blocks = 1);

 private:
  std::unique_ptr<Driver> driver_;
  DriverParts parts_;
  std::unique_ptr<SimplePager> pager_;
  BinaryId binary_;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_TESTING_EMULATOR_FIXTURE_H_
