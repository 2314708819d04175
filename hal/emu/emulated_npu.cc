// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/emulated_npu.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"
#include "hal/emu/address_space.h"
#include "hal/emu/copier.h"
#include "hal/emu/device_heap.h"
#include "hal/emu/emulated_devices.h"
#include "hal/emu/fault_service.h"
#include "hal/emu/fleet.h"
#include "hal/emu/host_heap.h"
#include "hal/emu/kernel_store.h"
#include "hal/emu/ledger.h"
#include "hal/emu/page_map.h"
#include "hal/emu/peer_map.h"
#include "hal/emu/product_table.h"

namespace npu::hal::emu {
namespace {

// A quarter of what the machine can give now.
ByteSize DefaultBudget() {
  uint64_t kib = 0;
  FILE* const file = fopen("/proc/meminfo", "re");
  if (file != nullptr) {
    char line[128];
    while (fgets(line, sizeof(line), file) != nullptr) {
      unsigned long long value = 0;
      if (sscanf(line, "MemAvailable: %llu kB", &value) == 1) kib = value;
    }
    fclose(file);
  }
  if (kib == 0) kib = uint64_t{1} << 22;  // no such file: 4 GiB
  return ByteSize(kib / 4 * 1024);
}

// The host's userfaultfd for the rung; an invalid one where nothing is watched.
absl::StatusOr<Userfault> OpenRung(Rung rung) {
  switch (rung) {
    case FULL:
      return Userfault::Open(UserfaultMode::kFull);
    case BEST: {
      absl::StatusOr<Userfault> full = Userfault::Open(UserfaultMode::kFull);
      return full.ok() ? std::move(full) : Userfault();
    }
    case UNTRACKED:
      return Userfault();
    case USER_MODE:
    case DEVICE_ONLY:
      break;
  }
  return DriverError(DriverCode::kNotSupported,
                     absl::StrCat("rung: ", Rung_Name(rung),
                                  " is not implemented; there are FULL and "
                                  "UNTRACKED"));
}

// What it is: all parts, in the order in which they need each other. Owns them.
class EmulatedNpu final : public Driver {
 public:
  static absl::StatusOr<std::unique_ptr<EmulatedNpu>> Open(
      const EmulatorConfig& config, Userfault host);

  ~EmulatedNpu() override {
    // The thread that restarts devices must not meet parts that are gone.
    if (service_ != nullptr) service_->Stop();
    if (fleet_ != nullptr) fleet_->End();
  }

 private:
  EmulatedNpu(const EmulatorConfig& config, ByteSize budget)
      : ledger_(ByteSize(config.device_memory_bytes()), budget),
        host_heap_(ledger_) {}

  DriverParts DoParts() override {
    DriverParts parts;
    parts.devices = devices_.get();
    parts.device_memory = heap_.get();
    parts.host_memory = &host_heap_;
    parts.copies = copier_.get();
    parts.kernels = kernels_.get();
    parts.peers = peers_.get();
    parts.residency = pages_.get();
    parts.faults = service_.get();
    return parts;
  }

  Ledger ledger_;
  HostHeap host_heap_;
  std::unique_ptr<AddressSpace> space_;
  std::unique_ptr<DeviceHeap> heap_;
  std::unique_ptr<PageMap> pages_;
  std::unique_ptr<Fleet> fleet_;
  std::unique_ptr<Copier> copier_;
  std::unique_ptr<PeerMap> peers_;
  std::unique_ptr<KernelStore> kernels_;
  std::unique_ptr<EmulatedDevices> devices_;
  std::unique_ptr<FaultService> service_;
};

absl::StatusOr<std::unique_ptr<EmulatedNpu>> EmulatedNpu::Open(
    const EmulatorConfig& config, Userfault host) {
  const int32_t count = config.device_count();
  const Watch watch = host.valid() ? Watch::kWatched : Watch::kUnwatched;
  const ByteSize budget = config.host_memory_bytes() != 0
                              ? ByteSize(config.host_memory_bytes())
                              : DefaultBudget();
  std::unique_ptr<EmulatedNpu> npu(new EmulatedNpu(config, budget));
  NPU_ASSIGN_OR_RETURN(npu->space_, AddressSpace::Open(config));
  NPU_ASSIGN_OR_RETURN(npu->heap_,
                       DeviceHeap::Make(*npu->space_, count, npu->ledger_));
  NPU_ASSIGN_OR_RETURN(npu->pages_, PageMap::Make(*npu->space_, npu->ledger_));
  NPU_ASSIGN_OR_RETURN(npu->fleet_, Fleet::Start(*npu->space_, count, watch));
  npu->copier_ = std::make_unique<Copier>(*npu->space_, *npu->heap_);
  npu->peers_ = std::make_unique<PeerMap>(config, *npu->space_, *npu->heap_,
                                          *npu->fleet_);
  npu->kernels_ = std::make_unique<KernelStore>(*npu->fleet_, count);
  npu->devices_ = std::make_unique<EmulatedDevices>(
      DescribeProduct(config), *npu->fleet_, *npu->heap_, *npu->peers_);
  npu->service_ = std::make_unique<FaultService>(
      FaultServiceParts{npu->space_.get(), npu->pages_.get(), npu->heap_.get(),
                        npu->fleet_.get(), npu->peers_.get(), count},
      std::move(host));
  npu->fleet_->SetHooks(
      [peers = npu->peers_.get()](DeviceId device,
                                  const DeviceProcess& process) {
        peers->Rebuild(device, process);
      },
      [service = npu->service_.get()] { service->Kick(); });
  return npu;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Driver>> OpenEmulatedNpu(
    const EmulatorConfig& config) {
  NPU_ASSIGN_OR_RETURN(Userfault host, OpenRung(config.rung()));
  const bool may_fall = config.rung() == BEST && host.valid();
  absl::StatusOr<std::unique_ptr<EmulatedNpu>> npu =
      EmulatedNpu::Open(config, std::move(host));
  // The client may have a userfaultfd where its devices may not.
  if (!npu.ok() && may_fall) npu = EmulatedNpu::Open(config, Userfault());
  if (!npu.ok()) return npu.status();
  return std::unique_ptr<Driver>(*std::move(npu));
}

}  // namespace npu::hal::emu
