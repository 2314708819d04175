// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PageResidency: the hands of the pager. mm decides what goes where; this does
// it in the page tables, one granule at a time.
//
//   call            holders before       holders after     charged after
//   Populate(g, n)  none                 n read-write      n
//   Transfer(g, n)  any                  n read-write      n
//   Duplicate(g, n) any                  all + n read-only holders + n
//   Collapse(g, n)  any read-only        n read-write      n
//   MapRemote(g, n) owner (+ remotes)    + n read-write    unchanged
//   Discard(g)      any                  none              nobody

#ifndef HAL_API_PAGE_RESIDENCY_H_
#define HAL_API_PAGE_RESIDENCY_H_

#include <cstdint>

#include "hal/base/check.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"

namespace npu::hal {

enum class PageOutcome : uint8_t {
  kDone,
  kNoSpace,   // the node's capacity is used up: evict there and try again
  kNoMemory,  // the physical budget over all nodes is used up
  kFailed,    // the driver refused
};

// What it is: who has page-table entries for the granules of the managed
// window, and whose memory is charged for them. The back end counts capacity;
// the table of who owns what is mm's alone. Threads: only the service thread of
// FaultSource, between Start and Stop. Cost: O(holders) kernel calls each, plus
// O(granule) for the first population. All are fault path (fault_sink.h).
//
// Every call is idempotent: asked again, it repairs a mapping that the node
// lost (a new process of a device, a piece that was never mapped). An outcome
// other than kDone leaves mappings and charges as they were. A device whose
// process is gone is not an error: its mapping is made at its next fault.
//
// Transfer is atomic for all touchers: a store of any node lands before or
// after it, never nowhere.
class PageResidency {
 public:
  explicit PageResidency(GranuleWindow window) : window_(window) {}
  virtual ~PageResidency() = default;

  const GranuleWindow& window() const { return window_; }

  // Gives an untouched granule zeroed memory of `node`, mapped read-write
  // there. Outcomes: kNoMemory, kNoSpace, kFailed.
  PageOutcome Populate(GranuleIndex granule, NodeId node) noexcept {
    NPU_DCHECK(granule.value() < window_.granule_count());
    return DoPopulate(granule, node);
  }

  // Moves a populated granule: `node` becomes its owner and only holder.
  // Outcomes: kNoSpace, kFailed.
  PageOutcome Transfer(GranuleIndex granule, NodeId node) noexcept {
    NPU_DCHECK(granule.value() < window_.granule_count());
    return DoTransfer(granule, node);
  }

  // Gives `node` a read-only copy; every holder is read-only afterwards.
  // Outcomes: kNoSpace, kFailed.
  PageOutcome Duplicate(GranuleIndex granule, NodeId node) noexcept {
    NPU_DCHECK(granule.value() < window_.granule_count());
    return DoDuplicate(granule, node);
  }

  // Drops every copy but that of `node`, which may be written afterwards; makes
  // it first when `node` has none. Outcomes: kNoSpace, kFailed.
  PageOutcome Collapse(GranuleIndex granule, NodeId node) noexcept {
    NPU_DCHECK(granule.value() < window_.granule_count());
    return DoCollapse(granule, node);
  }

  // Lets `node` reach the owner's memory: a mapping that is not charged and
  // ends with the next Transfer, Collapse or Discard. Outcomes: kFailed.
  PageOutcome MapRemote(GranuleIndex granule, NodeId node) noexcept {
    NPU_DCHECK(granule.value() < window_.granule_count());
    return DoMapRemote(granule, node);
  }

  // Drops mappings, bytes and charge. The next Populate sees zeroes. Touchers
  // that wait for the granule fault again. Never fails: what cannot be unmapped
  // at once is owed by the back end before the granule is populated again.
  void Discard(GranuleIndex granule) noexcept {
    NPU_DCHECK(granule.value() < window_.granule_count());
    DoDiscard(granule);
  }

 private:
  virtual PageOutcome DoPopulate(GranuleIndex granule,
                                 NodeId node) noexcept = 0;
  virtual PageOutcome DoTransfer(GranuleIndex granule,
                                 NodeId node) noexcept = 0;
  virtual PageOutcome DoDuplicate(GranuleIndex granule,
                                  NodeId node) noexcept = 0;
  virtual PageOutcome DoCollapse(GranuleIndex granule,
                                 NodeId node) noexcept = 0;
  virtual PageOutcome DoMapRemote(GranuleIndex granule,
                                  NodeId node) noexcept = 0;
  virtual void DoDiscard(GranuleIndex granule) noexcept = 0;

  const GranuleWindow window_;
};

}  // namespace npu::hal

#endif  // HAL_API_PAGE_RESIDENCY_H_
