// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Handles: one table for each kind of object that clients name.

#ifndef ACL_API_HANDLES_H_
#define ACL_API_HANDLES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "acl_api/arguments.h"
#include "acl_api/error_code.h"
#include "acl_api/handle_table.h"

namespace npu::acl {

class Context;
class Stream;
class Event;
class Binary;
class Function;
class ArgumentList;

// What it is: the tables. Never destroyed, and kept from one aclInit to the
// next, so that a handle of an ended runtime stays dead. Threads: any.
struct Handles {
  static Handles& Get();

  HandleTable<Context> contexts{HandleKind::kContext};
  HandleTable<Stream> streams{HandleKind::kStream};
  HandleTable<Event> events{HandleKind::kEvent};
  HandleTable<Binary> binaries{HandleKind::kBinary};
  HandleTable<Function> functions{HandleKind::kFunction};
  HandleTable<ArgumentList> arguments{HandleKind::kArguments};
};

// The object of a handle that a caller passed as `name`. Error: 107017.
template <typename Object>
absl::StatusOr<std::shared_ptr<Object>> FindHandle(
    const HandleTable<Object>& table, absl::string_view name,
    const void* handle) {
  auto object = table.Find(handle);
  if (object != nullptr) return object;
  return PointerFailure(ACL_ERROR_RT_INVALID_HANDLE, name, handle,
                        "is not a live handle of this kind");
}

// A handle for a new object. Error: 207005, the table is full.
template <typename Object>
absl::StatusOr<void*> NewHandle(HandleTable<Object>& table,
                                std::shared_ptr<Object> object) {
  void* const handle = table.Insert(std::move(object));
  if (handle != nullptr) return handle;
  return Failure(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                 "too many objects of this kind are alive");
}

}  // namespace npu::acl

#endif  // ACL_API_HANDLES_H_
