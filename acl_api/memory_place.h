// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Where a range of the caller's memory lives, and copies and fills over it.

#ifndef ACL_API_MEMORY_PLACE_H_
#define ACL_API_MEMORY_PLACE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "acl/acl_rt_types.h"
#include "acl_api/runtime.h"
#include "hal/base/address_range.h"
#include "hal/base/node.h"

namespace npu::acl {

enum class PlaceKind : uint8_t {
  kPageable,  // the host's, not of this runtime
  kPinned,    // of aclrtMallocHost
  kDevice,    // of aclrtMalloc
  kManaged,
};

// A range that lies in one place as a whole.
struct Place {
  PlaceKind kind;
  AddressRange range;
  DeviceId device;  // whose memory, for kDevice
};

// A pointer and a size, with the pointer's parameter name.
struct MemorySpan {
  absl::string_view name;
  const void* pointer;
  uint64_t size;  // not 0
};

// Errors, all 107000: the range wraps, leaves the allocation in which it
// begins, runs into one, or lies in the managed window where nothing lives.
absl::StatusOr<Place> LocateMemory(Runtime& runtime, const MemorySpan& span);

// A copy as asked for.
struct CopyRequest {
  void* destination;
  const void* source;
  uint64_t size;    // not 0
  DeviceId device;  // current; where untouched managed memory goes
};

// Both ends of a copy, found and allowed.
struct CopyPlaces {
  Place destination;
  Place source;
};

// Errors: as LocateMemory (destination first); 207006 device memory of two
// devices without peer access in either direction.
absl::StatusOr<CopyPlaces> CheckCopy(Runtime& runtime,
                                     const CopyRequest& request);

// Whether a kind can be meant for these ends; managed memory is anything.
// Error: 107000; 207000 for two host ends, which no stream copies.
absl::Status CheckCopyKind(const CopyPlaces& places, aclrtMemcpyKind kind);

// Checks again, since a stream runs this later, then moves the bytes. No lock
// is held while they move. Errors: as CheckCopy; what the copy engine answers.
absl::Status CopyNow(Runtime& runtime, const CopyRequest& request);

// A fill as asked for.
struct FillRequest {
  void* destination;
  uint64_t size;  // not 0
  uint8_t value;
  DeviceId device;  // as above
};

// Errors: as LocateMemory; 107000 memory that is not of this runtime.
absl::StatusOr<Place> CheckFill(Runtime& runtime, const FillRequest& request);

// As CopyNow.
absl::Status FillNow(Runtime& runtime, const FillRequest& request);

}  // namespace npu::acl

#endif  // ACL_API_MEMORY_PLACE_H_
