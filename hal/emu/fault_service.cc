// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/fault_service.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "hal/base/driver_code.h"
#include "hal/base/quiet_thread.h"
#include "hal/base/status_macros.h"

namespace npu::hal::emu {
namespace {

constexpr int kDebtMilliseconds = 5;
constexpr ByteSize kPage = KiB(4);
// Beside busy threads a fault would wait for its turn: best effort.
constexpr int kNice = -15;

thread_local bool is_service_thread = false;

AddressRange PageOf(Address address) {
  return AddressRange::Of(address.AlignDown(kPage), kPage);
}

FaultAccess AccessOf(UserfaultMessage::Access access) {
  return access == UserfaultMessage::Access::kWrite ? FaultAccess::kWrite
                                                    : FaultAccess::kRead;
}

}  // namespace

bool FaultService::IsServiceThread() { return is_service_thread; }

FaultService::FaultService(const FaultServiceParts& parts, Userfault host)
    : parts_(parts),
      host_(std::move(host)),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  polls_.fill({-1, POLLIN, 0});
  BellPoll().fd = bell_.get();
  HostPoll().fd = host_.valid() ? host_.fd() : -1;
  if (host_.valid()) parts_.pages->port(NodeId::Host()).OpenHost(&host_);
}

FaultService::~FaultService() { DoStop(); }

FaultRung FaultService::DoRung() const {
  return host_.valid() ? FaultRung::kFull : FaultRung::kUntracked;
}

absl::Status FaultService::DoStart(FaultSinks sinks) {
  if (thread_.joinable() || stopping_.load()) {
    return absl::FailedPreconditionError("the service runs, or has ended");
  }
  if (!bell_.valid()) {
    return DriverError(DriverCode::kNoResources, "no eventfd");
  }
  if (host_.valid() && host_.Register(parts_.space->layout().managed) !=
                           UserfaultOutcome::kDone) {
    return DriverError(DriverCode::kNotSupported,
                       "the managed window cannot be watched");
  }
  sinks_ = sinks;
  NPU_ASSIGN_OR_RETURN(thread_,
                       StartQuietThread("npu-faults", [this] { Serve(); }));
  return absl::OkStatus();
}

void FaultService::DoKick() noexcept {
  const uint64_t one = 1;
  if (write(bell_.get(), &one, sizeof(one)) < 0) return;  // rings already
}

void FaultService::DoAdmit(AddressRange range) noexcept {
  parts_.pages->Admit(range);
}

void FaultService::DoStop() {
  stopping_.store(true);
  if (!thread_.joinable()) return;
  DoKick();
  thread_.join();
  // Nobody serves the devices' faults any more: a kernel would wait for ever.
  parts_.fleet->End();
  // Whoever waits in a fault, or comes later, gets SIGSEGV.
  const AddressRange window = parts_.space->layout().managed;
  mprotect(window.begin().pointer(), window.size().bytes(), PROT_NONE);
  if (host_.valid()) host_.Wake(window);
}

void FaultService::Serve() noexcept {
  is_service_thread = true;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
  while (!stopping_.load(std::memory_order_acquire)) {
    AdoptNewProcesses();
    const int ready =
        poll(polls_.data(), 2 + 2 * static_cast<nfds_t>(parts_.device_count),
             PollTimeout());
    if (ready > 0 && (BellPoll().revents & POLLIN) != 0) {
      uint64_t rings = 0;
      if (read(bell_.get(), &rings, sizeof(rings)) > 0) has_work_ = true;
    }
    if (ready > 0 && HostPoll().revents != 0) HearHost();
    for (int32_t d = 0; ready > 0 && d < parts_.device_count; ++d) {
      HearDevice(DeviceId(d));
    }
    if (has_work_) has_work_ = sinks_.managed->OnWork() == WorkState::kMore;
    debt_ = parts_.pages->Settle();
  }
}

int FaultService::PollTimeout() const noexcept {
  if (has_work_) return 0;
  return debt_ == PageMap::Debt::kOwed ? kDebtMilliseconds : -1;
}

void FaultService::AdoptNewProcesses() noexcept {
  for (int32_t d = 0; d < parts_.device_count; ++d) {
    DeviceProcess* const process = parts_.fleet->TakeNew(DeviceId(d));
    if (process == nullptr) continue;
    parts_.pages->Attach(DeviceId(d), process);
    FaultPoll(DeviceId(d)).fd =
        process->userfault().valid() ? process->userfault().fd() : -1;
    LifePoll(DeviceId(d)).fd = process->process_fd();
  }
}

// One message at a time: what is read early may be stale when its turn comes.
void FaultService::HearHost() noexcept {
  const std::optional<UserfaultMessage> message = host_.Read();
  if (message) OnManagedFault(NodeId::Host(), *message);
}

void FaultService::HearDevice(DeviceId device) noexcept {
  if (LifePoll(device).fd >= 0 && LifePoll(device).revents != 0) {
    LoseDevice(device);
    return;
  }
  if (FaultPoll(device).fd < 0 || FaultPoll(device).revents == 0) return;
  const DeviceProcess* const process =
      parts_.pages->port(NodeId::Device(device)).process();
  const std::optional<UserfaultMessage> message = process->userfault().Read();
  if (!message) return;
  if (parts_.space->layout().managed.Contains(message->address)) {
    OnManagedFault(NodeId::Device(device), *message);
  } else {
    OnSliceFault(device, message->address);
  }
}

void FaultService::OnManagedFault(NodeId node,
                                  const UserfaultMessage& message) noexcept {
  const GranuleIndex granule = parts_.pages->window().IndexOf(message.address);
  NodePort& port = parts_.pages->port(node);
  switch (sinks_.managed->OnFault({node, granule, AccessOf(message.access)})) {
    case FaultVerdict::kServed:
      port.Wake(PageOf(message.address));
      return;
    case FaultVerdict::kIllegal:
      port.Forbid(message.address);
      return;
    case FaultVerdict::kNoMemory:
      port.Poison(message.address);
      return;
  }
}

void FaultService::OnSliceFault(DeviceId device, Address address) noexcept {
  NodePort& port = parts_.pages->port(NodeId::Device(device));
  const std::optional<DeviceId> owner = parts_.space->SliceOf(address);
  if (!owner || !parts_.heap->IsLive(address)) {
    port.Forbid(address);
    return;
  }
  const bool allowed = *owner == device ||
                       (sinks_.peer != nullptr &&
                        sinks_.peer->OnPeerFault({device, *owner, address}) ==
                            FaultVerdict::kServed);
  if (allowed) {
    MapPiece(device, address);
  } else {
    port.Forbid(address);
  }
}

bool FaultService::MayHave(DeviceId device, Address address) const noexcept {
  const std::optional<DeviceId> owner = parts_.space->SliceOf(address);
  return owner && parts_.heap->IsLive(address) &&
         (*owner == device || parts_.peers->IsEnabled({*owner, device}));
}

void FaultService::MapPiece(DeviceId device, Address address) noexcept {
  NodePort& port = parts_.pages->port(NodeId::Device(device));
  const AddressRange piece = parts_.heap->LivePiece(address);
  const UserfaultOutcome outcome = port.MapZeroed(piece);
  if (!MayHave(device, address)) {
    port.Unmap(piece);  // not any more
    port.Forbid(address);
  } else if (outcome == UserfaultOutcome::kDone ||
             outcome == UserfaultOutcome::kGone) {
    port.Wake(piece);
  } else {
    port.Poison(address);
  }
}

void FaultService::LoseDevice(DeviceId device) noexcept {
  FaultPoll(device).fd = -1;
  LifePoll(device).fd = -1;
  parts_.pages->Attach(device, nullptr);
  sinks_.managed->OnNodeLost(device);
  parts_.fleet->ReportLost(device);
}

}  // namespace npu::hal::emu
