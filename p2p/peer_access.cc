// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "p2p/peer_access.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "hal/base/check.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

namespace npu::p2p {
namespace {

uint64_t Bit(DeviceId device) { return uint64_t{1} << device.value(); }

size_t Index(DeviceId device) { return static_cast<size_t>(device.value()); }

bool SamePair(hal::PeerPair a, hal::PeerPair b) {
  return a.owner == b.owner && a.accessor == b.accessor;
}

}  // namespace

PeerAccess::PeerAccess(const hal::DeviceRegistry& devices,
                       const hal::DeviceMemory& memory, hal::PeerLink& link)
    : devices_(devices), memory_(memory), link_(link) {}

absl::Status PeerAccess::Check(hal::PeerPair pair) const {
  NPU_RETURN_IF_ERROR(devices_.Check(pair.owner));
  NPU_RETURN_IF_ERROR(devices_.Check(pair.accessor));
  if (pair.owner != pair.accessor) return absl::OkStatus();
  return DriverError(
      DriverCode::kInvalidValue,
      absl::StrCat("device ", pair.owner.value(), " is no peer of itself"));
}

absl::StatusOr<hal::PeerReach> PeerAccess::CanReach(hal::PeerPair pair) const {
  NPU_RETURN_IF_ERROR(Check(pair));
  return link_.Reach(pair);
}

hal::PeerReach PeerAccess::MayReach(hal::PeerPair pair) const noexcept {
  const uint64_t accessors =
      on_[Index(pair.owner)].load(std::memory_order_acquire);
  return (accessors & Bit(pair.accessor)) != 0 ? hal::PeerReach::kReachable
                                               : hal::PeerReach::kUnreachable;
}

absl::StatusOr<PeerState> PeerAccess::Status(hal::PeerPair pair) const {
  NPU_RETURN_IF_ERROR(Check(pair));
  return MayReach(pair) == hal::PeerReach::kReachable ? PeerState::kOn
                                                      : PeerState::kOff;
}

absl::Status PeerAccess::Enable(hal::PeerPair pair) {
  NPU_RETURN_IF_ERROR(Check(pair));
  MutexLock lock(mutex_);
  if (MayReach(pair) == hal::PeerReach::kReachable) return absl::OkStatus();
  NPU_RETURN_IF_ERROR(link_.Enable(pair));
  on_[Index(pair.owner)].fetch_or(Bit(pair.accessor),
                                  std::memory_order_release);
  return absl::OkStatus();
}

absl::Status PeerAccess::Disable(hal::PeerPair pair) {
  NPU_RETURN_IF_ERROR(Check(pair));
  MutexLock lock(mutex_);
  if (MayReach(pair) != hal::PeerReach::kReachable) {
    return DriverError(
        DriverCode::kInvalidValue,
        absl::StrCat("peer access of device ", pair.accessor.value(),
                     " to device ", pair.owner.value(), " is not enabled"));
  }
  // Off first: a fault that comes meanwhile must not map anew.
  on_[Index(pair.owner)].fetch_and(~Bit(pair.accessor),
                                   std::memory_order_release);
  DropMappingsLocked(pair);
  return link_.Disable(pair);
}

void PeerAccess::DropMappingsLocked(hal::PeerPair pair) {
  mappings_.erase(std::remove_if(mappings_.begin(), mappings_.end(),
                                 [&](const PeerMapping& mapping) {
                                   return SamePair(mapping.pair, pair);
                                 }),
                  mappings_.end());
}

absl::Status PeerAccess::Map(AddressRange range, DeviceId accessor) {
  NPU_RETURN_IF_ERROR(devices_.Check(accessor));
  MutexLock lock(mutex_);
  const std::optional<hal::DeviceBlock> block = memory_.Locate(range.begin());
  if (!block || !block->range.Contains(range)) {
    return DriverError(DriverCode::kInvalidValue,
                       "the range is not inside one allocation of a device");
  }
  const hal::PeerPair pair = {block->device, accessor};
  NPU_RETURN_IF_ERROR(Check(pair));
  if (MayReach(pair) != hal::PeerReach::kReachable) {
    return DriverError(
        DriverCode::kNotPermitted,
        absl::StrCat("peer access of device ", accessor.value(), " to device ",
                     pair.owner.value(), " is not enabled"));
  }
  NPU_RETURN_IF_ERROR(link_.Map(pair, range));
  const bool known = std::any_of(
      mappings_.begin(), mappings_.end(), [&](const PeerMapping& mapping) {
        return SamePair(mapping.pair, pair) && mapping.range == range;
      });
  if (!known) mappings_.push_back({pair, range});
  return absl::OkStatus();
}

void PeerAccess::OnFreed(AddressRange block) {
  MutexLock lock(mutex_);
  mappings_.erase(std::remove_if(mappings_.begin(), mappings_.end(),
                                 [&](const PeerMapping& mapping) {
                                   return mapping.range.Overlaps(block);
                                 }),
                  mappings_.end());
}

void PeerAccess::OnDeviceReset(DeviceId device) {
  MutexLock lock(mutex_);
  for (int32_t other = 0; other < kMaxDevices; ++other) {
    for (const hal::PeerPair pair : {hal::PeerPair{device, DeviceId(other)},
                                     hal::PeerPair{DeviceId(other), device}}) {
      if (MayReach(pair) != hal::PeerReach::kReachable) continue;
      on_[Index(pair.owner)].fetch_and(~Bit(pair.accessor),
                                       std::memory_order_release);
      DropMappingsLocked(pair);
      // The link of a device that is being reset cannot refuse to go.
      link_.Disable(pair).IgnoreError();
    }
  }
}

hal::FaultVerdict PeerAccess::DoOnPeerFault(
    const hal::PeerFault& fault) noexcept {
  if (MayReach({fault.owner, fault.accessor}) != hal::PeerReach::kReachable) {
    return hal::FaultVerdict::kIllegal;
  }
  faults_[Index(fault.accessor)].fetch_add(1, std::memory_order_relaxed);
  return hal::FaultVerdict::kServed;
}

uint64_t PeerAccess::faults(DeviceId accessor) const {
  return faults_[Index(accessor)].load(std::memory_order_relaxed);
}

void PeerAccess::ResetCounters() {
  for (auto& count : faults_) count.store(0, std::memory_order_relaxed);
}

std::vector<PeerMapping> PeerAccess::Mappings() const {
  MutexLock lock(mutex_);
  return mappings_;
}

void PeerAccess::CheckInvariants() const {
  MutexLock lock(mutex_);
  for (const PeerMapping& mapping : mappings_) {
    NPU_CHECK(MayReach(mapping.pair) == hal::PeerReach::kReachable);
    NPU_CHECK(mapping.pair.owner != mapping.pair.accessor);
  }
}

}  // namespace npu::p2p
