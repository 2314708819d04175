// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* A tour of managed memory: one pointer, used by the host and two devices, and
 * a table of what each step found, who holds the memory then, and how many page
 * faults the step took.
 *
 *   managed_tour [KERNELS]   KERNELS: the shared object with the kernels, else
 *                            tour_kernels.so next to the program
 *
 * Exit status 0 when every value, and where the library tells it, every
 * residency and fault count was right; 1 when one was not; 2 when a call
 * failed. */
#define _GNU_SOURCE /* dirname */
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "examples/tour_list.h"
#include "examples/tour_watch.h"

enum { kGranule = 2 * 1024 * 1024, kCount = kGranule / 8, kNodes = 1000 };

/* What one device needs to run the kernels. */
struct device {
  aclrtContext context;
  aclrtFuncHandle sum, twice, walk;
  int64_t *result; /* device memory, so that it takes no fault of its own */
};

static struct device devices[2];
static aclrtBinHandle binary;

/* Ends the tour when a call fails. */
static void ok(aclError code, const char *what) {
  if (code == ACL_SUCCESS) return;
  const char *text = aclGetRecentErrMsg();
  fprintf(stderr, "managed_tour: %s: %d: %s\n", what, code,
          text != NULL ? text : "no text");
  exit(2);
}

#define OK(call) ok((call), #call)

/* Opens a device and finds the kernels there. */
static void open_device(int id) {
  struct device *device = &devices[id];
  OK(aclrtSetDevice(id));
  OK(aclrtGetCurrentContext(&device->context));
  OK(aclrtBinaryGetFunction(binary, "tour_sum", &device->sum));
  OK(aclrtBinaryGetFunction(binary, "tour_double", &device->twice));
  OK(aclrtBinaryGetFunction(binary, "tour_walk", &device->walk));
  OK(aclrtMalloc((void **)&device->result, sizeof(int64_t),
                 ACL_MEM_MALLOC_HUGE_FIRST));
}

/* Runs a kernel of up to three 8-byte arguments on a device and waits. */
static void run(int id, aclrtFuncHandle kernel, uint32_t blocks, int count,
                const uint64_t *words) {
  aclrtArgsHandle args = NULL;
  aclrtParamHandle param = NULL;
  OK(aclrtSetCurrentContext(devices[id].context));
  OK(aclrtKernelArgsInit(kernel, &args));
  for (int i = 0; i < count; ++i) {
    uint64_t word = words[i];
    OK(aclrtKernelArgsAppend(args, &word, sizeof word, &param));
  }
  OK(aclrtKernelArgsFinalize(args));
  OK(aclrtLaunchKernelWithConfig(kernel, blocks, NULL, NULL, args, NULL));
  OK(aclrtSynchronizeStream(NULL));
}

static uint64_t word_of(const void *pointer) {
  return (uint64_t)(uintptr_t)pointer;
}

/* The result that the last kernel left on a device. */
static int64_t result_of(int id) {
  int64_t result = 0;
  OK(aclrtMemcpy(&result, sizeof result, devices[id].result, sizeof result,
                 ACL_MEMCPY_DEVICE_TO_HOST));
  return result;
}

static int64_t sum_on(int id, const int64_t *values) {
  const uint64_t words[] = {word_of(values), kCount,
                            word_of(devices[id].result)};
  run(id, devices[id].sum, 1, 3, words);
  return result_of(id);
}

static int64_t walk_on(int id, const struct tour_node *head, int64_t step) {
  const uint64_t words[] = {word_of(head), (uint64_t)step,
                            word_of(devices[id].result)};
  run(id, devices[id].walk, 1, 3, words);
  return result_of(id);
}

static int64_t sum_on_host(const int64_t *values) {
  int64_t total = 0;
  for (int i = 0; i < kCount; ++i) total += values[i];
  return total;
}

static void prefetch(const void *pointer, aclrtMemManagedLocationType type,
                     int id) {
  const aclrtMemManagedLocation location = {type, id};
  OK(aclrtMemManagedPrefetchAsync(pointer, kGranule, location, 0, NULL));
  OK(aclrtSynchronizeStream(NULL));
}

static void *allocate(void) {
  void *pointer = NULL;
  OK(aclrtMemAllocManaged(&pointer, kGranule, ACL_RT_MEM_ATTACH_GLOBAL));
  return pointer;
}

/* An array that goes host -> 0 -> 1 -> host. Answers it. */
static int64_t *tour_of_an_array(void) {
  const int64_t sum = (int64_t)kCount * (kCount + 1) / 2;
  int64_t *values = allocate();
  watch(values);
  step("allocate", 0, 0, (struct want){.owner = kNowhere, .no_faults = 1});

  for (int i = 0; i < kCount; ++i) values[i] = i + 1;
  step("write on the host", values[kCount - 1], kCount,
       (struct want){.owner = kHost, .faults_at = kHost});

  step("sum on device 0", sum_on(0, values), sum,
       (struct want){.owner = 0, .faults_at = 0});

  const uint64_t words[] = {word_of(values), kCount};
  run(1, devices[1].twice, 4, 2, words);
  step("double on device 1", 0, 0, (struct want){.owner = 1, .faults_at = 1});

  step("read on the host", sum_on_host(values), 2 * sum,
       (struct want){.owner = kHost, .faults_at = kHost});
  return values;
}

/* A list whose pointers are followed on both devices. */
static void tour_of_a_list(void) {
  const int64_t sum = (int64_t)kNodes * (kNodes + 1) / 2;
  struct tour_node *nodes = allocate();
  watch(nodes);
  for (int i = 0; i < kNodes; ++i) {
    nodes[i].next = i + 1 < kNodes ? &nodes[i + 1] : NULL;
    nodes[i].value = i + 1;
  }
  step("build a list on the host", nodes[kNodes - 1].value, kNodes,
       (struct want){.owner = kHost, .faults_at = kHost});
  step("walk it on device 0", walk_on(0, nodes, 1), sum,
       (struct want){.owner = 0, .faults_at = 0});
  step("walk it on device 1", walk_on(1, nodes, 1), sum + kNodes,
       (struct want){.owner = 1, .faults_at = 1});
  OK(aclrtFree(nodes));
}

/* A prefetch spares the faults. */
static void tour_of_prefetch(int64_t *values) {
  const int64_t sum = sum_on_host(values);
  watch(values);
  prefetch(values, ACL_MEM_LOCATIONTYPE_DEVICE, 0);
  step("prefetch to device 0", 0, 0, (struct want){.owner = 0, .no_faults = 1});
  step("sum on device 0 again", sum_on(0, values), sum,
       (struct want){.owner = 0, .no_faults = 1});
  prefetch(values, ACL_MEM_LOCATIONTYPE_HOST, 0);
  step("prefetch to the host", 0, 0,
       (struct want){.owner = kHost, .no_faults = 1});
  step("read on the host again", sum_on_host(values), sum,
       (struct want){.owner = kHost, .no_faults = 1});
}

/* Read mostly: copies for all readers, until somebody writes. */
static void tour_of_read_mostly(int64_t *values) {
  const int64_t sum = sum_on_host(values);
  const aclrtMemManagedLocation nowhere = {ACL_MEM_LOCATIONTYPE_INVALID, 0};
  watch(values);
  OK(aclrtMemManagedAdvise(values, kGranule, ACL_MEM_ADVISE_SET_READ_MOSTLY,
                           nowhere));
  step("read mostly: sum on 0", sum_on(0, values), sum,
       (struct want){
           .owner = kHost, .holders = HOLDS(kHost) | HOLDS(0), .faults_at = 0});
  step("read mostly: sum on 1", sum_on(1, values), sum,
       (struct want){.owner = kHost,
                     .holders = HOLDS(kHost) | HOLDS(0) | HOLDS(1),
                     .faults_at = 1});
  step("read mostly: host", sum_on_host(values), sum,
       (struct want){.owner = kHost,
                     .holders = HOLDS(kHost) | HOLDS(0) | HOLDS(1),
                     .no_faults = 1});
  values[0] += 1;
  step("a write drops the copies", sum_on_host(values), sum + 1,
       (struct want){
           .owner = kHost, .holders = HOLDS(kHost), .faults_at = kHost});
}

/* The kernels' file: as given, or next to the program. */
static const char *kernels_path(int argc, char **argv) {
  static char path[PATH_MAX];
  if (argc > 1) return argv[1];
  char program[PATH_MAX];
  snprintf(program, sizeof program, "%s", argv[0]);
  snprintf(path, sizeof path, "%s/tour_kernels.so", dirname(program));
  return path;
}

static void start(const char *kernels) {
  OK(aclInit(NULL));
  uint32_t count = 0;
  OK(aclrtGetDeviceCount(&count));
  if (count < 2) {
    fprintf(stderr, "managed_tour: needs two devices, there are %u\n", count);
    exit(2);
  }
  OK(aclrtSetDevice(0));
  OK(aclrtBinaryLoadFromFile(kernels, NULL, &binary));
  open_device(0);
  open_device(1);
  start_watch(2);
}

int main(int argc, char **argv) {
  start(kernels_path(argc, argv));
  int64_t *values = tour_of_an_array();
  tour_of_a_list();
  tour_of_prefetch(values);
  tour_of_read_mostly(values);
  OK(aclrtFree(values));
  OK(aclrtFree(devices[0].result));
  OK(aclrtFree(devices[1].result));
  OK(aclrtBinaryUnLoad(binary));
  OK(aclFinalize());
  return end_watch();
}
