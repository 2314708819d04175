// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Ledger: what memory is charged to whom.

#ifndef HAL_EMU_LEDGER_H_
#define HAL_EMU_LEDGER_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "hal/api/memory_capacity.h"
#include "hal/base/byte_size.h"
#include "hal/base/check.h"
#include "hal/base/node.h"

namespace npu::hal::emu {

enum class Charge : uint8_t { kDone, kRefused };

// What it is: a count of bytes against a limit. Threads: any, lock-free, fault
// path. Cost: O(1).
class Account {
 public:
  void SetLimit(ByteSize limit) { limit_ = limit.bytes(); }

  Charge Add(ByteSize size) noexcept {
    uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (size.bytes() > limit_ - used) return Charge::kRefused;
    } while (!used_.compare_exchange_weak(used, used + size.bytes(),
                                          std::memory_order_relaxed));
    return Charge::kDone;
  }
  void Remove(ByteSize size) noexcept {
    const uint64_t used =
        used_.fetch_sub(size.bytes(), std::memory_order_relaxed);
    NPU_CHECK(used >= size.bytes());
  }

  MemoryCapacity Read() const noexcept {
    return {ByteSize(limit_),
            ByteSize(limit_ - used_.load(std::memory_order_relaxed))};
  }

 private:
  uint64_t limit_ = 0;
  std::atomic<uint64_t> used_{0};
};

// What it is: the account of each device, and the physical budget over all
// nodes: bytes that really exist on this machine. The host has no limit of its
// own. Threads: any, fault path. Cost: O(1).
class Ledger {
 public:
  Ledger(ByteSize device_limit, ByteSize physical_limit) {
    for (Account& device : devices_) device.SetLimit(device_limit);
    physical_.SetLimit(physical_limit);
  }
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // What a node holds, wherever the bytes are.
  Charge Add(NodeId node, ByteSize size) noexcept {
    return node.is_host() ? Charge::kDone : Of(node).Add(size);
  }
  void Remove(NodeId node, ByteSize size) noexcept {
    if (node.is_device()) Of(node).Remove(size);
  }
  Account& physical() { return physical_; }
  const Account& physical() const { return physical_; }

  MemoryCapacity Read(DeviceId device) const noexcept {
    return devices_[static_cast<size_t>(device.value())].Read();
  }

 private:
  Account& Of(NodeId node) {
    return devices_[static_cast<size_t>(node.number())];
  }

  std::array<Account, kMaxDevices> devices_;
  Account physical_;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_LEDGER_H_
