// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/range_allocator.h"

#include <algorithm>

#include "hal/base/check.h"

namespace npu::mm {
namespace {

constexpr uint32_t kWordBits = 64;

uint32_t LeadingOnes(uint64_t word) {
  return word == ~uint64_t{0} ? kWordBits
                              : static_cast<uint32_t>(__builtin_clzll(~word));
}

uint32_t TrailingOnes(uint64_t word) {
  return word == ~uint64_t{0} ? kWordBits
                              : static_cast<uint32_t>(__builtin_ctzll(~word));
}

// The bits [begin, end) of a word, end in 1 .. 64.
uint64_t Bits(uint32_t begin, uint32_t end) {
  return (~uint64_t{0} << begin) & (~uint64_t{0} >> (kWordBits - end));
}

// The lowest bit that begins a run of `count` ones; there is one.
uint32_t LowestRun(uint64_t word, uint32_t count) {
  // After each step a bit is set where a run of `have` begins.
  uint32_t have = 1;
  while (have < count) {
    const uint32_t step = std::min(have, count - have);
    word &= word >> step;
    have += step;
  }
  NPU_CHECK(word != 0);
  return static_cast<uint32_t>(__builtin_ctzll(word));
}

}  // namespace

RangeAllocator::RangeAllocator(uint32_t granules) : granules_(granules) {
  NPU_CHECK(granules > 0);
  const uint32_t words = (granules + kWordBits - 1) / kWordBits;
  while (leaves_ < words) leaves_ *= 2;
  free_bits_.resize(words);
  tree_.resize(size_t{2} * leaves_);
  Free(GranuleRange::Of(GranuleIndex(0), GranuleIndex(granules)));
}

RangeAllocator::Runs RangeAllocator::RunsOf(uint64_t word) {
  Runs runs;
  runs.prefix = TrailingOnes(word);
  runs.suffix = LeadingOnes(word);
  // Each step shortens every run of ones by one.
  for (uint64_t rest = word; rest != 0; rest &= rest << 1) ++runs.longest;
  return runs;
}

RangeAllocator::Runs RangeAllocator::Join(const Runs& left, const Runs& right,
                                          uint32_t span) {
  Runs runs;
  runs.prefix = left.prefix == span ? span + right.prefix : left.prefix;
  runs.suffix = right.suffix == span ? span + left.suffix : right.suffix;
  runs.longest =
      std::max({left.longest, right.longest, left.suffix + right.prefix});
  return runs;
}

uint32_t RangeAllocator::FindLowest(uint32_t count) const {
  uint32_t node = 1;
  uint32_t begin = 0;                   // of the granules below the node
  uint32_t span = leaves_ * kWordBits;  // how many they are
  while (node < leaves_) {
    span /= 2;
    const Runs& left = tree_[size_t{2} * node];
    const Runs& right = tree_[size_t{2} * node + 1];
    if (left.longest >= count) {
      node = 2 * node;
    } else if (left.suffix + right.prefix >= count) {
      return begin + span - left.suffix;
    } else {
      node = 2 * node + 1;
      begin += span;
    }
  }
  return begin + LowestRun(free_bits_[node - leaves_], count);
}

std::optional<GranuleRange> RangeAllocator::Allocate(uint32_t count) {
  NPU_CHECK(count > 0);
  if (tree_[1].longest < count) return std::nullopt;
  const GranuleIndex begin(FindLowest(count));
  const GranuleRange range = GranuleRange::Of(begin, Advance(begin, count));
  Mark(range, 0);
  free_ -= count;
  return range;
}

void RangeAllocator::Free(GranuleRange range) {
  NPU_CHECK(range.end().value() <= granules_);
  Mark(range, ~uint64_t{0});
  free_ += range.count();
}

// Turns the range to free or used; every granule of it was the other.
void RangeAllocator::Mark(GranuleRange range, uint64_t free_bits) {
  const uint32_t begin = range.begin().value();
  const uint32_t end = range.end().value();
  const uint32_t first = begin / kWordBits;
  const uint32_t last = (end - 1) / kWordBits;
  for (uint32_t w = first; w <= last; ++w) {
    const uint32_t from = w == first ? begin % kWordBits : 0;
    const uint32_t to = w == last ? (end - 1) % kWordBits + 1 : kWordBits;
    const uint64_t mask = Bits(from, to);
    NPU_CHECK((free_bits_[w] & mask) == (~free_bits & mask));
    free_bits_[w] = (free_bits_[w] & ~mask) | (free_bits & mask);
  }
  Rebuild(first, last);
}

void RangeAllocator::Rebuild(uint32_t first_word, uint32_t last_word) {
  for (uint32_t w = first_word; w <= last_word; ++w) {
    tree_[leaves_ + w] = RunsOf(free_bits_[w]);
  }
  uint32_t first = (leaves_ + first_word) / 2;
  uint32_t last = (leaves_ + last_word) / 2;
  uint32_t span = kWordBits;
  for (; first > 0; first /= 2, last /= 2, span *= 2) {
    for (uint32_t node = first; node <= last; ++node) {
      tree_[node] =
          Join(tree_[size_t{2} * node], tree_[size_t{2} * node + 1], span);
    }
  }
}

void RangeAllocator::CheckInvariants() const {
  uint32_t free = 0;
  for (uint32_t w = 0; w < free_bits_.size(); ++w) {
    free += static_cast<uint32_t>(__builtin_popcountll(free_bits_[w]));
    NPU_CHECK(tree_[leaves_ + w] == RunsOf(free_bits_[w]));
  }
  NPU_CHECK(free == free_);
  uint32_t level_begin = leaves_ / 2;
  for (uint32_t span = kWordBits; level_begin > 0;
       span *= 2, level_begin /= 2) {
    for (uint32_t node = level_begin; node < 2 * level_begin; ++node) {
      NPU_CHECK(tree_[node] == Join(tree_[size_t{2} * node],
                                    tree_[size_t{2} * node + 1], span));
    }
  }
}

}  // namespace npu::mm
