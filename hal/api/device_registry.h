// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceRegistry: which devices there are and what the product can do.

#ifndef HAL_API_DEVICE_REGISTRY_H_
#define HAL_API_DEVICE_REGISTRY_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "hal/api/location.h"
#include "hal/base/node.h"

namespace npu::hal {

// What a product may lack, as far as the C ABI answers 207000 for it.
enum class Feature : uint8_t {
  kManagedMemory,      // the six functions on managed memory
  kPeerAccess,         // enable, disable and query peer access
  kPeerMapping,        // aclrtMemP2PMap
  kPointerAttributes,  // aclrtPointerGetAttributes
};

// A set of features, one bit each.
using FeatureBits = uint32_t;
constexpr FeatureBits BitOf(Feature feature) {
  return FeatureBits{1} << static_cast<uint8_t>(feature);
}

// What is fixed for the life of a driver.
struct DriverDescription {
  std::string product;   // e.g. "ATLAS_A2"
  std::string soc_name;  // e.g. "Ascend910B1"
  int32_t device_count = 0;
  int32_t numa_nodes = 1;
  FeatureBits features = 0;

  bool Supports(Feature feature) const {
    return (features & BitOf(feature)) != 0;
  }
};

// How a device reset treats kernels that run.
enum class ResetMode : uint8_t { kDrain, kKill };

// What it is: the devices of a driver. Threads: any. Cost: Describe is O(1);
// Open and Reset may start a process.
class DeviceRegistry {
 public:
  virtual ~DeviceRegistry() = default;

  // Valid until the driver is destroyed.
  const DriverDescription& Describe() const { return DoDescribe(); }

  // Whether `device` is in [0, device_count). Error: kInvalidDevice.
  absl::Status Check(DeviceId device) const;

  // Makes a device usable; again: nothing. Errors: kInvalidDevice, kNoDevice.
  absl::Status Open(DeviceId device);

  // Ends what runs on a device and starts it anew, with no kernel binary, no
  // peer mapping and no device memory left. Managed memory has been moved away
  // by the caller. Errors: kInvalidDevice, kNoDevice.
  absl::Status Reset(DeviceId device, ResetMode mode);

  // The NUMA node that the calling thread runs on; 0 where that is unknown.
  NumaNode CurrentNumaNode() const { return DoCurrentNumaNode(); }

 private:
  virtual const DriverDescription& DoDescribe() const = 0;
  virtual absl::Status DoOpen(DeviceId device) = 0;
  virtual absl::Status DoReset(DeviceId device, ResetMode mode) = 0;
  virtual NumaNode DoCurrentNumaNode() const = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_DEVICE_REGISTRY_H_
