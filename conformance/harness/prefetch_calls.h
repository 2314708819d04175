// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The prefetches, as calls.
#ifndef CONFORMANCE_HARNESS_PREFETCH_CALLS_H_
#define CONFORMANCE_HARNESS_PREFETCH_CALLS_H_

#include "conformance/harness/argument.h"
#include "conformance/harness/call.h"

namespace npu::conformance {

// Moves one granule of four to device 0, on a stream of its own. Without a
// runtime: to the host, on stream NULL.
class PrefetchAsyncCall final : public Call {
 public:
  const char* function() const override {
    return "aclrtMemManagedPrefetchAsync";
  }
  void MakeValid(World& world) override;
  void UseRange(Piece piece);
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override { return {}; }
  std::string CheckResults(World& world) override;
  aclError Settle(const Api& api) override;

  const void* ptr = nullptr;
  size_t size = 0;
  aclrtMemManagedLocation location = HostLocation();
  uint32_t flags = 0;
  aclrtStream stream = nullptr;
};

// Four ranges of one granule of two; ranges 0 and 1 to device 0, range 2 to
// the host, range 3 to device 0.
class PrefetchBatchAsyncCall final : public Call {
 public:
  const char* function() const override {
    return "aclrtMemManagedPrefetchBatchAsync";
  }
  void MakeValid(World& world) override;
  void UseRange(size_t i, Piece piece);
  // The batch becomes this one range, to device 0.
  void UseOnly(Piece piece);
  aclError Invoke(const Api& api) override;
  std::vector<Output> Outputs() override { return {}; }
  std::string CheckResults(World& world) override;
  aclError Settle(const Api& api) override;

  ArrayArgument<const void*> ptrs;
  ArrayArgument<size_t> sizes;
  size_t count = 0;
  ArrayArgument<aclrtMemManagedLocation> prefetchLocs;
  ArrayArgument<size_t> prefetchLocIdxs;
  size_t numPrefetchLocs = 0;
  uint64_t flags = 0;
  aclrtStream stream = nullptr;
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_PREFETCH_CALLS_H_
