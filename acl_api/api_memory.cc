// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The C functions on device memory, pinned memory, copies and fills.

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "acl/acl_rt_memory.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/error_code.h"
#include "acl_api/memory_place.h"
#include "acl_api/session.h"
#include "acl_api/stream_argument.h"
#include "hal/base/byte_size.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

// ------------------------------------------------------- allocate and free --

// What the real runtime asks its driver for: whole 32 bytes and 32 more.
constexpr ByteSize kUnit(32);

absl::StatusOr<ByteSize> PaddedSize(uint64_t size) {
  const auto rounded = RoundUp(ByteSize(size), kUnit);
  const auto padded = rounded ? CheckedAdd(*rounded, kUnit) : std::nullopt;
  if (padded.has_value()) return *padded;
  return SizeFailure(ACL_ERROR_INVALID_PARAM, "size", size,
                     "is too large to be rounded up");
}

absl::Status Malloc(void** out, uint64_t size) {
  NPU_ASSIGN_OR_RETURN(const ByteSize padded, PaddedSize(size));
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  NPU_ASSIGN_OR_RETURN(hal::DeviceMemory * memory,
                       session.runtime_or_null()->DeviceMemory());
  const auto range = memory->Allocate(context->device(), padded);
  if (!range.ok()) return AboutSize("size", size, range.status());
  *out = range->begin().pointer();
  return absl::OkStatus();
}

absl::Status MallocHost(void** out, uint64_t size) {
  const Session session;
  NPU_RETURN_IF_ERROR(session.CurrentContext().status());
  NPU_ASSIGN_OR_RETURN(hal::HostMemory * memory,
                       session.runtime_or_null()->HostMemory());
  const auto range = memory->Allocate(ByteSize(size));
  if (!range.ok()) return AboutSize("size", size, range.status());
  *out = range->begin().pointer();
  return absl::OkStatus();
}

absl::Status NothingThere(absl::string_view name, const void* pointer) {
  return PointerFailure(ACL_ERROR_RT_PARAM_INVALID, name, pointer,
                        "is not the start of a live allocation");
}

// Managed or device memory, whichever begins there.
absl::Status Free(void* pointer) {
  const Session session;
  Runtime* const runtime = session.runtime_or_null();
  if (runtime == nullptr) return NothingThere("devPtr", pointer);
  const Address begin = Address::Of(pointer);
  hal::ManagedAllocation* const managed = runtime->managed().allocation;
  if (managed != nullptr && managed->Window().Contains(begin)) {
    return AboutPointer("devPtr", pointer, managed->Free(begin));
  }
  return AboutPointer("devPtr", pointer, runtime->FreeDeviceMemory(begin));
}

absl::Status FreeHost(void* pointer) {
  const Session session;
  Runtime* const runtime = session.runtime_or_null();
  if (runtime == nullptr) return NothingThere("hostPtr", pointer);
  NPU_ASSIGN_OR_RETURN(hal::HostMemory * memory, runtime->HostMemory());
  return AboutPointer("hostPtr", pointer, memory->Free(Address::Of(pointer)));
}

// ------------------------------------------------------- copies and fills --

absl::Status CheckCopyArguments(const CopyRequest& request, uint64_t room,
                                int kind) {
  NPU_RETURN_IF_ERROR(NotNull("dst", request.destination));
  NPU_RETURN_IF_ERROR(NotNull("src", request.source));
  NPU_RETURN_IF_ERROR(
      InInterval("kind", kind, {0, 5}, ACL_ERROR_INVALID_PARAM));
  return NotAbove("count", request.size, {"destMax", room});
}

absl::Status Copy(CopyRequest request) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  if (request.destination == request.source) return absl::OkStatus();
  request.device = context->device();
  return CopyNow(*session.runtime_or_null(), request);
}

// A stream may outlive a pageable buffer, so the caller waits for such a copy.
absl::Status EnqueueCopy(CopyRequest request, aclrtMemcpyKind kind,
                         aclrtStream handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, handle));
  Runtime& runtime = *session.runtime_or_null();
  request.device = stream->device();
  NPU_ASSIGN_OR_RETURN(const CopyPlaces places, CheckCopy(runtime, request));
  NPU_RETURN_IF_ERROR(CheckCopyKind(places, kind));
  const auto task = [&runtime, request] { return CopyNow(runtime, request); };
  const bool pageable = places.source.kind == PlaceKind::kPageable ||
                        places.destination.kind == PlaceKind::kPageable;
  if (!pageable) return stream->Enqueue(task);
  NPU_RETURN_IF_ERROR(CheckMayWaitFor({stream}, "a copy of pageable memory"));
  return stream->EnqueueAndAwait(task);
}

absl::Status CheckKindOfStream(aclrtMemcpyKind kind) {
  if (kind != ACL_MEMCPY_HOST_TO_HOST) return absl::OkStatus();
  return ValueFailure(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "kind", kind,
                      "HOST_TO_HOST is not done by streams");
}

absl::Status CheckFillRoom(const FillRequest& request, uint64_t room) {
  return NotAbove("count", request.size, {"maxCount", room});
}

absl::Status Fill(FillRequest request, uint64_t room) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  NPU_RETURN_IF_ERROR(CheckFillRoom(request, room));
  request.device = context->device();
  return FillNow(*session.runtime_or_null(), request);
}

absl::Status EnqueueFill(FillRequest request, aclrtStream handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, handle));
  Runtime& runtime = *session.runtime_or_null();
  request.device = stream->device();
  NPU_RETURN_IF_ERROR(CheckFill(runtime, request).status());
  return stream->Enqueue(
      [&runtime, request] { return FillNow(runtime, request); });
}

FillRequest ToFill(void* pointer, int32_t value, uint64_t size) {
  return {pointer, size, static_cast<uint8_t>(value & 0xFF), DeviceId()};
}

// --------------------------------------------------------------- capacity --

// Memory of ordinary and huge pages is one pool here; what the emulated NPU has
// none of (peer pools, 1 GiB pages) answers 0.
bool IsPool(aclrtMemAttr attr) {
  switch (attr) {
    case ACL_DDR_MEM:
    case ACL_HBM_MEM:
    case ACL_DDR_MEM_HUGE:
    case ACL_DDR_MEM_NORMAL:
    case ACL_HBM_MEM_HUGE:
    case ACL_HBM_MEM_NORMAL:
    case ACL_MEM_NORMAL:
    case ACL_MEM_HUGE:
      return true;
    default:
      return false;
  }
}

absl::StatusOr<hal::MemoryCapacity> Capacity(aclrtMemAttr attr) {
  NPU_RETURN_IF_ERROR(
      InInterval("attr", attr, {0, 17}, ACL_ERROR_RT_INVALID_MEMORY_TYPE));
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  NPU_ASSIGN_OR_RETURN(hal::DeviceMemory * memory,
                       session.runtime_or_null()->DeviceMemory());
  if (!IsPool(attr)) return hal::MemoryCapacity{};
  return memory->Capacity(context->device());
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("devPtr", devPtr));
    NPU_RETURN_IF_ERROR(NotZero("size", size));
    return Malloc(devPtr, size);
  });
}

aclError aclrtFree(void* devPtr) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("devPtr", devPtr));
    return Free(devPtr);
  });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("hostPtr", hostPtr));
    NPU_RETURN_IF_ERROR(NotZero("size", size));
    return MallocHost(hostPtr, size);
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("hostPtr", hostPtr));
    return FreeHost(hostPtr);
  });
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return Run(__func__, [&]() -> absl::Status {
    if (count == 0) return absl::OkStatus();
    const CopyRequest request = {dst, src, count, npu::DeviceId()};
    NPU_RETURN_IF_ERROR(CheckCopyArguments(request, destMax, kind));
    return Copy(request);
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src,
                          size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
  return Run(__func__, [&]() -> absl::Status {
    if (count == 0) return absl::OkStatus();
    const CopyRequest request = {dst, src, count, npu::DeviceId()};
    NPU_RETURN_IF_ERROR(CheckCopyArguments(request, destMax, kind));
    NPU_RETURN_IF_ERROR(CheckKindOfStream(kind));
    return EnqueueCopy(request, kind, stream);
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value,
                     size_t count) {
  return Run(__func__, [&]() -> absl::Status {
    if (count == 0) return absl::OkStatus();
    NPU_RETURN_IF_ERROR(NotNull("devPtr", devPtr));
    return Fill(ToFill(devPtr, value, count), maxCount);
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value,
                          size_t count, aclrtStream stream) {
  return Run(__func__, [&]() -> absl::Status {
    if (count == 0) return absl::OkStatus();
    NPU_RETURN_IF_ERROR(NotNull("devPtr", devPtr));
    const FillRequest request = ToFill(devPtr, value, count);
    NPU_RETURN_IF_ERROR(CheckFillRoom(request, maxCount));
    return EnqueueFill(request, stream);
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("free", free));
    NPU_RETURN_IF_ERROR(NotNull("total", total));
    NPU_ASSIGN_OR_RETURN(const npu::hal::MemoryCapacity capacity,
                         Capacity(attr));
    *free = capacity.free.bytes();
    *total = capacity.total.bytes();
    return absl::OkStatus();
  });
}
