// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* The kernels of managed_tour.c: ordinary C, built as a shared object. */
#include <stdint.h>

#include "acl/npu_kernel.h"
#include "examples/tour_list.h"

/* *sum = values[0] + .. + values[count - 1]. One block. */
void tour_sum(const int64_t *values, uint64_t count, int64_t *sum) {
  int64_t total = 0;
  for (uint64_t i = 0; i < count; ++i) total += values[i];
  *sum = total;
}

/* Doubles each value; the blocks share the work. */
void tour_double(int64_t *values, uint64_t count) {
  for (uint64_t i = npu_block_idx(); i < count; i += npu_block_num()) {
    values[i] *= 2;
  }
}

/* Follows the list from head, adding `step` to each value; *sum is the sum of
 * what was there before. */
void tour_walk(struct tour_node *head, int64_t step, int64_t *sum) {
  int64_t total = 0;
  for (struct tour_node *node = head; node != 0; node = node->next) {
    total += node->value;
    node->value += step;
  }
  *sum = total;
}
