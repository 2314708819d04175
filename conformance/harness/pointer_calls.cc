// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/pointer_calls.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace npu::conformance {

void P2PMapCall::MakeValid(World& world) {
  if (world.is_up() && world.device_count() < 2) {
    [] { GTEST_SKIP() << "there is one device only"; }();
  }
  UseRange(world.Device(0, 4 * kGranule));
  size = 2 * kGranule;
}

void P2PMapCall::UseRange(Piece piece) {
  devPtr = piece.address;
  size = piece.bytes;
}

aclError P2PMapCall::Invoke(const Api& api) {
  return api.aclrtMemP2PMap(devPtr, size, dstDevId, flags);
}

void PointerGetAttributesCall::MakeValid(World& world) {
  Ask(world.Device(0, kGranule).address,
      world.is_up() ? ACL_MEM_LOCATION_TYPE_DEVICE
                    : ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

void PointerGetAttributesCall::Ask(const void* address,
                                   aclrtMemLocationType want) {
  ptr = address;
  want_ = want;
}

aclError PointerGetAttributesCall::Invoke(const Api& api) {
  return api.aclrtPointerGetAttributes(ptr, attributes);
}

std::vector<Output> PointerGetAttributesCall::Outputs() {
  return {{&slot, sizeof(slot)}};
}

std::string PointerGetAttributesCall::CheckResults(World&) {
  if (slot.location.type != want_) {
    return absl::StrCat("location type is ", slot.location.type, ", not ",
                        want_);
  }
  for (uint32_t reserved : slot.rsv) {
    if (reserved != 0) return "a reserved field is not 0";
  }
  if (want_ == ACL_MEM_LOCATION_TYPE_DEVICE && slot.location.id != 0) {
    return absl::StrCat("location id is ", slot.location.id, ", not 0");
  }
  if (want_ == ACL_MEM_LOCATION_TYPE_MANAGED && slot.pageSize != kGranule) {
    return absl::StrCat("page size is ", slot.pageSize, ", not 2097152");
  }
  return "";
}

}  // namespace npu::conformance
