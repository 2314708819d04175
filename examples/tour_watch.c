// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "examples/tour_watch.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "acl/acl.h"
#include "acl/npu_emulator.h"

enum { kMostDevices = 8 };

/* The emulator's functions; null when the library has none. */
static struct {
  aclError (*residency)(const void *, npuEmuResidency *);
  aclError (*counters)(int32_t, npuEmuCounters *);
  aclError (*reset)(void);
  const char *(*rung)(void);
} emulator;

static int device_count;
static const void *watched;
static int wrong; /* steps */

/* ISO C has no cast from an object pointer to a function pointer. */
static void look_up(const char *name, void *function) {
  void *found = dlsym(RTLD_DEFAULT, name);
  memcpy(function, &found, sizeof found);
}

/* Residency is known, and faults are what moves it. */
static int tracks(void) {
  return emulator.rung != NULL && emulator.rung() != NULL &&
         strcmp(emulator.rung(), "full") == 0;
}

void start_watch(int devices) {
  device_count = devices < kMostDevices ? devices : kMostDevices;
  look_up("npuEmuGetResidency", &emulator.residency);
  look_up("npuEmuGetCounters", &emulator.counters);
  look_up("npuEmuResetCounters", &emulator.reset);
  look_up("npuEmuGetRung", &emulator.rung);
  printf("faults are caught: %s\n",
         emulator.rung ? emulator.rung() : "unknown");
  printf("%-26s %16s  %-8s %-16s", "step", "value", "owner", "holders");
  printf(" %s\n", "faults: host, devices");
}

void watch(const void *pointer) {
  watched = pointer;
  if (emulator.reset != NULL) emulator.reset();
}

static const char *node_name(int32_t node) {
  static char text[4][16];
  static int next;
  if (node == kNowhere) return "-";
  if (node == kHost) return "host";
  next = (next + 1) % 4;
  snprintf(text[next], sizeof text[next], "dev %d", node);
  return text[next];
}

/* "host,0,1", or "-". */
static const char *holder_names(uint64_t holders) {
  static char text[64];
  size_t length = 0;
  if (holders == 0) return "-";
  for (int32_t node = kHost; node < device_count; ++node) {
    if ((holders & HOLDS(node)) == 0) continue;
    const char *comma = length > 0 ? "," : "";
    const int added =
        node == kHost ? snprintf(text + length, sizeof text - length, "host")
                      : snprintf(text + length, sizeof text - length, "%s%d",
                                 comma, node);
    length += (size_t)added;
  }
  return text;
}

/* Where the watched memory is. Answers 1 when that is as wanted. */
static int tell_residency(struct want want) {
  npuEmuResidency is;
  memset(&is, 0, sizeof is);
  if (emulator.residency(watched, &is) != ACL_SUCCESS) return 0;
  const uint64_t holders = (is.hostHolds ? HOLDS(kHost) : 0) | is.deviceHolds
                                                                   << 1;
  printf("  %-8s %-16s", node_name(is.owner), holder_names(holders));
  uint64_t wanted = want.holders;
  if (wanted == 0 && want.owner != kNowhere) wanted = HOLDS(want.owner);
  return is.owner == want.owner && holders == wanted;
}

/* How often each node faulted since the last step. Answers 1 when that is as
 * wanted. */
static int tell_faults(struct want want) {
  int right = 1;
  for (int32_t node = kHost; node < device_count; ++node) {
    npuEmuCounters counters;
    memset(&counters, 0, sizeof counters);
    if (emulator.counters(node, &counters) != ACL_SUCCESS) return 0;
    printf(" %" PRIu64, counters.faults);
    const int may = !want.no_faults && want.faults_at == node;
    right = right && (counters.faults > 0) == may;
  }
  emulator.reset();
  return right;
}

void step(const char *name, int64_t value, int64_t wanted_value,
          struct want want) {
  int right = value == wanted_value;
  printf("%-26s %16" PRId64, name, value);
  if (emulator.residency != NULL && emulator.counters != NULL &&
      emulator.reset != NULL) {
    const int place = tell_residency(want);
    const int faults = tell_faults(want);
    if (tracks()) right = right && place && faults;
  }
  printf("%s\n", right ? "" : "  <- WRONG");
  fflush(stdout);
  if (!right) ++wrong;
}

int end_watch(void) {
  printf("tour: %s\n", wrong == 0 ? "all steps right" : "some steps are wrong");
  return wrong == 0 ? 0 : 1;
}
