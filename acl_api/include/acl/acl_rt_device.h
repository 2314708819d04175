// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Devices, access between them, and contexts. Device ids run from 0 to
 * count - 1. */
#ifndef ACL_ACL_RT_DEVICE_H_
#define ACL_ACL_RT_DEVICE_H_

#include "acl/acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the device's default context current for the thread; creates it, and
 * its default stream, at the first call. Counted per device. Starts the
 * runtime with its defaults when aclInit was not called.
 * Errors: 107001 bad id; what starting the runtime answers.
 * Source: 04 aclrtSetDevice. */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/* The device of the thread's current context.
 *   deviceId  out
 * Errors: 100000 deviceId NULL; ctx.
 * Source: 04 aclrtGetDevice. */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t *deviceId);

/* Takes one aclrtSetDevice back. The last one waits for the work of the
 * default context, ends it, its streams and the device's memory; managed
 * memory that lives on the device moves to the host first.
 * Errors: 107001 bad id; 107000 a call from a host function of its streams;
 * 507007 not set; 207001 no room on the host (the device is not reset then).
 * Source: 04 aclrtResetDevice. */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/* As aclrtResetDevice, whatever the count and without waiting.
 * Source: 04 aclrtResetDeviceForce. */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/* The number of devices.
 *   count  out
 * Errors: 100000 count NULL; 107002 runtime not started.
 * Source: 04 aclrtGetDeviceCount. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count);

/* Waits until all streams of the current device are empty.
 * Errors: ctx; 107000 a call from a host function of its streams; the first
 * error that a stream kept. Source: 04 aclrtSynchronizeDevice. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/* Whether deviceId can be given access to the memory of peerDeviceId.
 *   canAccessPeer  out: 1 or 0
 * Errors: 100000 ids equal; 107000 canAccessPeer NULL; 107001 bad id; 107002
 * runtime not started.
 * Source: 04 aclrtDeviceCanAccessPeer. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer,
                                                      int32_t deviceId,
                                                      int32_t peerDeviceId);

/* Lets peerDeviceId reach the memory of the current device. One direction; a
 * second call succeeds.
 *   flags  reserved, 0
 * Errors: 200006 flags not 0; ctx; 100000 peer is the current device; 107001
 * bad id; 207000 no link; 207012 too many peers.
 * Source: 04 aclrtDeviceEnablePeerAccess. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId,
                                                         uint32_t flags);

/* Takes aclrtDeviceEnablePeerAccess back, and the mappings made under it.
 * Errors: ctx; 100000 peer is the current device; 107001 bad id; 107000 not
 * enabled.
 * Source: 04 aclrtDeviceDisablePeerAccess. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/* Whether deviceId has been opened to peerDeviceId.
 *   status  out: 1 or 0
 * Errors: 100000 status NULL; 107002 runtime not started; 107000 bad id.
 * Source: 04 aclrtDevicePeerAccessStatus. */
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId,
                                                         int32_t peerDeviceId,
                                                         int32_t *status);

/* Creates a context with a default stream and makes it current.
 *   context  out
 * Errors: 100000 context NULL; 107002 runtime not started; 107001 bad id.
 * Source: 05 aclrtCreateContext. */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context,
                                                int32_t deviceId);

/* Ends a context of aclrtCreateContext and its streams, after their work.
 * Errors: 100000 NULL; 107000 not a live context, a default context, or a
 * call from a host callback.
 * Source: 05 aclrtDestroyContext. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/* Makes a context, and its device, current for the thread.
 * Errors: 100000 NULL; 107000 not a live context.
 * Source: 05 aclrtSetCurrentContext. */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/* The thread's current context.
 *   context  out
 * Errors: 100000 NULL; ctx.
 * Source: 05 aclrtGetCurrentContext. */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_DEVICE_H_ */
