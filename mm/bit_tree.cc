// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/bit_tree.h"

#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::mm {
namespace {

constexpr uint64_t BitOf(uint32_t number) {
  return uint64_t{1} << (number % 64);
}

// Bits from `number` upwards, and up to `number`, in its word.
constexpr uint64_t From(uint32_t number) {
  return ~uint64_t{0} << (number % 64);
}
constexpr uint64_t UpTo(uint32_t number) {
  return ~uint64_t{0} >> (63 - number % 64);
}

uint32_t Lowest(uint64_t word) {
  return static_cast<uint32_t>(__builtin_ctzll(word));
}
uint32_t Highest(uint64_t word) {
  return 63 - static_cast<uint32_t>(__builtin_clzll(word));
}

}  // namespace

BitTree::Shape BitTree::ShapeOf(uint32_t size) {
  Shape shape;
  uint32_t bits = size;
  do {
    const uint32_t words = bits / 64 + (bits % 64 != 0 ? 1 : 0);
    const size_t level = static_cast<size_t>(shape.levels++);
    shape.offset[level] = shape.total;
    shape.words[level] = words;
    shape.total += words;
    bits = words;
  } while (bits > 1);
  return shape;
}

absl::StatusOr<BitTree> BitTree::Make(uint32_t size) {
  NPU_CHECK(size > 0);
  const Shape shape = ShapeOf(size);
  NPU_ASSIGN_OR_RETURN(PagedArray<Word> words,
                       PagedArray<Word>::Make(shape.total));
  return BitTree(size, shape, std::move(words));
}

bool BitTree::Contains(uint32_t number) const {
  NPU_DCHECK(number < size_);
  return (Load(0, number / 64) & BitOf(number)) != 0;
}

void BitTree::Add(uint32_t number) {
  NPU_CHECK(number < size_);
  for (int level = 0; level < shape_.levels; ++level, number /= 64) {
    const uint64_t old = Load(level, number / 64);
    Store(level, number / 64, old | BitOf(number));
    if (old != 0) return;  // the summaries above know of this word
  }
}

void BitTree::Remove(uint32_t number) {
  NPU_CHECK(number < size_);
  for (int level = 0; level < shape_.levels; ++level, number /= 64) {
    const uint64_t left = Load(level, number / 64) & ~BitOf(number);
    Store(level, number / 64, left);
    if (left != 0) return;
  }
}

uint32_t BitTree::DescendFirst(int level, uint32_t word) const {
  uint32_t number = word;
  for (; level >= 0; --level) {
    const uint64_t bits = Load(level, number);
    // A torn reading of a racing reader: its seqlock makes it try again.
    if (bits == 0) return 0;
    number = number * 64 + Lowest(bits);
  }
  return number;
}

uint32_t BitTree::DescendLast(int level, uint32_t word) const {
  uint32_t number = word;
  for (; level >= 0; --level) {
    const uint64_t bits = Load(level, number);
    if (bits == 0) return 0;  // as above
    number = number * 64 + Highest(bits);
  }
  return number;
}

std::optional<uint32_t> BitTree::Next(uint32_t from) const {
  uint32_t number = from;
  for (int level = 0; level < shape_.levels; ++level) {
    const uint32_t word = number / 64;
    if (word >= shape_.words[static_cast<size_t>(level)]) return std::nullopt;
    const uint64_t bits = Load(level, word) & From(number);
    if (bits != 0) return DescendFirst(level - 1, word * 64 + Lowest(bits));
    number = word + 1;
  }
  return std::nullopt;
}

std::optional<uint32_t> BitTree::Previous(uint32_t from) const {
  NPU_DCHECK(from < size_);
  uint32_t number = from;
  for (int level = 0; level < shape_.levels; ++level) {
    const uint32_t word = number / 64;
    const uint64_t bits = Load(level, word) & UpTo(number);
    if (bits != 0) return DescendLast(level - 1, word * 64 + Highest(bits));
    if (word == 0) return std::nullopt;
    number = word - 1;
  }
  return std::nullopt;
}

void BitTree::CheckInvariants() const {
  for (int level = 0; level + 1 < shape_.levels; ++level) {
    for (uint32_t w = 0; w < shape_.words[static_cast<size_t>(level)]; ++w) {
      const bool summary = (Load(level + 1, w / 64) & BitOf(w)) != 0;
      NPU_CHECK(summary == (Load(level, w) != 0));
    }
  }
}

}  // namespace npu::mm
