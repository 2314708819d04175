// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* leave_early WAY: ends with the runtime in use, by returning from main
 * ("return"), by exit() on another thread ("exit") or with calls made by an
 * atexit function ("late"). 0: all calls answered what they should. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acl/acl.h"

static int *managed;

static void nothing(void *args) { (void)args; }

static int use(void) {
  void *pointer = NULL;
  if (aclInit(NULL) != 0 || aclrtSetDevice(0) != 0) return 1;
  if (aclrtMemAllocManaged(&pointer, 1, 1) != 0) return 2;
  managed = pointer;
  *managed = 7;
  for (int i = 0; i < 100; ++i) {
    if (aclrtLaunchHostFunc(NULL, &nothing, NULL) != 0) return 3;
  }
  return 0;
}

/* Everything still works: nothing of the library ends before the process. */
static void late(void) {
  if (*managed != 7 || aclrtSynchronizeStream(NULL) != 0) _exit(4);
  if (aclrtFree(managed) != 0 || aclFinalize() != 0) _exit(5);
}

static void *leave(void *args) {
  (void)args;
  exit(0);
}

int main(int argc, char **argv) {
  const int used = use();
  if (used != 0 || argc < 2) return used != 0 ? used : 6;
  if (strcmp(argv[1], "late") == 0) atexit(&late);
  if (strcmp(argv[1], "exit") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, &leave, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}
