// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/stream_budget.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "hal/base/check.h"

namespace npu::acl {
namespace {

struct Row {
  absl::string_view product;
  int most;
};

constexpr Row kRows[] = {
    {"ATLAS_200I_500_A2", 512},
    {"ATLAS_INFERENCE", 1024},
    {"ATLAS_TRAINING", 2048},
};
constexpr int kMostElsewhere = 1984;

}  // namespace

StreamBudget::Place::~Place() {
  if (used_ != nullptr) used_->fetch_sub(1, std::memory_order_relaxed);
}

StreamBudget::StreamBudget(int most) : most_(most) {
  for (auto& used : used_) used = std::make_shared<std::atomic<int>>(0);
}

int StreamBudget::LimitOf(absl::string_view product) {
  for (const Row& row : kRows) {
    if (row.product == product) return row.most;
  }
  return kMostElsewhere;
}

absl::StatusOr<StreamBudget::Place> StreamBudget::Take(DeviceId device) {
  const auto& used = used_[static_cast<size_t>(device.value())];
  if (used->fetch_add(1, std::memory_order_relaxed) < most_) return Place(used);
  used->fetch_sub(1, std::memory_order_relaxed);
  return Failure(ACL_ERROR_RT_NO_STREAM_RESOURCE,
                 absl::StrCat("device ", device.value(), " has its ", most_,
                              " streams already"));
}

void StreamBudget::CheckInvariants() const {
  for (const auto& used : used_) {
    NPU_CHECK(used->load() >= 0 && used->load() <= most_);
  }
}

}  // namespace npu::acl
