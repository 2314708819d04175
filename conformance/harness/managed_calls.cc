// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/managed_calls.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace npu::conformance {
namespace {

// Of an attribute whose range was never advised or prefetched. The id
// attributes (5 and 8) say nothing then.
std::string CheckUnset(int attribute, int32_t value, int32_t sentinel) {
  if (value == sentinel) {
    return absl::StrCat("attribute ", attribute, " was not written");
  }
  switch (attribute) {
    case ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      if (value == 0) return "";
      break;
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
    case ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      if (value == -2) return "";
      break;
    default:
      return "";
  }
  return absl::StrCat("attribute ", attribute, " of a fresh range is ", value);
}

// What the harness fills outputs with.
constexpr int32_t kSentinel = static_cast<int32_t>(0xA5A5A5A5);

}  // namespace

void AllocManagedCall::MakeValid(World&) {}

aclError AllocManagedCall::Invoke(const Api& api) {
  return api.aclrtMemAllocManaged(ptr, size, flag);
}

std::vector<Output> AllocManagedCall::Outputs() {
  return {{&slot, sizeof(slot)}};
}

std::string AllocManagedCall::CheckResults(World& world) {
  const uint64_t address = reinterpret_cast<uint64_t>(slot);
  const Window window = world.window();
  if (address < window.base || address - window.base >= window.bytes) {
    return absl::StrCat("address ", absl::Hex(address), " outside the window");
  }
  if (address % kGranule != 0) {
    return absl::StrCat("address ", absl::Hex(address), " is not aligned");
  }
  // The last byte of the rounded size is there, readable and writable.
  const uint64_t rounded = (size + kGranule - 1) / kGranule * kGranule;
  volatile char* last = static_cast<char*>(slot) + rounded - 1;
  *last = 7;
  const bool kept = *last == 7;
  const aclError freed = world.api().aclrtFree(slot);
  if (freed != ACL_SUCCESS) return absl::StrCat("aclrtFree answers ", freed);
  return kept ? "" : "a store to the last byte is lost";
}

void ManagedAdviseCall::MakeValid(World& world) {
  UseRange(world.Managed(4));
  size = kGranule;
  if (world.is_up()) location = DeviceLocation(0);
}

void ManagedAdviseCall::UseRange(Piece piece) {
  ptr = piece.address;
  size = piece.bytes;
}

aclError ManagedAdviseCall::Invoke(const Api& api) {
  return api.aclrtMemManagedAdvise(ptr, size, advise, location);
}

void ManagedGetAttrCall::MakeValid(World& world) {
  UseRange(world.Managed(4));
  size = kGranule;
}

void ManagedGetAttrCall::UseRange(Piece piece) {
  ptr = piece.address;
  size = piece.bytes;
}

aclError ManagedGetAttrCall::Invoke(const Api& api) {
  return api.aclrtMemManagedGetAttr(attribute, ptr, size, data, dataSize);
}

std::vector<Output> ManagedGetAttrCall::Outputs() {
  return {{slot, sizeof(slot)}};
}

std::string ManagedGetAttrCall::CheckResults(World&) {
  const size_t values = std::min(dataSize / sizeof(int32_t), std::size(slot));
  for (size_t i = 0; i < values; ++i) {
    const std::string wrong = CheckUnset(attribute, slot[i], kSentinel);
    if (!wrong.empty()) return wrong;
  }
  for (size_t i = values; i < std::size(slot); ++i) {
    if (slot[i] != kSentinel) return "bytes behind dataSize were written";
  }
  return "";
}

void ManagedGetAttrsCall::MakeValid(World& world) {
  UseRange(world.Managed(4));
  size = kGranule;
  std::vector<aclrtMemManagedRangeAttribute> all;
  std::vector<void*> buffers;
  for (int i = 0; i < kAttributes; ++i) {
    all.push_back(aclrtMemManagedRangeAttribute(i + 1));
    buffers.push_back(slots[i]);
  }
  attributes.Assign(std::move(all));
  data.Assign(std::move(buffers));
  dataSizes.Assign(std::vector<size_t>(kAttributes, sizeof(int32_t)));
}

void ManagedGetAttrsCall::UseRange(Piece piece) {
  ptr = piece.address;
  size = piece.bytes;
}

aclError ManagedGetAttrsCall::Invoke(const Api& api) {
  return api.aclrtMemManagedGetAttrs(attributes.get(), numAttributes, ptr, size,
                                     data.get(), dataSizes.get());
}

std::vector<Output> ManagedGetAttrsCall::Outputs() {
  return {{slots, sizeof(slots)}};
}

std::string ManagedGetAttrsCall::CheckResults(World&) {
  for (int i = 0; i < kAttributes; ++i) {
    const std::string wrong = CheckUnset(attributes[i], slots[i][0], kSentinel);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace npu::conformance
