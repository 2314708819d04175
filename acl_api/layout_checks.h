// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Sizes, offsets and values of the C interface, checked by the compiler.
 * Compiles as C11 and C++17; the numbers are facts of the interface, so a
 * failure here means that the headers broke it. */
#ifndef ACL_API_LAYOUT_CHECKS_H_
#define ACL_API_LAYOUT_CHECKS_H_

#include <assert.h> /* static_assert in C11 */
#include <stddef.h>

#include "acl/acl.h"
#include "acl/npu_emulator.h"

#define NPU_SIZE(type, size) \
  static_assert(sizeof(type) == (size), "size of " #type)
#define NPU_AT(type, member, offset)                \
  static_assert(offsetof(type, member) == (offset), \
                "offset of " #member " in " #type)
#define NPU_VALUE(name, value) \
  static_assert((name) == (value), "value of " #name)

/* Scalars and handles. */
NPU_SIZE(aclError, 4);
NPU_SIZE(aclrtContext, 8);
NPU_SIZE(aclrtStream, 8);
NPU_SIZE(aclrtEvent, 8);
NPU_SIZE(aclrtBinHandle, 8);
NPU_SIZE(aclrtFuncHandle, 8);
NPU_SIZE(aclrtArgsHandle, 8);
NPU_SIZE(aclrtParamHandle, 8);
NPU_SIZE(aclrtHostFunc, 8);

/* Enumerations travel as int. */
NPU_SIZE(aclrtLastErrLevel, 4);
NPU_SIZE(aclrtMemMallocPolicy, 4);
NPU_SIZE(aclrtMemcpyKind, 4);
NPU_SIZE(aclrtMemAttr, 4);
NPU_SIZE(aclrtMemLocationType, 4);
NPU_SIZE(aclrtMemManagedAdviseType, 4);
NPU_SIZE(aclrtMemManagedLocationType, 4);
NPU_SIZE(aclrtMemManagedRangeAttribute, 4);
NPU_SIZE(aclrtStreamStatus, 4);
NPU_SIZE(aclrtEventRecordedStatus, 4);

/* Structures. */
NPU_SIZE(aclrtMemManagedLocation, 8);
NPU_AT(aclrtMemManagedLocation, type, 0);
NPU_AT(aclrtMemManagedLocation, id, 4);
NPU_SIZE(aclrtMemLocation, 8);
NPU_AT(aclrtMemLocation, id, 0);
NPU_AT(aclrtMemLocation, type, 4);
NPU_SIZE(aclrtPtrAttributes, 28);
NPU_AT(aclrtPtrAttributes, location, 0);
NPU_AT(aclrtPtrAttributes, pageSize, 8);
NPU_AT(aclrtPtrAttributes, rsv, 12);
NPU_SIZE(npuEmuResidency, 32);
NPU_AT(npuEmuResidency, owner, 0);
NPU_AT(npuEmuResidency, hostHolds, 4);
NPU_AT(npuEmuResidency, deviceHolds, 8);
NPU_AT(npuEmuResidency, readMostly, 16);
NPU_AT(npuEmuResidency, reserved, 20);
NPU_SIZE(npuEmuCounters, 128);
NPU_AT(npuEmuCounters, faults, 0);
NPU_AT(npuEmuCounters, prefetches, 56);
NPU_AT(npuEmuCounters, reserved, 64);

/* First and last value of each enumeration, and the odd ones. */
NPU_VALUE(ACL_RT_MEM_ATTACH_GLOBAL, 1);
NPU_VALUE(ACL_RT_THREAD_LEVEL, 0);
NPU_VALUE(ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, 7);
NPU_VALUE(ACL_MEM_ACCESS_USER_SPACE_READONLY, 0x100000);
NPU_VALUE(ACL_MEMCPY_DEFAULT, 4);
NPU_VALUE(ACL_MEMCPY_INTER_DEVICE_TO_DEVICE, 7);
NPU_VALUE(ACL_MEM_P2P_HUGE1G, 17);
NPU_VALUE(ACL_MEM_LOCATION_TYPE_HOST, 0);
NPU_VALUE(ACL_MEM_LOCATION_TYPE_MANAGED, 3);
NPU_VALUE(ACL_MEM_LOCATION_TYPE_HOST_NUMA, 4);
NPU_VALUE(ACL_MEM_ADVISE_SET_READ_MOSTLY, 0);
NPU_VALUE(ACL_MEM_ADVISE_UNSET_ACCESSED_BY, 5);
NPU_VALUE(ACL_MEM_LOCATIONTYPE_INVALID, 0);
NPU_VALUE(ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT, 4);
NPU_VALUE(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 1);
NPU_VALUE(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, 8);
NPU_VALUE(ACL_STREAM_STATUS_COMPLETE, 0);
NPU_VALUE(ACL_STREAM_STATUS_RESERVED, 0xFFFF);
NPU_VALUE(ACL_EVENT_RECORDED_STATUS_NOT_READY, 0);
NPU_VALUE(ACL_EVENT_RECORDED_STATUS_COMPLETE, 1);
NPU_VALUE(ACL_SUCCESS, 0);
NPU_VALUE(ACL_ERROR_INVALID_PARAM, 100000);
NPU_VALUE(ACL_ERROR_RT_PARAM_INVALID, 107000);
NPU_VALUE(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, 207000);
NPU_VALUE(ACL_ERROR_RT_DRV_INTERNAL_ERROR, 507899);

#endif /* ACL_API_LAYOUT_CHECKS_H_ */
