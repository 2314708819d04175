// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* The types of the runtime's C interface: handles, enumerations, structures.
 * Names, values and layouts are those of CANN Runtime, API reference chapters
 * 25-02 (enumerations), 25-04 (structures) and 25-05 (typedefs). */
#ifndef ACL_ACL_RT_TYPES_H_
#define ACL_ACL_RT_TYPES_H_

#include "acl/acl_base.h"

/* C passes an enumeration as an int, so any int can arrive. Saying so in C++
 * keeps values outside the list defined there, too. */
#ifdef __cplusplus
#define ACL_INT_ENUM(name) enum name : int32_t
#else
#define ACL_INT_ENUM(name) enum name
#endif

/* --- Handles. Opaque: a value that this library did not hand out, or whose
 * object is gone, is answered with an error. --- */

typedef void *aclrtContext;
typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef void *aclrtBinHandle;   /* a loaded kernel binary */
typedef void *aclrtFuncHandle;  /* a function of such a binary */
typedef void *aclrtArgsHandle;  /* the arguments of one launch */
typedef void *aclrtParamHandle; /* one argument in such a list */

/* A function that a stream runs on a host thread. */
typedef void (*aclrtHostFunc)(void *args);

/* Options that this library does not take: pass NULL. */
typedef struct aclrtBinaryLoadOptions aclrtBinaryLoadOptions;
typedef struct aclrtLaunchKernelCfg aclrtLaunchKernelCfg;

/* --- Errors --- */

/* Whose last error is meant. Only the calling thread's can be asked for. */
typedef ACL_INT_ENUM(aclrtLastErrLevel){
    ACL_RT_THREAD_LEVEL = 0} aclrtLastErrLevel;

/* --- Memory --- */

/* The only flag of aclrtMemAllocManaged: valid for host and all devices. */
#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U

/* How aclrtMalloc chooses pages. The emulated NPU has one kind of page; every
 * policy is accepted. */
typedef ACL_INT_ENUM(aclrtMemMallocPolicy){
    ACL_MEM_MALLOC_HUGE_FIRST = 0,
    ACL_MEM_MALLOC_HUGE_ONLY = 1,
    ACL_MEM_MALLOC_NORMAL_ONLY = 2,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
    ACL_MEM_MALLOC_HUGE1G_ONLY = 6,
    ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x100,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
    ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000} aclrtMemMallocPolicy;

/* The direction of a copy. The addresses decide; a kind that contradicts
 * them is refused. */
typedef ACL_INT_ENUM(aclrtMemcpyKind){
    ACL_MEMCPY_HOST_TO_HOST = 0,
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
    ACL_MEMCPY_DEFAULT = 4,
    ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6,
    ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7} aclrtMemcpyKind;

/* Which memory aclrtGetMemInfo counts. */
typedef ACL_INT_ENUM(aclrtMemAttr){
    ACL_DDR_MEM = 0,          ACL_HBM_MEM = 1,
    ACL_DDR_MEM_HUGE = 2,     ACL_DDR_MEM_NORMAL = 3,
    ACL_HBM_MEM_HUGE = 4,     ACL_HBM_MEM_NORMAL = 5,
    ACL_DDR_MEM_P2P_HUGE = 6, ACL_DDR_MEM_P2P_NORMAL = 7,
    ACL_HBM_MEM_P2P_HUGE = 8, ACL_HBM_MEM_P2P_NORMAL = 9,
    ACL_HBM_MEM_HUGE1G = 10,  ACL_HBM_MEM_P2P_HUGE1G = 11,
    ACL_MEM_NORMAL = 12,      ACL_MEM_HUGE = 13,
    ACL_MEM_HUGE1G = 14,      ACL_MEM_P2P_NORMAL = 15,
    ACL_MEM_P2P_HUGE = 16,    ACL_MEM_P2P_HUGE1G = 17} aclrtMemAttr;

/* Where an address lives (aclrtPointerGetAttributes). */
typedef ACL_INT_ENUM(aclrtMemLocationType){
    ACL_MEM_LOCATION_TYPE_HOST = 0, ACL_MEM_LOCATION_TYPE_DEVICE = 1,
    ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2, /* not of this runtime */
    ACL_MEM_LOCATION_TYPE_MANAGED = 3,
    ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4} aclrtMemLocationType;

/* Beware: the order of the members is the reverse of
 * aclrtMemManagedLocation's. */
typedef struct aclrtMemLocation {
  uint32_t id; /* device id; says nothing for host memory */
  aclrtMemLocationType type;
} aclrtMemLocation;

typedef struct aclrtPtrAttributes {
  aclrtMemLocation location;
  uint32_t pageSize; /* bytes; 0 for memory that is not the runtime's */
  uint32_t rsv[4];   /* 0 */
} aclrtPtrAttributes;

/* --- Managed memory --- */

/* What aclrtMemManagedAdvise sets or takes back. */
typedef ACL_INT_ENUM(aclrtMemManagedAdviseType){
    ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
    ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
    ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
    ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
    ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
    ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5} aclrtMemManagedAdviseType;

/* The kind of place that a location names. */
typedef ACL_INT_ENUM(aclrtMemManagedLocationType){
    ACL_MEM_LOCATIONTYPE_INVALID = 0, ACL_MEM_LOCATIONTYPE_DEVICE = 1,
    ACL_MEM_LOCATIONTYPE_HOST = 2,             /* the id is ignored */
    ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,        /* the id is a NUMA node */
    ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4 /* the caller's NUMA node */
} aclrtMemManagedLocationType;

typedef struct aclrtMemManagedLocation {
  aclrtMemManagedLocationType type;
  int32_t id;
} aclrtMemManagedLocation;

/* What can be asked of a managed range. Value of type int32_t unless noted,
 * so dataSize is 4. A range that is not uniform answers "not set". */
typedef ACL_INT_ENUM(aclrtMemManagedRangeAttribute){
    /* 1: read mostly throughout; else 0. */
    ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
    /* Device or NUMA id, -1 for the host, -2 for not set. */
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
    /* int32_t[]: the accessors, -1 for the host; the rest -2. dataSize is a
     * multiple of 4 and not 0. */
    ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
    /* aclrtMemManagedLocationType; INVALID for not set. */
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
    /* The same three for the last place asked for by a prefetch. */
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID =
        8} aclrtMemManagedRangeAttribute;

/* --- Streams and events --- */

typedef ACL_INT_ENUM(aclrtStreamStatus){
    ACL_STREAM_STATUS_COMPLETE = 0, ACL_STREAM_STATUS_NOT_READY = 1,
    ACL_STREAM_STATUS_RESERVED = 0xFFFF} aclrtStreamStatus;

/* Beware: the reverse of aclrtStreamStatus. */
typedef ACL_INT_ENUM(aclrtEventRecordedStatus){
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1} aclrtEventRecordedStatus;

#endif /* ACL_ACL_RT_TYPES_H_ */
