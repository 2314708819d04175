// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Kernels of the tests. */
#include <stdint.h>
#include <stdlib.h>

#include "acl/npu_kernel.h"

void test_add(int64_t *value, int64_t amount) { *value += amount; }

/* out[i] = argument i, as a C call passes them. */
void test_sixteen(uint64_t *out, uint8_t a, uint16_t b, uint32_t c, uint64_t d,
                  uint64_t e, uint64_t f, uint64_t g, uint64_t h, uint64_t i,
                  uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n,
                  uint64_t o) {
  const uint64_t all[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o};
  for (int at = 0; at < 15; ++at) out[at] = all[at];
}

/* out[block] = block + 100 * blocks. */
void test_blocks(uint32_t *out) {
  out[npu_block_idx()] = npu_block_idx() + 100 * npu_block_num();
}

void test_crash(void) {
  int *volatile nowhere = (int *)(uintptr_t)16; /* unknown to the optimizer */
  *nowhere = 1;
}

void test_abort(void) { abort(); }

void test_exit(void) { exit(0); }

/* Waits until *flag is not 0. */
void test_spin(volatile int32_t *flag) {
  while (*flag == 0) {
  }
}
