// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device/executor.h"

#include <pthread.h>
#include <unistd.h>

#include "hal/emu/device/futex.h"

namespace {

thread_local uint32_t block_idx = 0;
thread_local uint32_t block_num = 0;

}  // namespace

// What a kernel may ask (acl/npu_kernel.h).
extern "C" {
__attribute__((visibility("default"))) uint32_t npu_block_idx(void);
__attribute__((visibility("default"))) uint32_t npu_block_num(void);
uint32_t npu_block_idx(void) { return block_idx; }
uint32_t npu_block_num(void) { return block_num; }
}

namespace npu::hal::emu {
namespace {

constexpr size_t kStackBytes = size_t{8} << 20;

// A kernel that ends its thread would leave its stream waiting for ever: the
// whole device ends instead, which is a kernel exception.
class KernelGuard {
 public:
  ~KernelGuard() {
    if (inside_) _exit(1);
  }
  void Enter() { inside_ = true; }
  void Leave() { inside_ = false; }

 private:
  bool inside_ = false;
};

thread_local KernelGuard guard;

// Integers and pointers are passed alike, and a function that takes fewer
// arguments does not see the others.
using Kernel = void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                        uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                        uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                        uint64_t);

void Call(const Lane& lane) {
  const auto kernel = reinterpret_cast<Kernel>(lane.function);
  const uint64_t* const a = lane.arguments;
  block_num = lane.blocks;
  for (block_idx = 0; block_idx < lane.blocks; ++block_idx) {
    kernel(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
           a[11], a[12], a[13], a[14], a[15]);
  }
}

void* RunLane(void* argument) {
  Lane& lane = *static_cast<Lane*>(argument);
  uint32_t served = lane.reply.load(std::memory_order_relaxed);
  while (true) {
    const uint32_t request = lane.request.load(std::memory_order_acquire);
    if (request == served) {
      FutexWait(lane.request, served);
      continue;
    }
    guard.Enter();
    Call(lane);
    guard.Leave();
    served = request;
    lane.reply.store(request, std::memory_order_release);
    FutexWakeAll(lane.reply);
  }
}

}  // namespace

int StartThread(void* (*entry)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, entry, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

int StartLane(Lane& lane) { return StartThread(RunLane, &lane); }

}  // namespace npu::hal::emu
