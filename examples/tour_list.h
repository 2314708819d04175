// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* The list that the tour builds on the host and walks on devices: its pointers
 * mean the same everywhere. */
#ifndef EXAMPLES_TOUR_LIST_H_
#define EXAMPLES_TOUR_LIST_H_

#include <stdint.h>

struct tour_node {
  struct tour_node *next;
  int64_t value;
};

#endif /* EXAMPLES_TOUR_LIST_H_ */
