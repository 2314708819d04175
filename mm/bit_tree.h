// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// BitTree: a large set of small numbers that finds neighbours fast.
//
//   summary   [1 0 1]             a bit for each word below that is not zero
//   words     [0110] [0000] [1000]

#ifndef MM_BIT_TREE_H_
#define MM_BIT_TREE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/base/paged_array.h"

namespace npu::mm {

// What it is: a set over [0, size) as a bitmap with 64-ary summaries. Owns its
// words. Threads: one writer; readers see each word atomically and need a
// seqlock of the owner for more. Cost: all operations O(log64 size), at most
// four words up and four down; no allocation. Breaks: numbers outside the size
// (checked).
class BitTree {
 public:
  // `size` in [1, 2^32). Error: kOutOfMemory.
  static absl::StatusOr<BitTree> Make(uint32_t size);

  uint32_t size() const { return size_; }

  bool Contains(uint32_t number) const;
  void Add(uint32_t number);
  void Remove(uint32_t number);

  // The smallest member that is not below `from`; nullopt when there is none.
  // `from` may be size().
  std::optional<uint32_t> Next(uint32_t from) const;
  // The largest member that is not above `from`; nullopt when there is none.
  std::optional<uint32_t> Previous(uint32_t from) const;

  // Every summary bit tells whether its word is zero. O(size / 64).
  void CheckInvariants() const;

 private:
  using Word = std::atomic<uint64_t>;
  static constexpr int kMaxLevels = 6;  // 64^6 > 2^32

  struct Shape {
    int levels = 0;
    std::array<uint32_t, kMaxLevels> offset = {};  // of a level's first word
    std::array<uint32_t, kMaxLevels> words = {};
    uint32_t total = 0;
  };
  static Shape ShapeOf(uint32_t size);

  BitTree(uint32_t size, const Shape& shape, PagedArray<Word> words)
      : size_(size), shape_(shape), words_(std::move(words)) {}

  uint64_t Load(int level, uint32_t word) const {
    return words_[shape_.offset[static_cast<size_t>(level)] + word].load(
        std::memory_order_relaxed);
  }
  void Store(int level, uint32_t word, uint64_t value) {
    words_[shape_.offset[static_cast<size_t>(level)] + word].store(
        value, std::memory_order_relaxed);
  }
  uint32_t DescendFirst(int level, uint32_t word) const;
  uint32_t DescendLast(int level, uint32_t word) const;

  uint32_t size_;
  Shape shape_;
  PagedArray<Word> words_;
};

}  // namespace npu::mm

#endif  // MM_BIT_TREE_H_
