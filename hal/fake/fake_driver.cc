// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/fake/fake_driver.h"

#include <optional>
#include <utility>

#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

namespace npu::hal::fake {
namespace {

constexpr uint64_t kBase = 0x90000000000;

GranuleWindow WindowOf(const FakeDriver::Options& options) {
  return GranuleWindow(
      AddressRange::Of(Address(kBase), kGranule * options.granules));
}

absl::Status NotHere() {
  return DriverError(DriverCode::kNotSupported,
                     "the fake driver has no plain memory");
}

}  // namespace

// What it is: the description, and nothing to open or reset.
class FakeDriver::Devices final : public DeviceRegistry {
 public:
  explicit Devices(const Options& options) {
    about_.product = "FAKE";
    about_.soc_name = "Fake";
    about_.device_count = options.device_count;
    about_.numa_nodes = options.numa_nodes;
    about_.features = BitOf(Feature::kManagedMemory) |
                      BitOf(Feature::kPeerAccess) |
                      BitOf(Feature::kPointerAttributes);
  }

 private:
  const DriverDescription& DoDescribe() const override { return about_; }
  absl::Status DoOpen(DeviceId) override { return absl::OkStatus(); }
  absl::Status DoReset(DeviceId, ResetMode) override {
    return absl::OkStatus();
  }
  NumaNode DoCurrentNumaNode() const override { return NumaNode(0); }

  DriverDescription about_;
};

// What they are: the capacities; there is no plain memory to give.
class FakeDriver::DevicePool final : public DeviceMemory {
 public:
  explicit DevicePool(const FakeResidency& residency) : residency_(residency) {}

 private:
  absl::StatusOr<AddressRange> DoAllocate(DeviceId, ByteSize) override {
    return NotHere();
  }
  absl::Status DoFree(Address) override { return NotHere(); }
  std::optional<DeviceBlock> DoLocate(Address) const override {
    return std::nullopt;
  }
  MemoryCapacity DoCapacity(DeviceId device) const noexcept override {
    return residency_.DeviceCapacity(device);
  }

  const FakeResidency& residency_;
};

class FakeDriver::HostPool final : public HostMemory {
 public:
  explicit HostPool(const FakeResidency& residency) : residency_(residency) {}

 private:
  absl::StatusOr<AddressRange> DoAllocate(ByteSize) override {
    return NotHere();
  }
  absl::Status DoFree(Address) override { return NotHere(); }
  std::optional<AddressRange> DoLocate(Address) const override {
    return std::nullopt;
  }
  MemoryCapacity DoCapacity() const noexcept override {
    return residency_.PhysicalCapacity();
  }

  const FakeResidency& residency_;
};

FakeDriver::FakeDriver(const Options& options)
    : residency_(WindowOf(options), options.device_count, options.capacity),
      devices_(std::make_unique<Devices>(options)),
      device_pool_(std::make_unique<DevicePool>(residency_)),
      host_pool_(std::make_unique<HostPool>(residency_)) {}

FakeDriver::~FakeDriver() { faults_.Stop(); }

DriverParts FakeDriver::DoParts() {
  DriverParts parts;
  parts.devices = devices_.get();
  parts.device_memory = device_pool_.get();
  parts.host_memory = host_pool_.get();
  parts.residency = &residency_;
  parts.faults = &faults_;
  return parts;
}

absl::Status FakeDriver::Fault(NodeId node, GranuleIndex granule,
                               FaultAccess access) {
  switch (faults_.Raise({node, granule, access})) {
    case FaultVerdict::kServed:
      return absl::OkStatus();
    case FaultVerdict::kIllegal:
      return absl::OutOfRangeError("SIGSEGV");
    case FaultVerdict::kNoMemory:
      return absl::ResourceExhaustedError("SIGBUS");
  }
  return absl::InternalError("no verdict");
}

absl::StatusOr<uint64_t> FakeDriver::Load(NodeId node, GranuleIndex granule) {
  while (true) {
    const std::optional<uint64_t> word = residency_.Read(node, granule);
    if (word) return *word;
    NPU_RETURN_IF_ERROR(Fault(node, granule, FaultAccess::kRead));
  }
}

absl::Status FakeDriver::Store(NodeId node, GranuleIndex granule,
                               uint64_t value) {
  while (residency_.Write(node, granule, value) ==
         FakeResidency::Store::kFaults) {
    NPU_RETURN_IF_ERROR(Fault(node, granule, FaultAccess::kWrite));
  }
  return absl::OkStatus();
}

void FakeDriver::Crash(DeviceId device) {
  residency_.LoseMappings(device);
  faults_.LoseNode(device);
}

}  // namespace npu::hal::fake
