// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Kernels. On the emulated NPU a kernel binary is a shared object for the
 * host's processor and a kernel an extern "C" function in it; acl/npu_kernel.h
 * is what such a function may use. */
#ifndef ACL_ACL_RT_KERNEL_H_
#define ACL_ACL_RT_KERNEL_H_

#include "acl/acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads a kernel binary, whatever the file's name, for the current device.
 *   options    NULL
 *   binHandle  out
 * Errors: 100000 binPath, binHandle NULL; ctx; 207000 options not NULL, or no
 * kernels; 107009 the file cannot be read; what the driver answers.
 * Source: 14 aclrtBinaryLoadFromFile. */
ACL_FUNC_VISIBILITY aclError
aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options,
                        aclrtBinHandle *binHandle);

/* Finds a function of a binary.
 *   funcHandle  out; dies with the binary
 * Errors: 100000 binHandle, kernelName, funcHandle NULL; handle; 507027 no
 * such function.
 * Source: 14 aclrtBinaryGetFunction. */
ACL_FUNC_VISIBILITY aclError
aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char *kernelName,
                       aclrtFuncHandle *funcHandle);

/* Unloads a binary; its functions die. Kernels enqueued before still run.
 * Errors: 100000 NULL; handle.
 * Source: 14 aclrtBinaryUnLoad. */
ACL_FUNC_VISIBILITY aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);

/* Starts a list of arguments. A launch copies it, so it serves any number. No
 * call ends it: it dies with the function, or when the function gets its 4096th
 * list after it.
 *   argsHandle  out
 * Errors: 100000 funcHandle, argsHandle NULL; handle.
 * Source: 14 aclrtKernelArgsInit. */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle,
                                                 aclrtArgsHandle *argsHandle);

/* Adds one argument, an integer or pointer, by copying it.
 *   param        host address of the value
 *   paramSize    bytes: 1, 2, 4 or 8; narrow values are zero-extended
 *   paramHandle  out
 * Errors: 100000 argsHandle, param NULL; 100000 paramSize 0; 100000
 * paramHandle NULL; handle; 107000 paramSize; 107000 more than 16 arguments;
 * 107000 finalized already.
 * Source: 14 aclrtKernelArgsAppend. */
ACL_FUNC_VISIBILITY aclError
aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param, size_t paramSize,
                      aclrtParamHandle *paramHandle);

/* Ends the list; it may be launched now, any number of times.
 * Errors: 100000 NULL; handle; 107000 finalized already.
 * Source: 14 aclrtKernelArgsFinalize. */
ACL_FUNC_VISIBILITY aclError
aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);

/* Calls the function numBlocks times on the device of the stream, in the
 * order of the stream. A kernel that crashes leaves 507015 on every stream
 * with a kernel running on that device.
 *   numBlocks  not 0
 *   stream     NULL: the default stream
 *   cfg        NULL
 *   reserve    NULL
 * Errors: 100000 funcHandle NULL; 100000 numBlocks 0; 100000 argsHandle NULL;
 * 100000 reserve; handle (function, arguments, stream); ctx; 107003; 107000
 * arguments not finalized, or of another function; 207000 cfg.
 * Source: 14 aclrtLaunchKernelWithConfig. */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithConfig(
    aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
    aclrtLaunchKernelCfg *cfg, aclrtArgsHandle argsHandle, void *reserve);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_KERNEL_H_ */
