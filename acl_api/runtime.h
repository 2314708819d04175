// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Runtime: the one place where the layers are wired.
//
//            Devices, Stream              what clients hold
//               |        |
//   p2p::PeerAccess   mm::ManagedMemory   the logic
//               |        |
//            hal::DriverParts             the back end of OpenDriver

#ifndef ACL_API_RUNTIME_H_
#define ACL_API_RUNTIME_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "acl_api/devices.h"
#include "acl_api/stream.h"
#include "hal/api/driver.h"
#include "hal/api/peer_link.h"
#include "hal/base/address_range.h"
#include "hal/base/node.h"
#include "mm/managed_memory.h"
#include "mm/peer_query.h"
#include "p2p/peer_access.h"

namespace npu::acl {

// What it is: an open driver and the logic over it. Owns all of it. Threads:
// any; it has no lock of its own. Cost: that of the layer asked. Breaks: it
// must not end while a call is inside, which Lifecycle sees to.
class Runtime {
 public:
  // Opens the driver and wires the layers. Errors: what opening answers.
  static absl::StatusOr<std::unique_ptr<Runtime>> Open();

  // Ends all streams, kills all handles, frees all memory.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // --- What there is ---

  const hal::DriverParts& driver() const { return driver_; }
  const hal::DriverDescription& description() const {
    return driver_.devices->Describe();
  }
  // The driver's own managed memory, or that of mm. Parts may be null.
  const hal::ManagedParts& managed() const { return managed_; }
  // Null over a driver with managed memory of its own.
  mm::ManagedMemory* memory() const { return memory_.get(); }
  Devices& devices() { return devices_; }

  // Parts that a driver may lack. Error: 207000.
  absl::StatusOr<hal::DeviceMemory*> DeviceMemory() const;
  absl::StatusOr<hal::HostMemory*> HostMemory() const;
  absl::StatusOr<hal::CopyEngine*> Copies() const;
  absl::StatusOr<hal::KernelLauncher*> Kernels() const;
  absl::StatusOr<p2p::PeerAccess*> Peers() const;

  // --- What takes several layers ---

  // A stream of a device, without a handle. Error: 207008, too many there.
  absl::StatusOr<std::shared_ptr<Stream>> MakeStream(DeviceId device);

  // The part that prefetches `count` ranges in one task. Null without managed
  // memory.
  hal::ManagedPrefetch* PrefetchPart(size_t count) const {
    if (count == 1) return managed_.prefetch;
    return managed_.batch_prefetch;
  }

  // Readies managed memory for the copy engine.
  absl::Status PrepareCopy(AddressRange range, mm::CopyAccess access,
                           DeviceId current);

  // Whether one of two devices may reach the memory of the other.
  bool MayCopy(DeviceId a, DeviceId b) const;

  // Frees device memory, and what was mapped of it elsewhere. Error:
  // kInvalidValue.
  absl::Status FreeDeviceMemory(Address begin);

  // Ends peer access, and the mappings made under it.
  absl::Status DisablePeer(hal::PeerPair pair);

  // --- The end ---

  // Drops all work and wakes who waits for it. Kernels that do not end within
  // half a second are killed with their device.
  void Abort();

 private:
  // p2p as mm sees it.
  class PeerView final : public mm::PeerQuery {
   public:
    explicit PeerView(p2p::PeerAccess* peers) : peers_(peers) {}

   private:
    hal::PeerReach DoMayReach(hal::PeerPair pair) const noexcept override;

    p2p::PeerAccess* const peers_;  // null: no device reaches another
  };

  explicit Runtime(std::unique_ptr<hal::Driver> driver);

  // Makes the layers and starts the delivery of faults.
  absl::Status Start();
  absl::Status StartManagedMemory();
  absl::Status ResetDevice(DeviceId device, hal::ResetMode mode);
  absl::Status EvacuateDevice(DeviceId device);
  Devices::Hooks DeviceHooks();

  const std::unique_ptr<hal::Driver> owned_driver_;
  const hal::DriverParts driver_;
  std::unique_ptr<p2p::PeerAccess> peers_;
  std::unique_ptr<PeerView> peer_view_;
  std::unique_ptr<mm::ManagedMemory> memory_;
  hal::ManagedParts managed_;
  Devices devices_;
  StreamBudget stream_budget_;
};

}  // namespace npu::acl

#endif  // ACL_API_RUNTIME_H_
