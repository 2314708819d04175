// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/prefetch_calls.h"

#include "absl/strings/str_cat.h"

namespace npu::conformance {
namespace {

// The last place asked for, as the query answers it; "" if it is `want`.
std::string CheckLastPrefetch(const Api& api, const void* ptr, size_t size,
                              aclrtMemManagedLocation want) {
  int32_t type = -1;
  const aclError code = api.aclrtMemManagedGetAttr(
      ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, ptr, size, &type,
      sizeof(type));
  if (code != ACL_SUCCESS) return absl::StrCat("the query answers ", code);
  // The caller's NUMA node is resolved by the call.
  const bool current = want.type == ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT;
  const int32_t expected = current ? ACL_MEM_LOCATIONTYPE_HOST_NUMA : want.type;
  if (type == expected) return "";
  return absl::StrCat("last prefetch type is ", type, ", not ", expected);
}

}  // namespace

void PrefetchAsyncCall::MakeValid(World& world) {
  UseRange(world.Managed(4));
  size = kGranule;
  if (!world.is_up()) return;
  location = DeviceLocation(0);
  stream = world.Stream();
}

void PrefetchAsyncCall::UseRange(Piece piece) {
  ptr = piece.address;
  size = piece.bytes;
}

aclError PrefetchAsyncCall::Invoke(const Api& api) {
  return api.aclrtMemManagedPrefetchAsync(ptr, size, location, flags, stream);
}

std::string PrefetchAsyncCall::CheckResults(World& world) {
  return CheckLastPrefetch(world.api(), ptr, size, location);
}

aclError PrefetchAsyncCall::Settle(const Api& api) {
  return api.aclrtSynchronizeStream(stream);
}

void PrefetchBatchAsyncCall::MakeValid(World& world) {
  std::vector<const void*> addresses;
  for (int i = 0; i < 4; ++i) addresses.push_back(world.Managed(2).address);
  ptrs.Assign(std::move(addresses));
  sizes.Assign({kGranule, kGranule, kGranule, kGranule});
  count = 4;
  const aclrtMemManagedLocation place =
      world.is_up() ? DeviceLocation(0) : HostLocation();
  prefetchLocs.Assign({place, HostLocation(), place});
  prefetchLocIdxs.Assign({0, 2, 3});
  numPrefetchLocs = 3;
  if (world.is_up()) stream = world.Stream();
}

void PrefetchBatchAsyncCall::UseRange(size_t i, Piece piece) {
  ptrs[i] = piece.address;
  sizes[i] = piece.bytes;
}

void PrefetchBatchAsyncCall::UseOnly(Piece piece) {
  UseRange(0, piece);
  count = 1;
  numPrefetchLocs = 1;
}

aclError PrefetchBatchAsyncCall::Invoke(const Api& api) {
  return api.aclrtMemManagedPrefetchBatchAsync(
      ptrs.get(), sizes.get(), count, prefetchLocs.get(), prefetchLocIdxs.get(),
      numPrefetchLocs, flags, stream);
}

std::string PrefetchBatchAsyncCall::CheckResults(World& world) {
  // Two ranges may be the same memory; then the last one decides, so only the
  // last one is asked for.
  const size_t last = count - 1;
  return CheckLastPrefetch(world.api(), ptrs[last], sizes[last],
                           prefetchLocs[numPrefetchLocs - 1]);
}

aclError PrefetchBatchAsyncCall::Settle(const Api& api) {
  return api.aclrtSynchronizeStream(stream);
}

}  // namespace npu::conformance
