// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Streams, events, and functions that a stream runs on the host.
 *
 * A stream runs its tasks in order. NULL names the default stream of the
 * current context. A task that fails leaves its code on the stream; the next
 * synchronise answers it once, and later tasks run. */
#ifndef ACL_ACL_RT_STREAM_H_
#define ACL_ACL_RT_STREAM_H_

#include "acl/acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates a stream in the current context.
 *   stream  out
 * Errors: 100000 NULL; ctx; 207008 too many.
 * Source: 06 aclrtCreateStream. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream *stream);

/* Ends a stream after its pending work.
 * Errors: 100000 NULL; handle; ctx; 107003 a stream of another context;
 * 107000 a call from one of its own host functions.
 * Source: 06 aclrtDestroyStream. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/* As aclrtDestroyStream, but pending work is dropped.
 * Source: 06 aclrtDestroyStreamForce. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/* Waits until the stream is empty.
 * Errors: handle; ctx; 107003; 107000 a call from one of its own host
 * functions; the error that the stream kept.
 * Source: 06 aclrtSynchronizeStream. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/* Whether the stream is empty. Leaves a kept error where it is.
 *   status  out
 * Errors: 100000 status NULL; handle; ctx; 107003.
 * Source: 06 aclrtStreamQuery. */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream,
                                              aclrtStreamStatus *status);

/* Runs fn(args) on a thread of the runtime, in the order of the stream. fn
 * must not call what allocates, frees, waits or enqueues.
 * Errors: 107000 fn NULL; handle; ctx; 107003.
 * Source: 12 aclrtLaunchHostFunc. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream,
                                                 aclrtHostFunc fn, void *args);

/* Creates an event. Before its first record it counts as complete.
 *   event  out
 * Errors: 100000 NULL; ctx.
 * Source: 07 aclrtCreateEvent. */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent *event);

/* Ends an event, without waiting for it.
 * Errors: 100000 NULL; handle.
 * Source: 07 aclrtDestroyEvent. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/* The event now stands for the work enqueued in the stream so far.
 * Errors: 100000 event NULL; handle (event, then stream); ctx; 107003.
 * Source: 07 aclrtRecordEvent. */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event,
                                              aclrtStream stream);

/* Waits until the work that the event stands for is done.
 * Errors: 100000 NULL; handle; 107000 a call from a host function that the
 * event stands behind.
 * Source: 07 aclrtSynchronizeEvent. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/* Later work of the stream waits for the work that the event stands for.
 * Errors: 100000 event NULL; handle (event, then stream); ctx; 107003.
 * Source: 07 aclrtStreamWaitEvent. */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream,
                                                  aclrtEvent event);

/* Whether the work that the event stands for is done.
 *   status  out
 * Errors: 100000 event, status NULL; handle.
 * Source: 07 aclrtQueryEventStatus. */
ACL_FUNC_VISIBILITY aclError
aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_STREAM_H_ */
