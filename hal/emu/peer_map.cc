// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/peer_map.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

namespace npu::hal::emu {
namespace {

uint64_t Bit(DeviceId device) { return uint64_t{1} << device.value(); }

// All pages of a range that is live device memory.
AddressRange WholePages(AddressRange range) {
  const Address begin = range.begin().AlignDown(KiB(4));
  const ByteSize size = RoundUp(range.end() - begin, KiB(4)).value_or(KiB(4));
  return AddressRange::Of(begin, size);
}

}  // namespace

PeerMap::PeerMap(const EmulatorConfig& config, const AddressSpace& space,
                 const DeviceHeap& heap, Fleet& fleet)
    : space_(space),
      heap_(heap),
      fleet_(fleet),
      max_enabled_(config.max_enabled_peers()) {
  const auto link = [&](int32_t a, int32_t b) {
    if (a == b) return;
    WordOf(links_, DeviceId(a)) |= Bit(DeviceId(b));
    WordOf(links_, DeviceId(b)) |= Bit(DeviceId(a));
  };
  for (const auto& given : config.peer_link()) link(given.a(), given.b());
  if (config.peer_link_size() > 0) return;
  for (int32_t a = 0; a < config.device_count(); ++a) {
    for (int32_t b = 0; b < a; ++b) link(a, b);
  }
}

PeerReach PeerMap::DoReach(PeerPair pair) const {
  const uint64_t ways = links_[static_cast<size_t>(pair.owner.value())];
  return (ways & Bit(pair.accessor)) != 0 ? PeerReach::kReachable
                                          : PeerReach::kUnreachable;
}

absl::Status PeerMap::DoEnable(PeerPair pair) {
  MutexLock lock(mutex_);
  uint64_t& peers = WordOf(enabled_, pair.owner);
  const bool is_new = (peers & Bit(pair.accessor)) == 0;
  if (is_new && __builtin_popcountll(peers) >= max_enabled_) {
    return DriverError(
        DriverCode::kOverLimit,
        absl::StrCat("device ", pair.owner.value(), " has ", max_enabled_,
                     " peers enabled already (max_enabled_peers)"));
  }
  peers |= Bit(pair.accessor);
  return absl::OkStatus();
}

void PeerMap::DropLocked(PeerPair pair) {
  mapped_.erase(std::remove_if(mapped_.begin(), mapped_.end(),
                               [&](const Mapped& mapped) {
                                 return mapped.pair.owner == pair.owner &&
                                        mapped.pair.accessor == pair.accessor;
                               }),
                mapped_.end());
}

absl::Status PeerMap::DoDisable(PeerPair pair) {
  {
    MutexLock lock(mutex_);
    WordOf(enabled_, pair.owner) &= ~Bit(pair.accessor);
    DropLocked(pair);
  }
  NPU_ASSIGN_OR_RETURN(const Incarnation accessor, fleet_.Ready(pair.accessor));
  if (!accessor.process->userfault().valid()) return absl::OkStatus();
  // A process that dies meanwhile has lost the mappings, too.
  accessor.process->Unmap(space_.slice(pair.owner)).IgnoreError();
  return absl::OkStatus();
}

absl::Status PeerMap::DoMap(PeerPair pair, AddressRange range) {
  const std::optional<DeviceBlock> block = heap_.Locate(range.begin());
  if (!block || block->device != pair.owner || !block->range.Contains(range)) {
    return DriverError(DriverCode::kInvalidValue,
                       "the range is not inside one block of the owner");
  }
  NPU_ASSIGN_OR_RETURN(const Incarnation accessor, fleet_.Ready(pair.accessor));
  const AddressRange pages = WholePages(range);
  const Userfault& userfault = accessor.process->userfault();
  if (userfault.valid()) {
    const UserfaultOutcome outcome = userfault.Zero(pages);
    if (outcome == UserfaultOutcome::kNoMemory) {
      return DriverError(DriverCode::kOutOfMemory,
                         "no memory for the pages of a peer mapping");
    }
    userfault.Wake(pages);
  }
  MutexLock lock(mutex_);
  mapped_.push_back({pair, pages});
  return absl::OkStatus();
}

void PeerMap::Rebuild(DeviceId device, const DeviceProcess& process) {
  if (!process.userfault().valid()) return;
  std::vector<Mapped> mapped;
  {
    MutexLock lock(mutex_);
    mapped = mapped_;
  }
  for (const Mapped& one : mapped) {
    if (one.pair.accessor != device) continue;
    // A block that was freed since has no mapping to give.
    const std::optional<DeviceBlock> block = heap_.Locate(one.range.begin());
    if (block && block->range.Contains(one.range)) {
      process.userfault().Zero(one.range);
    }
  }
}

void PeerMap::Forget(DeviceId device) {
  MutexLock lock(mutex_);
  WordOf(enabled_, device) = 0;
  for (uint64_t& peers : enabled_) peers &= ~Bit(device);
  mapped_.erase(std::remove_if(mapped_.begin(), mapped_.end(),
                               [&](const Mapped& mapped) {
                                 return mapped.pair.owner == device ||
                                        mapped.pair.accessor == device;
                               }),
                mapped_.end());
}

}  // namespace npu::hal::emu
