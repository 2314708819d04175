// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* Plain C against the built library: every function is called once, before
 * aclInit, with arguments that it must refuse (or answer) then. */
#include <stdio.h>
#include <string.h>

#include "acl/acl.h"
#include "acl/npu_emulator.h"

static int wrong;

static void expect(const char *call, aclError got, aclError wanted) {
  if (got == wanted) return;
  fprintf(stderr, "%s: got %d, wanted %d\n", call, got, wanted);
  ++wrong;
}

#define EXPECT(wanted, call) expect(#call, call, wanted)

/* What the calls may write to; they must not, where they fail. */
static void *pointer;
static int32_t word;
static uint32_t unsigned_word;
static size_t size;

static void nothing(void *args) { (void)args; }

static void start_and_errors(void) {
  EXPECT(100003, aclInit("/no/such/file"));
  EXPECT(100037, aclFinalize());
  if (aclrtGetSocName() != NULL) ++wrong;
  EXPECT(0, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) == 107002 ? 0 : 1);
  EXPECT(107002, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  if (aclGetRecentErrMsg() == NULL) ++wrong;
}

static void devices(void) {
  EXPECT(100000, aclrtGetDevice(NULL));
  EXPECT(107002, aclrtResetDevice(0));
  EXPECT(107002, aclrtResetDeviceForce(0));
  EXPECT(107002, aclrtGetDeviceCount(&unsigned_word));
  EXPECT(107002, aclrtSynchronizeDevice());
  EXPECT(100000, aclrtDeviceCanAccessPeer(&word, 1, 1));
  EXPECT(200006, aclrtDeviceEnablePeerAccess(1, 1));
  EXPECT(107002, aclrtDeviceDisablePeerAccess(1));
  EXPECT(100000, aclrtDevicePeerAccessStatus(0, 1, NULL));
  EXPECT(107002, aclrtCreateContext(&pointer, 0));
  EXPECT(100000, aclrtDestroyContext(NULL));
  EXPECT(107000, aclrtSetCurrentContext(&word));
  EXPECT(107002, aclrtGetCurrentContext(&pointer));
}

static void streams(void) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT(107002, aclrtCreateStream(&pointer));
  EXPECT(107017, aclrtDestroyStream(&word));
  EXPECT(107017, aclrtDestroyStreamForce(&word));
  EXPECT(107002, aclrtSynchronizeStream(NULL));
  EXPECT(107002, aclrtStreamQuery(NULL, &status));
  EXPECT(107002, aclrtLaunchHostFunc(NULL, &nothing, NULL));
  EXPECT(107002, aclrtCreateEvent(&pointer));
  EXPECT(107017, aclrtDestroyEvent(&word));
  EXPECT(107017, aclrtRecordEvent(&word, NULL));
  EXPECT(107017, aclrtSynchronizeEvent(&word));
  EXPECT(107017, aclrtStreamWaitEvent(NULL, &word));
  EXPECT(107017, aclrtQueryEventStatus(&word, &recorded));
}

static void memory(void) {
  EXPECT(107002, aclrtMalloc(&pointer, 1, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(107000, aclrtFree(&word));
  EXPECT(107002, aclrtMallocHost(&pointer, 1));
  EXPECT(107000, aclrtFreeHost(&word));
  EXPECT(107002, aclrtMemcpy(&word, 1, &size, 1, ACL_MEMCPY_DEFAULT));
  EXPECT(207000,
         aclrtMemcpyAsync(&word, 1, &size, 1, ACL_MEMCPY_HOST_TO_HOST, NULL));
  EXPECT(107002, aclrtMemset(&word, 1, 0, 1));
  EXPECT(107000, aclrtMemsetAsync(&word, 1, 0, 2, NULL));
  EXPECT(107002, aclrtGetMemInfo(ACL_HBM_MEM, &size, &size));
}

static void managed(void) {
  const aclrtMemManagedLocation host = {ACL_MEM_LOCATIONTYPE_HOST, 0};
  const void *from = &word;
  size_t index = 0;
  size_t granule = 2097152;
  aclrtMemManagedLocation places[1] = {{ACL_MEM_LOCATIONTYPE_HOST, 0}};
  aclrtMemManagedRangeAttribute attribute = ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  void *data = &word;
  aclrtPtrAttributes attributes;
  EXPECT(107002, aclrtMemAllocManaged(&pointer, 1, ACL_RT_MEM_ATTACH_GLOBAL));
  EXPECT(107002, aclrtMemManagedAdvise(&word, granule,
                                       ACL_MEM_ADVISE_SET_READ_MOSTLY, host));
  EXPECT(107000, aclrtMemManagedGetAttr(attribute, &word, 1, &word, 4));
  size = 4;
  EXPECT(107000,
         aclrtMemManagedGetAttrs(&attribute, 1, &word, 1, &data, &size));
  size = 0;
  EXPECT(507000, aclrtMemManagedPrefetchAsync(&word, granule, host, 0, NULL));
  EXPECT(507000, aclrtMemManagedPrefetchBatchAsync(&from, &granule, 1, places,
                                                   &index, 1, 0, NULL));
  EXPECT(107002, aclrtMemP2PMap(&word, 1, 0, 0));
  memset(&attributes, 0xEE, sizeof attributes);
  EXPECT(0, aclrtPointerGetAttributes(&word, &attributes));
  if (attributes.location.type != ACL_MEM_LOCATION_TYPE_UNREGISTERED) ++wrong;
}

static void kernels(void) {
  EXPECT(107002, aclrtBinaryLoadFromFile("/no/such", NULL, &pointer));
  EXPECT(107017, aclrtBinaryGetFunction(&word, "name", &pointer));
  EXPECT(107017, aclrtBinaryUnLoad(&word));
  EXPECT(107017, aclrtKernelArgsInit(&word, &pointer));
  EXPECT(107017, aclrtKernelArgsAppend(&word, &size, 8, &pointer));
  EXPECT(107017, aclrtKernelArgsFinalize(&word));
  EXPECT(107017,
         aclrtLaunchKernelWithConfig(&word, 1, NULL, NULL, &word, NULL));
}

static void emulator(void) {
  npuEmuResidency residency;
  npuEmuCounters counters;
  uint64_t base = 0;
  EXPECT(107000, npuEmuGetResidency(&word, &residency));
  EXPECT(107002, npuEmuGetCounters(0, &counters));
  EXPECT(107002, npuEmuResetCounters());
  EXPECT(107002, npuEmuGetWindow(&base, &base));
  if (npuEmuGetRung() != NULL) ++wrong;
}

int main(void) {
  start_and_errors();
  devices();
  streams();
  memory();
  managed();
  kernels();
  emulator();
  if (pointer != NULL || word != 0 || unsigned_word != 0 || size != 0) {
    fprintf(stderr, "a failing call wrote an output\n");
    ++wrong;
  }
  /* The one that starts the runtime by itself. */
  EXPECT(107001, aclrtSetDevice(-1));
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclFinalize());
  return wrong == 0 ? 0 : 1;
}
