// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// RangeAllocator: addresses of the window, in granules.

#ifndef MM_RANGE_ALLOCATOR_H_
#define MM_RANGE_ALLOCATOR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "hal/base/granule.h"

namespace npu::mm {

// What it is: which granules of a window are free, lowest address first. A bit
// per granule, and a tree over the words of 64 bits that knows the longest run
// of free granules below each node: neighbours that are free merge by
// themselves.
//
//              [prefix, suffix, longest]
//              /                       \                 .
//      [....]      [....]      [....]      [....]        a leaf per word
//
// Owns its tables, made once: giving back needs no memory. Threads: none of its
// own. Cost: Allocate and Free O(log words + words of the range). Memory: about
// 0.6 bytes per granule. Breaks: freeing what is not allocated (checked).
class RangeAllocator {
 public:
  explicit RangeAllocator(uint32_t granules);

  uint32_t size() const { return granules_; }
  uint32_t free_count() const { return free_; }
  // The longest run that Allocate can give.
  uint32_t longest_free() const { return tree_[1].longest; }

  // The lowest free run of `count` granules; nullopt when there is none.
  // `count` > 0.
  std::optional<GranuleRange> Allocate(uint32_t count);
  // Gives back a range, or a part of one, that Allocate gave.
  void Free(GranuleRange range);

  // The tree says what the bits say. O(words).
  void CheckInvariants() const;

 private:
  // Runs of free granules below a node, in granules.
  struct Runs {
    uint32_t prefix = 0;
    uint32_t suffix = 0;
    uint32_t longest = 0;

    friend bool operator==(const Runs& a, const Runs& b) {
      return a.prefix == b.prefix && a.suffix == b.suffix &&
             a.longest == b.longest;
    }
  };

  static Runs RunsOf(uint64_t word);
  // Runs of two neighbours that each cover `span` granules.
  static Runs Join(const Runs& left, const Runs& right, uint32_t span);
  uint32_t FindLowest(uint32_t count) const;
  void Mark(GranuleRange range, uint64_t free_bits);
  void Rebuild(uint32_t first_word, uint32_t last_word);

  uint32_t granules_;
  uint32_t free_ = 0;
  uint32_t leaves_ = 1;              // words, rounded up to a power of two
  std::vector<uint64_t> free_bits_;  // a set bit is a free granule
  std::vector<Runs> tree_;           // node i has children 2i and 2i + 1
};

}  // namespace npu::mm

#endif  // MM_RANGE_ALLOCATOR_H_
