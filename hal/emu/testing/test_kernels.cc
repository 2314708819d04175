// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of the tests of this back end.

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

extern "C" {

uint32_t npu_block_idx(void);
uint32_t npu_block_num(void);

void store(uint64_t* place, uint64_t value);
void load(const uint64_t* from, uint64_t* to);
void increment(std::atomic<uint64_t>* counter, uint64_t times);
void sum_blocks(uint64_t* out);
void sixteen(uint64_t* out, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
             uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9,
             uint64_t a10, uint64_t a11, uint64_t a12, uint64_t a13,
             uint64_t a14, uint64_t a15);
void crash(void);
void leave(int code);
void end_thread(void);
void wait_for(const std::atomic<uint64_t>* flag);
void announce_and_wait_for(uint64_t* here, const std::atomic<uint64_t>* flag);
void own_pid(uint64_t* out);

void store(uint64_t* place, uint64_t value) { *place = value; }

void load(const uint64_t* from, uint64_t* to) { *to = *from; }

void increment(std::atomic<uint64_t>* counter, uint64_t times) {
  for (uint64_t i = 0; i < times; ++i) counter->fetch_add(1);
}

// One call per block: 1 + 2 + .. + n, and n in the upper half.
void sum_blocks(uint64_t* out) {
  *out += npu_block_idx() + 1;
  *out += uint64_t{npu_block_num()} << 32;
}

void sixteen(uint64_t* out, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
             uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9,
             uint64_t a10, uint64_t a11, uint64_t a12, uint64_t a13,
             uint64_t a14, uint64_t a15) {
  const uint64_t all[] = {a1, a2,  a3,  a4,  a5,  a6,  a7, a8,
                          a9, a10, a11, a12, a13, a14, a15};
  for (const uint64_t one : all) *out = *out * 3 + one;
}

void crash(void) { abort(); }

void leave(int code) { exit(code); }

void end_thread(void) { pthread_exit(nullptr); }

void wait_for(const std::atomic<uint64_t>* flag) {
  while (flag->load() == 0) usleep(100);
}

void announce_and_wait_for(uint64_t* here, const std::atomic<uint64_t>* flag) {
  *here = 1;
  wait_for(flag);
}

void own_pid(uint64_t* out) { *out = static_cast<uint64_t>(getpid()); }

}  // extern "C"
