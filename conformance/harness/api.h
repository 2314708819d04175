// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The judged library's functions, found by name.
#ifndef CONFORMANCE_HARNESS_API_H_
#define CONFORMANCE_HARNESS_API_H_

#include <string>

#include "absl/status/statusor.h"
#include "acl/acl.h"
#include "acl/npu_emulator.h"

namespace npu::conformance {

// Plain pointers, never null but for the emulator's own. The library stays
// loaded until the process ends: its threads may outlive a dlclose.
struct Api {
  decltype(&::aclInit) aclInit;
  decltype(&::aclFinalize) aclFinalize;
  decltype(&::aclGetRecentErrMsg) aclGetRecentErrMsg;
  decltype(&::aclrtGetLastError) aclrtGetLastError;
  decltype(&::aclrtSetDevice) aclrtSetDevice;
  decltype(&::aclrtResetDevice) aclrtResetDevice;
  decltype(&::aclrtGetDeviceCount) aclrtGetDeviceCount;
  decltype(&::aclrtDeviceEnablePeerAccess) aclrtDeviceEnablePeerAccess;
  decltype(&::aclrtDeviceDisablePeerAccess) aclrtDeviceDisablePeerAccess;
  decltype(&::aclrtDevicePeerAccessStatus) aclrtDevicePeerAccessStatus;
  decltype(&::aclrtCreateContext) aclrtCreateContext;
  decltype(&::aclrtDestroyContext) aclrtDestroyContext;
  decltype(&::aclrtSetCurrentContext) aclrtSetCurrentContext;
  decltype(&::aclrtGetCurrentContext) aclrtGetCurrentContext;
  decltype(&::aclrtCreateStream) aclrtCreateStream;
  decltype(&::aclrtDestroyStream) aclrtDestroyStream;
  decltype(&::aclrtSynchronizeStream) aclrtSynchronizeStream;
  decltype(&::aclrtCreateEvent) aclrtCreateEvent;
  decltype(&::aclrtDestroyEvent) aclrtDestroyEvent;
  decltype(&::aclrtLaunchHostFunc) aclrtLaunchHostFunc;
  decltype(&::aclrtMalloc) aclrtMalloc;
  decltype(&::aclrtFree) aclrtFree;
  decltype(&::aclrtMallocHost) aclrtMallocHost;
  decltype(&::aclrtFreeHost) aclrtFreeHost;
  decltype(&::aclrtGetMemInfo) aclrtGetMemInfo;
  decltype(&::aclrtMemAllocManaged) aclrtMemAllocManaged;
  decltype(&::aclrtMemManagedAdvise) aclrtMemManagedAdvise;
  decltype(&::aclrtMemManagedGetAttr) aclrtMemManagedGetAttr;
  decltype(&::aclrtMemManagedGetAttrs) aclrtMemManagedGetAttrs;
  decltype(&::aclrtMemManagedPrefetchAsync) aclrtMemManagedPrefetchAsync;
  decltype(&::aclrtMemManagedPrefetchBatchAsync)
      aclrtMemManagedPrefetchBatchAsync;
  decltype(&::aclrtMemP2PMap) aclrtMemP2PMap;
  decltype(&::aclrtPointerGetAttributes) aclrtPointerGetAttributes;

  // Null in a library that is not the emulator.
  decltype(&::npuEmuGetResidency) npuEmuGetResidency;
  decltype(&::npuEmuGetCounters) npuEmuGetCounters;
  decltype(&::npuEmuGetWindow) npuEmuGetWindow;
  decltype(&::npuEmuGetRung) npuEmuGetRung;
};

// Loads the library at `path`. Not thread-safe; once per process.
// Errors: NotFound for a file that cannot be loaded, FailedPrecondition for a
// library that lacks functions; the message names them all.
absl::StatusOr<Api> LoadApi(const std::string& path);

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_API_H_
