// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* A toy library of this interface, for tests of the suite. Its world is just
 * good enough for the cases of aclrtMemAllocManaged's flag; how it misbehaves
 * is chosen by one of
 *   TOY_HONEST    not at all, in those cases
 *   TOY_REFUSE    every function answers 100000
 *   TOY_ACCEPT    every function answers 0 and writes nothing
 *   TOY_SCRIBBLE  as honest, but a refused allocation writes its output
 *   TOY_STICKY    as honest, but after a refusal nothing is allocated again
 *   TOY_CRASH     as honest, but flag 2 crashes
 *   TOY_HANG      as honest, but flag 2 never returns
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "acl/acl.h"

#if defined(TOY_REFUSE)
#define ANSWER 100000
#else
#define ANSWER 0
#endif

#define TRIVIAL(name, ...) \
  ACL_FUNC_VISIBILITY      \
  aclError name(__VA_ARGS__) { return ANSWER; }

#pragma GCC diagnostic ignored "-Wunused-parameter"

TRIVIAL(aclInit, const char *path)
TRIVIAL(aclFinalize, void)
TRIVIAL(aclrtGetLastError, aclrtLastErrLevel level)
TRIVIAL(aclrtSetDevice, int32_t id)
TRIVIAL(aclrtResetDevice, int32_t id)
TRIVIAL(aclrtDeviceCanAccessPeer, int32_t *out, int32_t a, int32_t b)
TRIVIAL(aclrtDeviceEnablePeerAccess, int32_t id, uint32_t flags)
TRIVIAL(aclrtDeviceDisablePeerAccess, int32_t id)
TRIVIAL(aclrtDevicePeerAccessStatus, int32_t a, int32_t b, int32_t *out)
TRIVIAL(aclrtCreateContext, aclrtContext *out, int32_t id)
TRIVIAL(aclrtDestroyContext, aclrtContext context)
TRIVIAL(aclrtSetCurrentContext, aclrtContext context)
TRIVIAL(aclrtGetCurrentContext, aclrtContext *out)
TRIVIAL(aclrtCreateStream, aclrtStream *out)
TRIVIAL(aclrtDestroyStream, aclrtStream stream)
TRIVIAL(aclrtSynchronizeStream, aclrtStream stream)
TRIVIAL(aclrtCreateEvent, aclrtEvent *out)
TRIVIAL(aclrtDestroyEvent, aclrtEvent event)
TRIVIAL(aclrtLaunchHostFunc, aclrtStream stream, aclrtHostFunc fn, void *args)
TRIVIAL(aclrtFreeHost, void *ptr)
TRIVIAL(aclrtMemset, void *p, size_t max, int32_t value, size_t count)
TRIVIAL(aclrtMemManagedAdvise, const void *const ptr, uint64_t size,
        aclrtMemManagedAdviseType advise, aclrtMemManagedLocation location)
TRIVIAL(aclrtMemManagedGetAttr, aclrtMemManagedRangeAttribute attribute,
        const void *ptr, size_t size, void *data, size_t dataSize)
TRIVIAL(aclrtMemManagedGetAttrs, aclrtMemManagedRangeAttribute *attributes,
        size_t n, const void *ptr, size_t size, void **data, size_t *sizes)
TRIVIAL(aclrtMemManagedPrefetchAsync, const void *ptr, size_t size,
        aclrtMemManagedLocation location, uint32_t flags, aclrtStream stream)
TRIVIAL(aclrtMemManagedPrefetchBatchAsync, const void **ptrs, size_t *sizes,
        size_t count, aclrtMemManagedLocation *locs, size_t *idxs, size_t n,
        uint64_t flags, aclrtStream stream)
TRIVIAL(aclrtMemP2PMap, void *ptr, size_t size, int32_t id, uint64_t flags)
TRIVIAL(aclrtPointerGetAttributes, const void *ptr, aclrtPtrAttributes *out)
TRIVIAL(aclrtMallocHost, void **out, size_t size)
TRIVIAL(aclrtGetMemInfo, aclrtMemAttr attr, size_t *free, size_t *total)

ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg(void) { return NULL; }

ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count) {
  *count = 2;
  return ANSWER;
}

ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **out, size_t size,
                                         aclrtMemMallocPolicy policy) {
  *out = malloc(size);
  return ANSWER;
}

ACL_FUNC_VISIBILITY aclError aclrtFree(void *ptr) { return ANSWER; }

#if defined(TOY_REFUSE) || defined(TOY_ACCEPT)
TRIVIAL(aclrtMemAllocManaged, void **ptr, uint64_t size, uint32_t flag)
#else
static uintptr_t next_address = 0x90000000000;

static aclError Refuse(void **ptr) {
#if defined(TOY_SCRIBBLE)
  *(char *)ptr = 0;
#endif
#if defined(TOY_STICKY)
  next_address = 0;
#endif
  return 100000;
}

ACL_FUNC_VISIBILITY aclError aclrtMemAllocManaged(void **ptr, uint64_t size,
                                                  uint32_t flag) {
#if defined(TOY_CRASH)
  if (flag == 2) abort();
#endif
#if defined(TOY_HANG)
  if (flag == 2) pause();
#endif
  if (flag != 1) return Refuse(ptr);
  if (next_address == 0) return 500000;
  void *made = mmap((void *)next_address, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (made == MAP_FAILED) return 207001;
  next_address += 0x200000;
  *ptr = made;
  return 0;
}
#endif
