// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* What the tour tells: a table line per step, checked against what the step
 * should have found. Residency and faults come from the emulator's own
 * functions, looked up by name; with a library that lacks them only the values
 * are checked. */
#ifndef EXAMPLES_TOUR_WATCH_H_
#define EXAMPLES_TOUR_WATCH_H_

#include <stdint.h>

enum { kNowhere = -2, kHost = -1 };

/* A set of nodes as bits; the host is bit 0. */
#define HOLDS(node) (UINT64_C(1) << ((node) + 1))

/* What a step should leave behind. */
struct want {
  int32_t owner;     /* kNowhere, kHost or a device */
  uint64_t holders;  /* HOLDS(..) of all; 0: just the owner, if any */
  int32_t faults_at; /* the node that takes faults, all others none */
  int32_t no_faults; /* not 0: nobody takes any */
};

/* Prints the head of the table. `devices` of them are counted. */
void start_watch(int devices);

/* The memory of the next steps; forgets the faults so far. */
void watch(const void *pointer);

/* Prints and checks the step that just ended. */
void step(const char *name, int64_t value, int64_t wanted_value,
          struct want want);

/* Prints the last line. Answers 0 when every step was right, else 1. */
int end_watch(void);

#endif /* EXAMPLES_TOUR_WATCH_H_ */
