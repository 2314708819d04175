// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// SimplePager: a small reference FaultSink, so that this back end can be tested
// without the memory manager.

#ifndef HAL_EMU_TESTING_SIMPLE_PAGER_H_
#define HAL_EMU_TESTING_SIMPLE_PAGER_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "hal/api/fault_sink.h"
#include "hal/api/page_residency.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"

namespace npu::hal::emu {

// What it is: every granule below `live` is legal, and belongs to whoever
// touched it last; granules that were shared are duplicated on reads. For
// tests: it takes locks and allocates where the real one must not, before the
// service starts or while nobody faults. Threads: Run from the test, the rest
// on the service thread.
class SimplePager final : public FaultSink, public PeerFaultSink {
 public:
  explicit SimplePager(PageResidency& residency, uint32_t live)
      : residency_(residency), live_(live), granules_(live) {}

  // Runs something on the service thread and waits for it.
  template <typename Kick>
  void Run(std::function<void(PageResidency&)> work, Kick&& kick) {
    std::unique_lock<std::mutex> lock(mutex_);
    work_ = std::move(work);
    has_work_.store(true);
    kick();
    done_.wait(lock, [this] { return !has_work_.load(); });
  }

  // A granule that is read-mostly from here on. On the service thread.
  void Share(GranuleIndex granule) { granules_[granule.value()].shared = true; }

  std::atomic<uint64_t> faults{0};
  std::atomic<uint64_t> lost{0};
  std::atomic<uint64_t> peer_faults{0};
  std::atomic<bool> allow_peers{false};
  std::atomic<bool> out_of_memory{false};

 private:
  struct State {
    bool populated = false;
    bool shared = false;
  };

  FaultVerdict DoOnFault(const Fault& fault) noexcept override {
    if (fault.granule.value() >= live_) return FaultVerdict::kIllegal;
    if (out_of_memory.load()) return FaultVerdict::kNoMemory;
    ++faults;
    State& state = granules_[fault.granule.value()];
    PageOutcome outcome;
    if (!state.populated) {
      outcome = residency_.Populate(fault.granule, fault.node);
    } else if (state.shared && fault.access == FaultAccess::kRead) {
      outcome = residency_.Duplicate(fault.granule, fault.node);
    } else {
      state.shared = false;
      outcome = residency_.Transfer(fault.granule, fault.node);
    }
    state.populated = true;
    return outcome == PageOutcome::kDone ? FaultVerdict::kServed
                                         : FaultVerdict::kNoMemory;
  }

  void DoOnNodeLost(DeviceId) noexcept override { ++lost; }

  WorkState DoOnWork() noexcept override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!has_work_.load()) return WorkState::kIdle;
    work_(residency_);
    has_work_.store(false);
    done_.notify_all();
    return WorkState::kIdle;
  }

  FaultVerdict DoOnPeerFault(const PeerFault&) noexcept override {
    ++peer_faults;
    return allow_peers.load() ? FaultVerdict::kServed : FaultVerdict::kIllegal;
  }

  PageResidency& residency_;
  const uint32_t live_;
  std::vector<State> granules_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::function<void(PageResidency&)> work_;
  std::atomic<bool> has_work_{false};
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_TESTING_SIMPLE_PAGER_H_
