// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/quiet_thread.h"

#include <pthread.h>
#include <signal.h>

#include <system_error>
#include <utility>

#include "hal/base/driver_code.h"

namespace npu {

absl::StatusOr<std::thread> StartQuietThread(const char* name,
                                             std::function<void()> run) {
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  std::thread thread;
  bool started = true;
  try {
    thread = std::thread(std::move(run));
    pthread_setname_np(thread.native_handle(), name);
  } catch (const std::system_error&) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  if (started) return thread;
  return DriverError(DriverCode::kNoResources, "no thread");
}

}  // namespace npu
