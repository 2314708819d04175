// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/residency.h"

#include "absl/strings/str_cat.h"

namespace npu::mm {
namespace {

constexpr int kStates = static_cast<int>(ResidencyState::kCount);
constexpr int kEvents = static_cast<int>(ResidencyEvent::kCount);

}  // namespace

const char* NameOf(ResidencyState state) {
  switch (state) {
    case ResidencyState::kUnpopulated:
      return "Unpopulated";
    case ResidencyState::kExclusive:
      return "Exclusive";
    case ResidencyState::kExclusiveRemote:
      return "ExclusiveRemote";
    case ResidencyState::kShared:
      return "Shared";
    case ResidencyState::kOwnedUnmapped:
      return "OwnedUnmapped";
    case ResidencyState::kCount:
      break;
  }
  return "?";
}

const char* NameOf(ResidencyEvent event) {
  switch (event) {
    case ResidencyEvent::kPopulate:
      return "Populate";
    case ResidencyEvent::kTransfer:
      return "Transfer";
    case ResidencyEvent::kMapRemote:
      return "MapRemote";
    case ResidencyEvent::kDuplicate:
      return "Duplicate";
    case ResidencyEvent::kCollapse:
      return "Collapse";
    case ResidencyEvent::kRepair:
      return "Repair";
    case ResidencyEvent::kLoseHolder:
      return "LoseHolder";
    case ResidencyEvent::kLoseLast:
      return "LoseLast";
    case ResidencyEvent::kLoseOwner:
      return "LoseOwner";
    case ResidencyEvent::kDiscard:
      return "Discard";
    case ResidencyEvent::kCount:
      break;
  }
  return "?";
}

std::string ResidencyTableAsMarkdown() {
  std::string out = "| state |";
  std::string rule = "| --- |";
  for (int e = 0; e < kEvents; ++e) {
    absl::StrAppend(&out, " ", NameOf(static_cast<ResidencyEvent>(e)), " |");
    absl::StrAppend(&rule, " --- |");
  }
  absl::StrAppend(&out, "\n", rule, "\n");
  for (int s = 0; s < kStates; ++s) {
    const auto state = static_cast<ResidencyState>(s);
    absl::StrAppend(&out, "| **", NameOf(state), "** |");
    for (int e = 0; e < kEvents; ++e) {
      const auto next =
          kResidencyTable.Next(state, static_cast<ResidencyEvent>(e));
      absl::StrAppend(&out, " ", next ? NameOf(*next) : "-", " |");
    }
    absl::StrAppend(&out, "\n");
  }
  return out;
}

}  // namespace npu::mm
