// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* What only an emulated NPU can tell. A client must look these functions up
 * (dlsym) and do without when they are absent: other libraries of the same
 * interface do not have them. Nodes: -1 is the host, 0.. a device. Their
 * errors are tested in the order listed and leave a text as all others do. */
#ifndef ACL_NPU_EMULATOR_H_
#define ACL_NPU_EMULATOR_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where one 2 MiB granule lives. */
typedef struct npuEmuResidency {
  int32_t owner;        /* node that holds the bytes; -2: nothing resident */
  int32_t hostHolds;    /* 1 if the host has a mapping */
  uint64_t deviceHolds; /* bit d set: device d has a mapping */
  int32_t readMostly;   /* the granule's property */
  int32_t reserved[3];  /* 0 */
} npuEmuResidency;

/* What happened at a node since the start or the last reset. */
typedef struct npuEmuCounters {
  uint64_t faults;        /* page faults served */
  uint64_t migrationsIn;  /* granules that came */
  uint64_t migrationsOut; /* granules that went */
  uint64_t bytesIn;       /* bytes that came */
  uint64_t duplicates;    /* read-only copies made here */
  uint64_t collapses;     /* read-only copies dropped for a write from here */
  uint64_t evictions;     /* granules that left for want of room */
  uint64_t prefetches;    /* granules that a prefetch brought */
  uint64_t reserved[8];   /* 0 */
} npuEmuCounters;

/* Residency of the granule of ptr. Moves nothing, takes no fault.
 * Errors: 100000 ptr, out NULL; 107000 not managed. */
ACL_FUNC_VISIBILITY aclError npuEmuGetResidency(const void *ptr,
                                                npuEmuResidency *out);

/* Counters of a node.
 * Errors: 100000 out NULL; 107002 runtime not started; 107001 node. */
ACL_FUNC_VISIBILITY aclError npuEmuGetCounters(int32_t node,
                                               npuEmuCounters *out);

/* Sets all counters of all nodes to 0.
 * Errors: 107002 runtime not started. */
ACL_FUNC_VISIBILITY aclError npuEmuResetCounters(void);

/* The address window of managed memory; differs in sanitizer builds.
 *   base, bytes  out
 * Errors: 100000 base, bytes NULL; 107002 runtime not started. */
ACL_FUNC_VISIBILITY aclError npuEmuGetWindow(uint64_t *base, uint64_t *bytes);

/* How faults are caught: "full", "user-mode", "device-only", "untracked".
 * NULL when the runtime is not started. The text lives until the process
 * ends. */
ACL_FUNC_VISIBILITY const char *npuEmuGetRung(void);

#ifdef __cplusplus
}
#endif

#endif /* ACL_NPU_EMULATOR_H_ */
