// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The two C functions that prefetch managed memory.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "acl/acl_rt_managed.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/error_code.h"
#include "acl_api/managed_arguments.h"
#include "acl_api/session.h"
#include "acl_api/stream_argument.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

using hal::PrefetchRequest;

// Upstream answers a missing default stream with its internal error here.
absl::Status CheckHasStream(const Session& session,
                            const StreamArgument& stream) {
  if (!stream.is_null() || session.CurrentContext().ok()) {
    return absl::OkStatus();
  }
  return Failure(ACL_ERROR_RT_INTERNAL_ERROR,
                 "stream = NULL: there is no current context that has a "
                 "default stream");
}

absl::Status Enqueue(Runtime& runtime, Stream& stream,
                     const std::vector<PrefetchRequest>& requests) {
  hal::ManagedPrefetch* const prefetch = runtime.PrefetchPart(requests.size());
  NPU_ASSIGN_OR_RETURN(hal::PrefetchTicket ticket, prefetch->Admit(requests));
  return stream.Enqueue(
      [prefetch, ticket = std::move(ticket)] { return prefetch->Run(ticket); });
}

absl::Status PrefetchOne(const ManagedSpan& span,
                         aclrtMemManagedLocation location, aclrtStream handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const StreamArgument argument,
                       StreamArgument::Find(handle));
  NPU_RETURN_IF_ERROR(CheckHasStream(session, argument));
  NPU_RETURN_IF_ERROR(CheckLocationDevice(session, "location.id", location));
  NPU_RETURN_IF_ERROR(
      CheckLocationType("location", location, PlaceRule::kNeeded));
  NPU_ASSIGN_OR_RETURN(const auto stream, argument.Bind(session));
  NPU_RETURN_IF_ERROR(session.Require(hal::Feature::kManagedMemory,
                                      "aclrtMemManagedPrefetchAsync"));
  Runtime& runtime = *session.runtime_or_null();
  NPU_ASSIGN_OR_RETURN(
      const hal::Location place,
      ToLocation(runtime, "location", location, PlaceRule::kNeeded));
  NPU_ASSIGN_OR_RETURN(const AddressRange range,
                       CheckManagedSpan(runtime.managed().allocation, span,
                                        SizeRule::kGranules));
  return Enqueue(runtime, *stream, {{range, place}});
}

// The caller's four arrays as they are at the call.
struct Batch {
  std::vector<const void*> pointers;
  std::vector<size_t> sizes;
  std::vector<aclrtMemManagedLocation> locations;
  std::vector<size_t> indices;  // as many as locations

  // The name of element i of an array, for texts.
  static std::string Name(absl::string_view array, size_t i) {
    return absl::StrCat(array, "[", i, "]");
  }
};

absl::Status CheckIndex(const Batch& batch, size_t k) {
  const size_t index = batch.indices[k];
  const std::string name = Batch::Name("prefetchLocIdxs", k);
  if (index >= batch.pointers.size()) {
    return SizeFailure(
        ACL_ERROR_RT_PARAM_INVALID, name, index,
        absl::StrCat("must be below count = ", batch.pointers.size()));
  }
  if (k > 0 && index <= batch.indices[k - 1]) {
    return SizeFailure(
        ACL_ERROR_RT_PARAM_INVALID, name, index,
        absl::StrCat("must be above its predecessor ", batch.indices[k - 1]));
  }
  return absl::OkStatus();
}

absl::Status CheckArrays(const Batch& batch) {
  if (batch.indices[0] != 0) {
    return SizeFailure(ACL_ERROR_RT_PARAM_INVALID, "prefetchLocIdxs[0]",
                       batch.indices[0], "must be 0");
  }
  for (size_t i = 0; i < batch.pointers.size(); ++i) {
    NPU_RETURN_IF_ERROR(NotNull(Batch::Name("ptrs", i), batch.pointers[i],
                                ACL_ERROR_RT_PARAM_INVALID));
  }
  for (size_t k = 0; k < batch.indices.size(); ++k) {
    NPU_RETURN_IF_ERROR(CheckIndex(batch, k));
  }
  return absl::OkStatus();
}

absl::Status CheckLocationDevices(const Session& session, const Batch& batch) {
  for (size_t k = 0; k < batch.locations.size(); ++k) {
    NPU_RETURN_IF_ERROR(CheckLocationDevice(
        session, Batch::Name("prefetchLocs", k) + ".id", batch.locations[k]));
  }
  return absl::OkStatus();
}

absl::Status CheckLocationTypes(const Batch& batch) {
  for (size_t k = 0; k < batch.locations.size(); ++k) {
    NPU_RETURN_IF_ERROR(CheckLocationType(Batch::Name("prefetchLocs", k),
                                          batch.locations[k],
                                          PlaceRule::kNeeded));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<hal::Location>> ToLocations(Runtime& runtime,
                                                       const Batch& batch) {
  std::vector<hal::Location> places;
  for (size_t k = 0; k < batch.locations.size(); ++k) {
    NPU_ASSIGN_OR_RETURN(const hal::Location place,
                         ToLocation(runtime, Batch::Name("prefetchLocs", k),
                                    batch.locations[k], PlaceRule::kNeeded));
    places.push_back(place);
  }
  return places;
}

// Element i goes to the last location whose index is not above i.
absl::StatusOr<std::vector<PrefetchRequest>> ToRequests(Runtime& runtime,
                                                        const Batch& batch) {
  NPU_ASSIGN_OR_RETURN(const std::vector<hal::Location> places,
                       ToLocations(runtime, batch));
  std::vector<PrefetchRequest> requests;
  size_t k = 0;
  for (size_t i = 0; i < batch.pointers.size(); ++i) {
    if (k + 1 < batch.indices.size() && batch.indices[k + 1] == i) ++k;
    const std::string pointer_name = Batch::Name("ptrs", i);
    const std::string size_name = Batch::Name("sizes", i);
    NPU_ASSIGN_OR_RETURN(const AddressRange range,
                         CheckManagedSpan(runtime.managed().allocation,
                                          {pointer_name, batch.pointers[i],
                                           size_name, batch.sizes[i]},
                                          SizeRule::kGranules));
    requests.push_back({range, places[k]});
  }
  return requests;
}

absl::Status PrefetchBatch(const Batch& batch, aclrtStream handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const StreamArgument argument,
                       StreamArgument::Find(handle));
  NPU_RETURN_IF_ERROR(CheckArrays(batch));
  NPU_RETURN_IF_ERROR(CheckLocationDevices(session, batch));
  NPU_RETURN_IF_ERROR(CheckHasStream(session, argument));
  NPU_RETURN_IF_ERROR(CheckLocationTypes(batch));
  NPU_ASSIGN_OR_RETURN(const auto stream, argument.Bind(session));
  NPU_RETURN_IF_ERROR(session.Require(hal::Feature::kManagedMemory,
                                      "aclrtMemManagedPrefetchBatchAsync"));
  Runtime& runtime = *session.runtime_or_null();
  NPU_ASSIGN_OR_RETURN(const std::vector<PrefetchRequest> requests,
                       ToRequests(runtime, batch));
  return Enqueue(runtime, *stream, requests);
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size,
                                      aclrtMemManagedLocation location,
                                      uint32_t flags, aclrtStream stream) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptr", ptr));
    NPU_RETURN_IF_ERROR(NotZero("size", size));
    NPU_RETURN_IF_ERROR(Reserved("flags", flags));
    return PrefetchOne({"ptr", ptr, "size", size}, location, stream);
  });
}

aclError aclrtMemManagedPrefetchBatchAsync(
    const void** ptrs, size_t* sizes, size_t count,
    aclrtMemManagedLocation* prefetchLocs, size_t* prefetchLocIdxs,
    size_t numPrefetchLocs, uint64_t flags, aclrtStream stream) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptrs", ptrs));
    NPU_RETURN_IF_ERROR(NotNull("sizes", sizes));
    NPU_RETURN_IF_ERROR(NotNull("prefetchLocs", prefetchLocs));
    NPU_RETURN_IF_ERROR(NotNull("prefetchLocIdxs", prefetchLocIdxs));
    NPU_RETURN_IF_ERROR(NotZero("count", count));
    NPU_RETURN_IF_ERROR(NotZero("numPrefetchLocs", numPrefetchLocs));
    NPU_RETURN_IF_ERROR(Reserved("flags", flags));
    NPU_RETURN_IF_ERROR(NotAbove("numPrefetchLocs", numPrefetchLocs,
                                 {"count", count}, ACL_ERROR_INVALID_PARAM));
    Batch batch;  // by assign: braces would make a list of two pointers
    batch.pointers.assign(ptrs, ptrs + count);
    batch.sizes.assign(sizes, sizes + count);
    batch.locations.assign(prefetchLocs, prefetchLocs + numPrefetchLocs);
    batch.indices.assign(prefetchLocIdxs, prefetchLocIdxs + numPrefetchLocs);
    return PrefetchBatch(batch, stream);
  });
}
