// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// StreamBudget: how many streams a device can have.

#ifndef ACL_API_STREAM_BUDGET_H_
#define ACL_API_STREAM_BUDGET_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hal/base/node.h"

namespace npu::acl {

// What it is: the count of live streams per device. A Place is one of them and
// gives itself back, also after the budget is gone. Threads: any, lock-free.
// Cost: O(1).
class StreamBudget {
 public:
  // Owns one place of a device; move-only.
  class Place {
   public:
    Place(Place&&) = default;
    Place& operator=(Place&&) = delete;
    ~Place();

   private:
    friend class StreamBudget;
    explicit Place(std::shared_ptr<std::atomic<int>> used)
        : used_(std::move(used)) {}

    std::shared_ptr<std::atomic<int>> used_;  // null once moved from
  };

  explicit StreamBudget(int most);

  // The limit of a product (API page 06), default streams included.
  static int LimitOf(absl::string_view product);

  // Error: 207008, all places of the device are taken.
  absl::StatusOr<Place> Take(DeviceId device);

  // No device uses less than none or more than all places.
  void CheckInvariants() const;

 private:
  const int most_;
  std::array<std::shared_ptr<std::atomic<int>>, kMaxDevices> used_;
};

}  // namespace npu::acl

#endif  // ACL_API_STREAM_BUDGET_H_
