// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Unified addressing: managed memory, whose pages follow whoever touches
 * them, access between devices, and what a pointer is.
 *
 * "Range" in a list of errors: 107000, the range wraps, leaves the window
 * [0x90000000000, + 3 TiB) (another one in sanitizer builds), has a size that
 * is not a multiple of 2 MiB where that is asked for, or is not live managed
 * memory throughout. Adjacent allocations count as one. */
#ifndef ACL_ACL_RT_MANAGED_H_
#define ACL_ACL_RT_MANAGED_H_

#include "acl/acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates managed memory. Nothing is resident before the first touch.
 *   ptr   out; a multiple of 2 MiB. Freed by aclrtFree
 *   size  bytes, not 0; rounded up to a multiple of 2 MiB; at most 3 TiB in
 *         all
 *   flag  ACL_RT_MEM_ATTACH_GLOBAL
 * Errors: 100000 ptr NULL; 100000 flag; 107000 size 0; ctx; 207000; 207001
 * over 3 TiB, no hole of that size, or no memory.
 * Source: 11-05 aclrtMemAllocManaged. */
ACL_FUNC_VISIBILITY aclError aclrtMemAllocManaged(void **ptr, uint64_t size,
                                                  uint32_t flag);

/* Steers the pages of a range; it acts on every 2 MiB granule that the range
 * touches.
 *   ptr       not NULL
 *   size      bytes, a multiple of 2 MiB in (0, 3 TiB]
 *   advise    aclrtMemManagedAdviseType
 *   location  ignored by SET_READ_MOSTLY and UNSET_PREFERRED_LOCATION; for
 *             UNSET_READ_MOSTLY the copy that stays, INVALID being the host
 * Errors: 100000 ptr NULL; 100000 size 0; 107000 advise; 107000 a device id
 * outside 0..n-1, also where the location is ignored; ctx; 207000; 107000
 * location type, or INVALID where a place is needed, or a NUMA node that does
 * not exist; range; 107000 preferred location refused since the memory is
 * mapped elsewhere; 207001 no memory.
 * Source: 11-05 aclrtMemManagedAdvise. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedAdvise(
    const void *const ptr, uint64_t size, aclrtMemManagedAdviseType advise,
    aclrtMemManagedLocation location);

/* Asks for one attribute of a range.
 *   attribute  aclrtMemManagedRangeAttribute
 *   size       bytes in (0, 3 TiB], any alignment
 *   data       out
 *   dataSize   bytes at data: 4, or a multiple of 4 for ACCESSED_BY
 * Errors: 100000 ptr, data NULL; 100000 size 0; 107000 attribute; 207000;
 * range; 107000 dataSize.
 * Source: 11-05 aclrtMemManagedGetAttr. */
ACL_FUNC_VISIBILITY aclError
aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void *ptr,
                       size_t size, void *data, size_t dataSize);

/* Asks for several at once; either all results are written or none.
 *   attributes, data, dataSizes  arrays of numAttributes entries
 * Errors: 100000 ptr, attributes, data, dataSizes NULL; 100000 size 0; 107000
 * numAttributes 0; 107000 an attribute; 107000 a data[i] NULL; 207000; range;
 * 107000 a dataSizes[i].
 * Source: 11-05 aclrtMemManagedGetAttrs. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttrs(
    aclrtMemManagedRangeAttribute *attributes, size_t numAttributes,
    const void *ptr, size_t size, void **data, size_t *dataSizes);

/* Moves a range in the order of a stream.
 *   size      bytes, a multiple of 2 MiB in (0, 3 TiB]
 *   location  where to; HOST_NUMA_CURRENT is resolved by this call
 *   flags     reserved, 0
 *   stream    NULL: the default stream
 * Errors: 100000 ptr NULL; 100000 size 0; 100000 flags; handle; 507000 stream
 * NULL without a context; 107000 device id; 107000 location type; ctx;
 * 107003; 207000; 107000 NUMA node; range. Later ones stay on the stream.
 * Source: 11-05 aclrtMemManagedPrefetchAsync. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchAsync(
    const void *ptr, size_t size, aclrtMemManagedLocation location,
    uint32_t flags, aclrtStream stream);

/* Moves several ranges in the order of a stream, as one task. Ranges from
 * prefetchLocIdxs[k] to before prefetchLocIdxs[k + 1] go to prefetchLocs[k],
 * the last ones to the last location. All arrays are copied.
 *   ptrs, sizes                    arrays of count entries, each as above
 *   prefetchLocs, prefetchLocIdxs  arrays of numPrefetchLocs entries; the
 *                                  indices start at 0, rise strictly and are
 *                                  below count
 *   flags                          reserved, 0
 * Errors: 100000 ptrs, sizes, prefetchLocs, prefetchLocIdxs NULL; 100000
 * count 0; 100000 numPrefetchLocs 0; 100000 flags; 100000 numPrefetchLocs >
 * count; handle; 107000 first index not 0; 107000 a ptrs[i] NULL; 107000 an
 * index; 107000 a device id; 507000 stream NULL without a context; 107000 a
 * location type; ctx; 107003; 207000; 107000 a NUMA node; range. A bad
 * element enqueues nothing.
 * Source: 11-05 aclrtMemManagedPrefetchBatchAsync. */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchBatchAsync(
    const void **ptrs, size_t *sizes, size_t count,
    aclrtMemManagedLocation *prefetchLocs, size_t *prefetchLocIdxs,
    size_t numPrefetchLocs, uint64_t flags, aclrtStream stream);

/* Maps device memory of one device into another, so that access from there
 * takes no fault. Lasts until the memory is freed, peer access is taken back
 * or a device is reset.
 *   devPtr, size  inside one allocation of aclrtMalloc
 *   dstDevId      who is to reach it
 *   flags         reserved, 0
 * Errors: 100000 devPtr NULL; 100000 size 0; 100000 flags; 107001 dstDevId;
 * ctx; 207000; 107000 not inside one live device allocation; 107000 the owner
 * is dstDevId; 207006 no peer access.
 * Source: 11-05 aclrtMemP2PMap. */
ACL_FUNC_VISIBILITY aclError aclrtMemP2PMap(void *devPtr, size_t size,
                                            int32_t dstDevId, uint64_t flags);

/* What an address is. Any address may be asked for.
 *   attributes  out; MANAGED with the device current at allocation and page
 *               size 2097152, DEVICE with its device, HOST for pinned memory,
 *               UNREGISTERED for everything else, freed memory included
 * Errors: 100000 ptr, attributes NULL; 207000.
 * Source: 11-05 aclrtPointerGetAttributes. */
ACL_FUNC_VISIBILITY aclError
aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_MANAGED_H_ */
