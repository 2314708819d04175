// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Driver: what a back end can do, as a set of parts. A capability that it lacks
// is a null part (the C ABI answers 207000), never an "unimplemented" method.

#ifndef HAL_API_DRIVER_H_
#define HAL_API_DRIVER_H_

#include "hal/api/copy_engine.h"
#include "hal/api/device_memory.h"
#include "hal/api/device_registry.h"
#include "hal/api/fault_source.h"
#include "hal/api/host_memory.h"
#include "hal/api/kernel_launcher.h"
#include "hal/api/managed_advice.h"
#include "hal/api/managed_allocation.h"
#include "hal/api/managed_prefetch.h"
#include "hal/api/managed_query.h"
#include "hal/api/page_residency.h"
#include "hal/api/peer_link.h"

namespace npu::hal {

// The driver's own managed memory, part by part.
struct ManagedParts {
  ManagedAllocation* allocation = nullptr;
  ManagedAdvice* advice = nullptr;
  ManagedPrefetch* prefetch = nullptr;
  ManagedBatchPrefetch* batch_prefetch = nullptr;
  ManagedQuery* query = nullptr;
};

// Pointers into a Driver, valid as long as it lives.
struct DriverParts {
  DeviceRegistry* devices = nullptr;  // never null
  DeviceMemory* device_memory = nullptr;
  HostMemory* host_memory = nullptr;
  CopyEngine* copies = nullptr;
  KernelLauncher* kernels = nullptr;
  PeerLink* peers = nullptr;
  // Both or neither: with them, mm supplies managed memory.
  PageResidency* residency = nullptr;
  FaultSource* faults = nullptr;
  // Of a driver that has managed memory itself.
  ManagedParts managed;
};

// What it is: an open driver. Owns its parts and what they stand for (device
// processes, windows, descriptors); destroying it gives all of that back. The
// user stops FaultSource first. Threads: any. Cost: Parts is O(1).
class Driver {
 public:
  virtual ~Driver() = default;

  DriverParts Parts() { return DoParts(); }

 private:
  virtual DriverParts DoParts() = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_DRIVER_H_
