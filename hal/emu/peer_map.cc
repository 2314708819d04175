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

bool SamePair(PeerPair a, PeerPair b) {
  return a.owner == b.owner && a.accessor == b.accessor;
}

template <typename Elements, typename Unwanted>
void EraseIf(Elements& elements, Unwanted&& unwanted) {
  elements.erase(std::remove_if(elements.begin(), elements.end(), unwanted),
                 elements.end());
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
    links_[static_cast<size_t>(a)] |= Bit(DeviceId(b));
    links_[static_cast<size_t>(b)] |= Bit(DeviceId(a));
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

bool PeerMap::IsEnabled(PeerPair pair) const noexcept {
  const auto& peers = enabled_[static_cast<size_t>(pair.owner.value())];
  return (peers.load() & Bit(pair.accessor)) != 0;
}

absl::Status PeerMap::DoEnable(PeerPair pair) {
  MutexLock lock(mutex_);
  const int count = __builtin_popcountll(PeersOf(pair.owner).load());
  if (!IsEnabled(pair) && count >= max_enabled_) {
    return DriverError(
        DriverCode::kOverLimit,
        absl::StrCat("device ", pair.owner.value(), " has ", max_enabled_,
                     " peers enabled already (max_enabled_peers)"));
  }
  PeersOf(pair.owner).fetch_or(Bit(pair.accessor));
  return absl::OkStatus();
}

absl::Status PeerMap::DoDisable(PeerPair pair) {
  {
    MutexLock lock(mutex_);
    // Off first: a fault that is being served sees it, or is unmapped below.
    PeersOf(pair.owner).fetch_and(~Bit(pair.accessor));
    EraseIf(mapped_,
            [&](const Mapped& one) { return SamePair(one.pair, pair); });
  }
  NPU_ASSIGN_OR_RETURN(const Incarnation accessor, fleet_.Ready(pair.accessor));
  if (!accessor.process->userfault().valid()) return absl::OkStatus();
  // A process that dies meanwhile has lost the mappings, too.
  accessor.process->Unmap(space_.slice(pair.owner)).IgnoreError();
  return absl::OkStatus();
}

absl::Status PeerMap::DoMap(PeerPair pair, AddressRange range) {
  const uint64_t number = heap_.NumberOf(range.begin());
  const std::optional<DeviceBlock> block = heap_.Locate(range.begin());
  const absl::Status outside = DriverError(
      DriverCode::kInvalidValue, "the range is not inside one live block");
  if (!block || block->device != pair.owner || !block->range.Contains(range)) {
    return outside;
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
    if (heap_.NumberOf(range.begin()) != number) {  // freed meanwhile
      accessor.process->Unmap(pages).IgnoreError();
      return outside;
    }
  }
  Remember({pair, pages, number});
  return absl::OkStatus();
}

void PeerMap::Remember(const Mapped& mapped) {
  bool many = false;
  {
    MutexLock lock(mutex_);
    mapped_.push_back(mapped);
    many = mapped_.size() >= look_at_;
  }
  if (many) ForgetDead();
}

void PeerMap::ForgetDead() {
  std::vector<Mapped> mapped;
  {
    MutexLock lock(mutex_);
    mapped = mapped_;
  }
  EraseIf(mapped, [&](const Mapped& one) {
    return heap_.NumberOf(one.range.begin()) == one.block;
  });
  std::vector<uint64_t> dead;
  for (const Mapped& one : mapped) dead.push_back(one.block);
  std::sort(dead.begin(), dead.end());
  MutexLock lock(mutex_);
  EraseIf(mapped_, [&](const Mapped& one) {
    return std::binary_search(dead.begin(), dead.end(), one.block);
  });
  look_at_ = std::max(size_t{64}, 2 * mapped_.size());
}

void PeerMap::Rebuild(DeviceId device, const DeviceProcess& process) {
  if (!process.userfault().valid()) return;
  std::vector<Mapped> mapped;
  {
    MutexLock lock(mutex_);
    mapped = mapped_;
  }
  for (const Mapped& one : mapped) {
    if (one.pair.accessor == device &&
        heap_.NumberOf(one.range.begin()) == one.block) {
      process.userfault().Zero(one.range);
    }
  }
}

void PeerMap::Forget(DeviceId device) {
  MutexLock lock(mutex_);
  PeersOf(device).store(0);
  for (auto& peers : enabled_) peers.fetch_and(~Bit(device));
  EraseIf(mapped_, [&](const Mapped& one) {
    return one.pair.owner == device || one.pair.accessor == device;
  });
}

}  // namespace npu::hal::emu
