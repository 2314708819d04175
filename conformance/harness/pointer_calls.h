// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Mapping of device memory and the pointer query, as calls.
#ifndef CONFORMANCE_HARNESS_POINTER_CALLS_H_
#define CONFORMANCE_HARNESS_POINTER_CALLS_H_

#include "conformance/harness/argument.h"
#include "conformance/harness/call.h"

namespace npu::conformance {

// Maps half of an allocation of device 0 into device 1.
class P2PMapCall final : public Call {
 public:
  const char* function() const override { return "aclrtMemP2PMap"; }
  void MakeValid(World& world) override;
  void UseRange(Piece piece);
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override { return {}; }
  std::string CheckResults(World&) override { return ""; }
  aclError Settle(const Api&) override { return ACL_SUCCESS; }

  void* devPtr = nullptr;
  size_t size = 0;
  int32_t dstDevId = 1;
  uint64_t flags = 0;
};

// Asks what a device allocation is (host memory where no runtime is up).
class PointerGetAttributesCall final : public Call {
 public:
  const char* function() const override { return "aclrtPointerGetAttributes"; }
  void MakeValid(World& world) override;
  // Asks for `address`, which must turn out to be of type `want`.
  void Ask(const void* address, aclrtMemLocationType want);
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override;
  std::string CheckResults(World& world) override;
  aclError Settle(const Api&) override { return ACL_SUCCESS; }

  aclrtPtrAttributes slot = {};
  const void* ptr = nullptr;
  aclrtPtrAttributes* attributes = &slot;

 private:
  aclrtMemLocationType want_ = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_POINTER_CALLS_H_
