// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// AttributeMap: one property of every granule, cheap where it is uniform.
//
//   granule   0 1 2 3 4 5 6 7
//   value     0 0 7 7 7 0 0 0
//   changes       ^     ^          a bit where the value differs from the left
//   stored        7     0          values stand at changes only

#ifndef MM_ATTRIBUTE_MAP_H_
#define MM_ATTRIBUTE_MAP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/base/granule.h"
#include "hal/base/paged_array.h"
#include "mm/bit_tree.h"

namespace npu::mm {

// What it is: a value of 64 bits per granule, 0 at first. Owns its tables.
// Threads: one writer (the pager, also on the fault path: Set allocates nothing
// and takes no lock); any number of readers, which look again when a Set was
// under way and never hold the writer up. Cost: Get and Uniform O(log64 n); Set
// O(log64 n + changes it removes); All O(runs). Breaks: a second writer.
class AttributeMap {
 public:
  // Error: kOutOfMemory.
  static absl::StatusOr<AttributeMap> Make(uint32_t granules);
  AttributeMap(AttributeMap&& other) noexcept;

  // The writer's.
  void Set(GranuleRange range, uint64_t value);
  void Set(GranuleIndex granule, uint64_t value) {
    Set(GranuleRange::One(granule), value);
  }

  // The value at a granule.
  uint64_t Get(GranuleIndex granule) const;
  // The value of a whole range; nullopt when it is not uniform.
  std::optional<uint64_t> Uniform(GranuleRange range) const;
  // The bits that are set in every value of a range.
  uint64_t All(GranuleRange range) const;

  // Calls visit(GranuleRange, value) for each run of equal values, in order.
  // The writer's: visit may Set granules of the run it is given.
  template <typename Visit>
  void ForEachRun(GranuleRange range, Visit&& visit) const {
    GranuleIndex at = range.begin();
    while (at < range.end()) {
      const GranuleIndex end = RunEnd(at, range.end());
      visit(GranuleRange::Of(at, end), ValueAt(at));
      at = end;
    }
  }

  // A change bit stands where the values really differ, and nowhere else.
  void CheckInvariants() const;

 private:
  AttributeMap(BitTree changes, PagedArray<std::atomic<uint64_t>> values)
      : changes_(std::move(changes)), values_(std::move(values)) {}

  uint64_t ValueAt(GranuleIndex granule) const;
  GranuleIndex RunEnd(GranuleIndex granule, GranuleIndex limit) const;
  void Mark(uint32_t granule, uint64_t left, uint64_t value);

  // Runs read() until no Set was under way meanwhile.
  template <typename Read>
  auto Consistent(Read&& read) const;

  BitTree changes_;
  PagedArray<std::atomic<uint64_t>> values_;
  std::atomic<uint32_t> version_{0};  // odd while a Set is under way
};

}  // namespace npu::mm

#endif  // MM_ATTRIBUTE_MAP_H_
