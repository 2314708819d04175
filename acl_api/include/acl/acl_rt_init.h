// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Start, end, and errors of the runtime.
 *
 * Rules of all functions of this interface:
 * 1. Errors are tested in the order in which a comment lists them.
 * 2. Outputs are written on success only.
 * 3. Every error leaves a text for aclGetRecentErrMsg.
 * 4. Every function may be called from any thread.
 * 5. A pointer argument may lie in managed memory, wherever that lives now.
 * 6. In a child after fork() every call answers 107002.
 * 7. "ctx" in a list of errors: 107002, no current context. "handle":
 *    107017, not a live handle of the right kind.
 * 8. Where a product lacks a function: 207000. */
#ifndef ACL_ACL_RT_INIT_H_
#define ACL_ACL_RT_INIT_H_

#include "acl/acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the runtime. The emulated NPU reads its configuration from the file
 * that the environment variable NPU_EMU_CONFIG names, else takes defaults.
 *   configPath  NULL, or a JSON file, { and [ nested at most 10 deep each.
 *               Its content changes nothing here.
 * Errors: 100003 the file cannot be read; 100005 it is over 1 MiB; 100006 it
 * is not JSON; 100000
 * initialised already with another file; 100002 initialised already (may be
 * ignored); 100003 NPU_EMU_CONFIG's file cannot be read; 100006 it does not
 * parse or has an impossible value, the text names file, line and field; what
 * the driver answers.
 * Source: 02 aclInit. */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/* Ends the runtime, however often it was initialised: streams are dropped,
 * all memory is freed, all handles die. aclInit may follow.
 * Errors: 100037 not initialised; 107000 a call from a host function of its
 * streams. Source: 02 aclFinalize. */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/* The name of the chip of device 0, such as "Ascend910B1"; NULL before
 * aclInit. The text lives until the process ends.
 * Source: 03 aclrtGetSocName. */
ACL_FUNC_VISIBILITY const char *aclrtGetSocName(void);

/* The texts of the calling thread's errors since the last such call, the
 * newest last, each of the form "function: parameter value rule"; NULL when
 * there is none. The pointer is valid until the thread calls this again.
 * Source: 22 aclGetRecentErrMsg. */
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg(void);

/* The calling thread's last runtime error (bands 107, 207, 507), cleared by
 * this call; 0 for none. Errors of the band 100 and 200 and answers of 207000
 * do not get here; a success changes nothing.
 *   level  ACL_RT_THREAD_LEVEL
 * Errors: 100000 another level.
 * Source: 13 aclrtGetLastError. */
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);

/* As aclrtGetLastError, without clearing.
 * Source: 13 aclrtPeekAtLastError. */
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_INIT_H_ */
