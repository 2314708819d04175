// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Device memory, pinned host memory, copies and fills. Sizes are in bytes. */
#ifndef ACL_ACL_RT_MEMORY_H_
#define ACL_ACL_RT_MEMORY_H_

#include "acl/acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates memory of the current device, which the host cannot touch. The
 * address is a multiple of 64.
 *   devPtr  out
 *   size    not 0; rounded up to a multiple of 32, plus 32
 *   policy  see aclrtMemMallocPolicy
 * Errors: 100000 devPtr NULL; 100000 size 0; 100000 size + 63 wraps; ctx;
 * 207001 no memory.
 * Source: 11-01 aclrtMalloc. */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **devPtr, size_t size,
                                         aclrtMemMallocPolicy policy);

/* Frees memory of aclrtMalloc or aclrtMemAllocManaged, at once, waiting for
 * nobody. Needs no context.
 * Errors: 100000 NULL; 107000 not the start of a live allocation.
 * Source: 11-01 aclrtFree. */
ACL_FUNC_VISIBILITY aclError aclrtFree(void *devPtr);

/* Allocates pinned host memory. The address is a multiple of 64.
 *   hostPtr  out
 *   size     not 0
 * Errors: 100000 hostPtr NULL; 100000 size 0; ctx; 207001 no memory.
 * Source: 11-02 aclrtMallocHost. */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void **hostPtr, size_t size);

/* Frees memory of aclrtMallocHost. Needs no context.
 * Errors: 100000 NULL; 107000 not the start of a live allocation.
 * Source: 11-02 aclrtFreeHost. */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void *hostPtr);

/* Copies count bytes and waits. Host, pinned, device and managed memory; the
 * addresses decide the direction, whatever the kind. Managed memory stays where
 * it is.
 *   destMax  bytes there are at dst
 *   count    0 succeeds before any other check
 *   kind     0..5
 * Errors: 100000 dst, src NULL; 100000 kind; 107000 count > destMax; ctx;
 * 107000 a range that leaves its allocation; 207006 two devices without peer
 * access.
 * Source: 11-03 aclrtMemcpy. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void *dst, size_t destMax,
                                         const void *src, size_t count,
                                         aclrtMemcpyKind kind);

/* The same in the order of a stream. The memory must live until then; where an
 * end is pageable host memory the call waits for the copy itself.
 * Errors: 100000 dst, src NULL; 100000 kind; 107000 count > destMax; 207000
 * kind HOST_TO_HOST; handle; ctx; 107003; then as aclrtMemcpy; 207000 both ends
 * are the host's; 107000 a kind that contradicts the addresses; 107000 waiting
 * for the stream in one of its own host functions.
 * Source: 11-03 aclrtMemcpyAsync. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void *dst, size_t destMax,
                                              const void *src, size_t count,
                                              aclrtMemcpyKind kind,
                                              aclrtStream stream);

/* Sets count bytes to the low eight bits of value and waits.
 *   maxCount  bytes there are at devPtr
 *   count     0 succeeds before any other check
 * Errors: 100000 devPtr NULL; ctx; 107000 count > maxCount; 107000 a range
 * that leaves its allocation, or memory that is not the runtime's.
 * Source: 11-03 aclrtMemset. */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void *devPtr, size_t maxCount,
                                         int32_t value, size_t count);

/* The same in the order of a stream.
 * Errors: 100000 devPtr NULL; 107000 count > maxCount; handle; ctx; 107003;
 * then as aclrtMemset.
 * Source: 11-03 aclrtMemsetAsync. */
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void *devPtr, size_t maxCount,
                                              int32_t value, size_t count,
                                              aclrtStream stream);

/* Free and total memory of the current device.
 *   free, total  out, bytes
 * Errors: 100000 free, total NULL; 107016 attr outside 0..17; ctx.
 * Source: 11-01 aclrtGetMemInfo. */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free,
                                             size_t *total);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_MEMORY_H_ */
