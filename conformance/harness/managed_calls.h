// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Allocation, advice and queries of managed memory, as calls.
#ifndef CONFORMANCE_HARNESS_MANAGED_CALLS_H_
#define CONFORMANCE_HARNESS_MANAGED_CALLS_H_

#include "conformance/harness/argument.h"
#include "conformance/harness/call.h"

namespace npu::conformance {

// One granule.
class AllocManagedCall final : public Call {
 public:
  const char* function() const override { return "aclrtMemAllocManaged"; }
  void MakeValid(World& world) override;
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override;
  std::string CheckResults(World& world) override;
  aclError Settle(const Api&) override { return ACL_SUCCESS; }

  void* slot = nullptr;
  void** ptr = &slot;
  uint64_t size = kGranule;
  uint32_t flag = 1;
};

// Says of the first granule of four that device 0 will access it (the host
// where no runtime is up): the one advice that needs a place and moves nothing.
class ManagedAdviseCall final : public Call {
 public:
  const char* function() const override { return "aclrtMemManagedAdvise"; }
  void MakeValid(World& world) override;
  void UseRange(Piece piece);
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override { return {}; }
  std::string CheckResults(World&) override { return ""; }
  aclError Settle(const Api&) override { return ACL_SUCCESS; }

  const void* ptr = nullptr;
  uint64_t size = 0;
  aclrtMemManagedAdviseType advise = ACL_MEM_ADVISE_SET_ACCESSED_BY;
  aclrtMemManagedLocation location = HostLocation();
};

// Asks one granule of four for the preferred location.
class ManagedGetAttrCall final : public Call {
 public:
  const char* function() const override { return "aclrtMemManagedGetAttr"; }
  void MakeValid(World& world) override;
  void UseRange(Piece piece);
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override;
  std::string CheckResults(World& world) override;
  aclError Settle(const Api&) override { return ACL_SUCCESS; }

  int32_t slot[16] = {};
  aclrtMemManagedRangeAttribute attribute =
      ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION;
  const void* ptr = nullptr;
  size_t size = 0;
  void* data = slot;
  size_t dataSize = sizeof(int32_t);
};

// Asks one granule of four for all eight attributes.
class ManagedGetAttrsCall final : public Call {
 public:
  static constexpr int kAttributes = 8;

  const char* function() const override { return "aclrtMemManagedGetAttrs"; }
  void MakeValid(World& world) override;
  void UseRange(Piece piece);
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override;
  std::string CheckResults(World& world) override;
  aclError Settle(const Api&) override { return ACL_SUCCESS; }

  int32_t slots[kAttributes][16] = {};
  ArrayArgument<aclrtMemManagedRangeAttribute> attributes;
  size_t numAttributes = kAttributes;
  const void* ptr = nullptr;
  size_t size = 0;
  ArrayArgument<void*> data;
  ArrayArgument<size_t> dataSizes;
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_MANAGED_CALLS_H_
