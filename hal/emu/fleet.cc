// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/fleet.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/quiet_thread.h"
#include "hal/base/status_macros.h"

namespace npu::hal::emu {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);

absl::Status Down(DeviceId device) {
  return DriverError(DriverCode::kBusDown,
                     absl::StrCat("device ", device.value(), " is down"));
}

void Ring(int bell) noexcept {
  const uint64_t one = 1;
  // A full counter rings, too.
  if (write(bell, &one, sizeof(one)) < 0) return;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Fleet>> Fleet::Start(const AddressSpace& space,
                                                    int32_t device_count,
                                                    Watch watch) {
  std::unique_ptr<Fleet> fleet(new Fleet(space, device_count, watch));
  fleet->bell_ = FileDescriptor(eventfd(0, EFD_CLOEXEC));
  if (!fleet->bell_.valid()) {
    return DriverError(DriverCode::kNoResources, "no eventfd");
  }
  for (Member& member : fleet->members_) {
    NPU_ASSIGN_OR_RETURN(member.now.process,
                         DeviceProcess::Start(space, device_count, watch));
    member.now.number = 1;
    member.incoming.store(member.now.process.get(), std::memory_order_release);
  }
  NPU_ASSIGN_OR_RETURN(
      fleet->keeper_,
      StartQuietThread("npu-keeper", [raw = fleet.get()] { raw->Keep(); }));
  return fleet;
}

Fleet::~Fleet() { End(); }

void Fleet::End() {
  StopKeeping();
  MutexLock lock(mutex_);
  for (Member& member : members_) {
    if (member.now.process == nullptr) continue;
    member.now.process->Kill();
    member.now.process->SetGone();
  }
}

void Fleet::StopKeeping() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (!keeper_.joinable()) return;
  Ring(bell_.get());
  keeper_.join();
}

void Fleet::SetHooks(OnNew on_new, Notify notify) {
  MutexLock lock(mutex_);
  on_new_ = std::move(on_new);
  notify_ = std::move(notify);
}

void Fleet::ReportLost(DeviceId device) noexcept {
  At(device).lost.store(true, std::memory_order_release);
  Ring(bell_.get());
}

void Fleet::Keep() {
  while (true) {
    uint64_t rings = 0;
    if (read(bell_.get(), &rings, sizeof(rings)) < 0) continue;
    {
      MutexLock lock(mutex_);
      if (stopping_) return;
    }
    for (int32_t d = 0; d < device_count_; ++d) {
      if (At(DeviceId(d)).lost.exchange(false, std::memory_order_acq_rel)) {
        Replace(DeviceId(d));
      }
    }
  }
}

void Fleet::Replace(DeviceId device) {
  Member& member = At(device);
  std::shared_ptr<DeviceProcess> old;
  OnNew on_new;
  Notify notify;
  {
    MutexLock lock(mutex_);
    old = member.now.process;
    on_new = on_new_;
    notify = notify_;
  }
  if (old != nullptr) old->SetGone();
  auto next = DeviceProcess::Start(space_, device_count_, watch_);
  if (next.ok() && on_new) on_new(device, **next);
  {
    MutexLock lock(mutex_);
    member.broken = !next.ok();
    member.now.process = next.ok() ? *next : nullptr;
    ++member.now.number;
    changed_.notify_all();
  }
  if (!next.ok()) return;
  member.incoming.store(next->get(), std::memory_order_release);
  if (notify) notify();
}

absl::StatusOr<Incarnation> Fleet::Ready(DeviceId device) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  MutexLock lock(mutex_);
  const Member& member = At(device);
  while (!stopping_ && !member.broken) {
    const DeviceProcess& process = *member.now.process;
    if (!process.gone() && !process.HasEnded()) return member.now;
    if (std::chrono::steady_clock::now() > deadline) break;
    lock.WaitFor(changed_, std::chrono::milliseconds(100));
  }
  return Down(device);
}

absl::Status Fleet::Restart(DeviceId device) {
  NPU_ASSIGN_OR_RETURN(const Incarnation before, Ready(device));
  before.process->Kill();
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  MutexLock lock(mutex_);
  const Member& member = At(device);
  while (!stopping_ && member.now.number == before.number &&
         std::chrono::steady_clock::now() < deadline) {
    lock.WaitFor(changed_, std::chrono::milliseconds(100));
  }
  return member.now.number != before.number && !member.broken ? absl::OkStatus()
                                                              : Down(device);
}

}  // namespace npu::hal::emu
