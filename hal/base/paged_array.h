// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PagedArray: a large array of zeroes that takes memory only where it was
// written.

#ifndef HAL_BASE_PAGED_ARRAY_H_
#define HAL_BASE_PAGED_ARRAY_H_

#include <sys/mman.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/base/check.h"
#include "hal/base/driver_code.h"

namespace npu {

// What it is: `count` elements of T, all bytes zero at first, which must be a
// valid T (atomics of integers are). A window of 3 TiB has 1.5 million
// granules; most tables over them stay empty. Owns the mapping. Threads: none
// of its own. Cost: O(1) to make, one page fault for each new 4 KiB, no later
// allocation, so elements may be written on the fault path.
template <typename T>
class PagedArray {
 public:
  static_assert(std::is_trivially_destructible_v<T>);

  // Error: kOutOfMemory.
  static absl::StatusOr<PagedArray> Make(size_t count) {
    NPU_CHECK(count > 0);
    void* const memory =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      return DriverError(DriverCode::kOutOfMemory,
                         absl::StrCat("no address space for a table of ",
                                      count * sizeof(T), " bytes"));
    }
    return PagedArray(static_cast<T*>(memory), count);
  }

  PagedArray(PagedArray&& other) noexcept
      : elements_(std::exchange(other.elements_, nullptr)),
        count_(std::exchange(other.count_, 0)) {}
  PagedArray& operator=(PagedArray&&) = delete;
  ~PagedArray() {
    if (elements_ != nullptr) munmap(elements_, count_ * sizeof(T));
  }

  size_t size() const { return count_; }
  T& operator[](size_t i) {
    NPU_DCHECK(i < count_);
    return elements_[i];
  }
  const T& operator[](size_t i) const {
    NPU_DCHECK(i < count_);
    return elements_[i];
  }

 private:
  PagedArray(T* elements, size_t count) : elements_(elements), count_(count) {}

  T* elements_;
  size_t count_;
};

}  // namespace npu

#endif  // HAL_BASE_PAGED_ARRAY_H_
