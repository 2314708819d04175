// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Words in which a case says what an argument is.
#ifndef CONFORMANCE_HARNESS_ARGUMENT_H_
#define CONFORMANCE_HARNESS_ARGUMENT_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "acl/acl.h"

namespace npu::conformance {

// An array argument that can also be NULL. Owns its elements.
template <class T>
class ArrayArgument {
 public:
  void Assign(std::vector<T> values) { values_ = std::move(values); }

  // The argument becomes NULL; the elements stay.
  ArrayArgument& operator=(std::nullptr_t) {
    is_null_ = true;
    return *this;
  }

  T& operator[](size_t i) { return values_.at(i); }
  size_t size() const { return values_.size(); }
  T* get() { return is_null_ ? nullptr : values_.data(); }

 private:
  std::vector<T> values_;
  bool is_null_ = false;
};

// The byte `offset` away from `address`; may leave its object.
inline void* At(const void* address, int64_t offset) {
  return reinterpret_cast<void*>(reinterpret_cast<uint64_t>(address) +
                                 static_cast<uint64_t>(offset));
}

inline void* At(uint64_t address) { return reinterpret_cast<void*>(address); }

inline aclrtMemManagedLocation Location(int32_t type, int32_t id) {
  aclrtMemManagedLocation location;
  location.type = aclrtMemManagedLocationType(type);
  location.id = id;
  return location;
}

inline aclrtMemManagedLocation DeviceLocation(int64_t id) {
  return Location(ACL_MEM_LOCATIONTYPE_DEVICE, static_cast<int32_t>(id));
}

inline aclrtMemManagedLocation HostLocation() {
  return Location(ACL_MEM_LOCATIONTYPE_HOST, 0);
}

inline aclrtMemManagedLocation NumaLocation(int64_t id) {
  return Location(ACL_MEM_LOCATIONTYPE_HOST_NUMA, static_cast<int32_t>(id));
}

inline aclrtMemManagedLocation NoLocation() {
  return Location(ACL_MEM_LOCATIONTYPE_INVALID, 0);
}

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_ARGUMENT_H_
