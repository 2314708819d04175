// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PageMap: PageResidency over page tables. One memory file holds the bytes of
// all nodes; who is resident is who has page-table entries, and the ledger says
// whose memory is charged.

#ifndef HAL_EMU_PAGE_MAP_H_
#define HAL_EMU_PAGE_MAP_H_

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/api/page_residency.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"
#include "hal/base/paged_array.h"
#include "hal/emu/address_space.h"
#include "hal/emu/ledger.h"
#include "hal/emu/node_port.h"

namespace npu::hal::emu {

// What it is: the mappings and charges of every granule. Owns a small entry per
// granule and the ports of all nodes; borrows the address space and the ledger.
// Threads: the service thread. Fault path. Cost: O(holders) port calls. An
// unmap that a device does not answer in time is owed: it is asked again from
// Settle and before the granule's memory is given away.
class PageMap final : public PageResidency {
 public:
  // Error: kOutOfMemory.
  static absl::StatusOr<std::unique_ptr<PageMap>> Make(
      const AddressSpace& space, Ledger& ledger);

  NodePort& port(NodeId node) {
    return ports_[static_cast<size_t>(node.index())];
  }

  // A granule's address range.
  AddressRange RangeOf(GranuleIndex granule) const {
    return window().AddressesOf(GranuleRange::One(granule));
  }

  // The device has a new process, or none: nothing is mapped or owed there.
  void Attach(DeviceId device, DeviceProcess* process);

  // The addresses become legal: pages of them are good from here on.
  void Admit(AddressRange range) noexcept;

  enum class Debt : uint8_t { kNone, kOwed };
  // Asks again for unmaps that are owed and makes spoilt pages good. Owed:
  // there is something left to come back for. O(what is owed), at most one late
  // answer.
  Debt Settle() noexcept;

 private:
  // All zero: unpopulated.
  struct Entry {
    NodeSet mapped;
    NodeSet charged;
    NodeSet owed;  // unmaps that were not answered
    bool populated = false;
    bool read_only = false;
  };

  PageMap(const AddressSpace& space, Ledger& ledger, PagedArray<Entry> entries)
      : PageResidency(space.granules()),
        space_(space),
        ledger_(ledger),
        entries_(std::move(entries)) {}

  PageOutcome DoPopulate(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoTransfer(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoDuplicate(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoCollapse(GranuleIndex granule, NodeId node) noexcept override;
  PageOutcome DoMapRemote(GranuleIndex granule, NodeId node) noexcept override;
  void DoDiscard(GranuleIndex granule) noexcept override;

  off_t OffsetOf(GranuleIndex granule) const noexcept;
  void PunchOut(GranuleIndex granule) noexcept;
  Entry& At(GranuleIndex granule) { return entries_[granule.value()]; }
  PageOutcome MakeBytes(GranuleIndex granule, NodeId node) noexcept;
  PageOutcome ChargeTo(Entry& entry, NodeId node) noexcept;
  void UnchargeAllBut(Entry& entry, NodeSet keep) noexcept;
  void UnmapAllBut(GranuleIndex granule, Entry& entry, NodeSet keep) noexcept;
  PageOutcome MakeOnlyHolder(GranuleIndex granule, NodeId node) noexcept;

  const AddressSpace& space_;
  Ledger& ledger_;
  PagedArray<Entry> entries_;
  std::array<NodePort, kMaxNodes> ports_;
  uint32_t owed_count_ = 0;   // granules with an unmap owed
  uint32_t owed_cursor_ = 0;  // where Settle goes on
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_PAGE_MAP_H_
