// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// FakeDriver: a small true back end in memory, for tests of what stands above.
//
//   FakeDriver driver(FakeDriver::Options{});
//   auto memory = ManagedMemory::Create(driver.Parts(), peers);
//   driver.Parts().faults->Start({&(*memory)->fault_sink()});
//   driver.Store(NodeId::Host(), granule, 5);     // faults, is served, stores
//   driver.Load(NodeId::Device(DeviceId(0)), granule);  // 5, after a migration

#ifndef HAL_FAKE_FAKE_DRIVER_H_
#define HAL_FAKE_FAKE_DRIVER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "hal/api/driver.h"
#include "hal/fake/fake_fault_source.h"
#include "hal/fake/fake_residency.h"

namespace npu::hal::fake {

// What it is: a driver with devices, page tables and a service thread, whose
// nodes have bytes of their own. Plain device memory, kernels and peers are not
// in it: their parts are null but for capacities. Owns its parts. Threads: any.
// Addresses of its window are numbers only; nothing is mapped there.
class FakeDriver final : public Driver {
 public:
  struct Options {
    int32_t device_count = 2;
    int32_t numa_nodes = 2;
    uint32_t granules = 256;
    FakeCapacity capacity;
  };

  explicit FakeDriver(const Options& options);
  ~FakeDriver() override;

  FakeResidency& residency() { return residency_; }
  FakeFaultSource& faults() { return faults_; }

  // An instruction of a node: faults as often as it takes. Errors: OutOfRange
  // where a program would get SIGSEGV, ResourceExhausted where SIGBUS.
  absl::StatusOr<uint64_t> Load(NodeId node, GranuleIndex granule);
  absl::Status Store(NodeId node, GranuleIndex granule, uint64_t value);

  // Ends and restarts a device's process.
  void Crash(DeviceId device);

 private:
  class Devices;
  class DevicePool;
  class HostPool;

  DriverParts DoParts() override;
  absl::Status Fault(NodeId node, GranuleIndex granule, FaultAccess access);

  FakeResidency residency_;
  FakeFaultSource faults_;
  std::unique_ptr<Devices> devices_;
  std::unique_ptr<DevicePool> device_pool_;
  std::unique_ptr<HostPool> host_pool_;
};

}  // namespace npu::hal::fake

#endif  // HAL_FAKE_FAKE_DRIVER_H_
