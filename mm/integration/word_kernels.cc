// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that touch single words.

#include <atomic>
#include <cstdint>

extern "C" {

void add_to(uint64_t* word, uint64_t value);
void copy_from(uint64_t* to, const uint64_t* from);
void add_slowly(std::atomic<uint64_t>* counter, uint64_t times);

void add_to(uint64_t* word, uint64_t value) { *word += value; }

void copy_from(uint64_t* to, const uint64_t* from) { *to = *from; }

void add_slowly(std::atomic<uint64_t>* counter, uint64_t times) {
  for (uint64_t i = 0; i < times; ++i) counter->fetch_add(1);
}

}  // extern "C"
