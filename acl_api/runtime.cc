// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/runtime.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "acl_api/kernel.h"
#include "acl_api/open_driver.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

// A part, or 207000 where the driver has none.
template <typename Part>
absl::StatusOr<Part*> NeedPart(Part* part, absl::string_view what) {
  if (part != nullptr) return part;
  return Failure(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                 absl::StrCat("the driver has no ", what));
}

// Handles die before what they name, and objects that the driver must give back
// (binaries) before the driver.
void KillHandles() {
  Handles& handles = Handles::Get();
  handles.arguments.RemoveAll();
  handles.functions.RemoveAll();
  handles.binaries.RemoveAll();
  handles.events.RemoveAll();
  handles.streams.RemoveAll();
  handles.contexts.RemoveAll();
}

// How long the end of the runtime waits for kernels that run.
constexpr std::chrono::milliseconds kKernelGrace(500);

// Whether all streams came to rest in time.
bool AwaitIdle(const std::vector<std::shared_ptr<Stream>>& streams,
               std::chrono::steady_clock::time_point deadline) {
  for (const auto& stream : streams) {
    while (!stream->IsIdle()) {
      if (std::chrono::steady_clock::now() >= deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return true;
}

}  // namespace

hal::PeerReach Runtime::PeerView::DoMayReach(
    hal::PeerPair pair) const noexcept {
  if (peers_ == nullptr) return hal::PeerReach::kUnreachable;
  return peers_->MayReach(pair);
}

absl::StatusOr<std::unique_ptr<Runtime>> Runtime::Open() {
  NPU_ASSIGN_OR_RETURN(std::unique_ptr<hal::Driver> driver, OpenDriver());
  std::unique_ptr<Runtime> runtime(new Runtime(std::move(driver)));
  NPU_RETURN_IF_ERROR(runtime->Start());
  return runtime;
}

Runtime::Runtime(std::unique_ptr<hal::Driver> driver)
    : owned_driver_(std::move(driver)),
      driver_(owned_driver_->Parts()),
      managed_(driver_.managed),
      devices_(DeviceHooks()),
      stream_budget_(
          StreamBudget::LimitOf(driver_.devices->Describe().product)) {}

Runtime::~Runtime() {
  for (const auto& context : devices_.RemoveAll()) {
    context->Close(StreamEnd::kAbort);
  }
  KillHandles();
  if (memory_ != nullptr) memory_->FreeAll().IgnoreError();
  if (driver_.faults != nullptr) driver_.faults->Stop();
}

absl::Status Runtime::Start() {
  if (driver_.peers != nullptr && driver_.device_memory != nullptr) {
    peers_ = std::make_unique<p2p::PeerAccess>(
        *driver_.devices, *driver_.device_memory, *driver_.peers);
  }
  peer_view_ = std::make_unique<PeerView>(peers_.get());
  if (driver_.residency == nullptr) return absl::OkStatus();
  return StartManagedMemory();
}

absl::Status Runtime::StartManagedMemory() {
  NPU_ASSIGN_OR_RETURN(memory_,
                       mm::ManagedMemory::Create(driver_, *peer_view_));
  managed_ = memory_->Parts();
  hal::FaultSinks sinks;
  sinks.managed = &memory_->fault_sink();
  sinks.peer = peers_.get();
  return driver_.faults->Start(sinks);
}

absl::StatusOr<hal::DeviceMemory*> Runtime::DeviceMemory() const {
  return NeedPart(driver_.device_memory, "device memory");
}

absl::StatusOr<hal::HostMemory*> Runtime::HostMemory() const {
  return NeedPart(driver_.host_memory, "pinned host memory");
}

absl::StatusOr<hal::CopyEngine*> Runtime::Copies() const {
  return NeedPart(driver_.copies, "copy engine");
}

absl::StatusOr<hal::KernelLauncher*> Runtime::Kernels() const {
  return NeedPart(driver_.kernels, "kernel launcher");
}

absl::StatusOr<p2p::PeerAccess*> Runtime::Peers() const {
  return NeedPart(peers_.get(), "access between devices");
}

absl::StatusOr<std::shared_ptr<Stream>> Runtime::MakeStream(DeviceId device) {
  NPU_ASSIGN_OR_RETURN(StreamBudget::Place place, stream_budget_.Take(device));
  return std::make_shared<Stream>(device, std::move(place), driver_.kernels);
}

absl::Status Runtime::PrepareCopy(AddressRange range, mm::CopyAccess access,
                                  DeviceId current) {
  // A driver with managed memory of its own copies it by itself.
  if (memory_ == nullptr) return absl::OkStatus();
  return memory_->PrepareCopy(range, access, NodeId::Device(current));
}

bool Runtime::MayCopy(DeviceId a, DeviceId b) const {
  const auto reach = [this](hal::PeerPair pair) {
    return peer_view_->MayReach(pair) == hal::PeerReach::kReachable;
  };
  return reach({a, b}) || reach({b, a});
}

absl::Status Runtime::FreeDeviceMemory(Address begin) {
  NPU_ASSIGN_OR_RETURN(hal::DeviceMemory * memory, DeviceMemory());
  const auto block = memory->Locate(begin);
  NPU_RETURN_IF_ERROR(memory->Free(begin));
  if (peers_ != nullptr && block.has_value()) peers_->OnFreed(block->range);
  return absl::OkStatus();
}

absl::Status Runtime::DisablePeer(hal::PeerPair pair) {
  NPU_ASSIGN_OR_RETURN(p2p::PeerAccess * peers, Peers());
  NPU_RETURN_IF_ERROR(peers->Disable(pair));
  if (memory_ == nullptr) return absl::OkStatus();
  return memory_->OnPeerDisabled(pair.owner, pair.accessor);
}

absl::Status Runtime::EvacuateDevice(DeviceId device) {
  if (memory_ == nullptr) return absl::OkStatus();
  return memory_->EvacuateDevice(device);
}

absl::Status Runtime::ResetDevice(DeviceId device, hal::ResetMode mode) {
  if (peers_ != nullptr) peers_->OnDeviceReset(device);
  return driver_.devices->Reset(device, mode);
}

Devices::Hooks Runtime::DeviceHooks() {
  return {[this](DeviceId device) { return driver_.devices->Open(device); },
          [this](DeviceId device) { return MakeStream(device); },
          [this](DeviceId device) { return EvacuateDevice(device); },
          [this](DeviceId device, hal::ResetMode mode) {
            return ResetDevice(device, mode);
          }};
}

void Runtime::Abort() {
  const auto deadline = std::chrono::steady_clock::now() + kKernelGrace;
  for (int32_t i = 0; i < description().device_count; ++i) {
    for (const auto& stream : devices_.StreamsOf(DeviceId(i))) stream->Abort();
  }
  for (int32_t i = 0; i < description().device_count; ++i) {
    if (AwaitIdle(devices_.StreamsOf(DeviceId(i)), deadline)) continue;
    // Only a kernel can be ended from here; a host function must end by itself.
    driver_.devices->Reset(DeviceId(i), hal::ResetMode::kKill).IgnoreError();
  }
}

}  // namespace npu::acl
