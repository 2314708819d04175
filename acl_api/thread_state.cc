// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/thread_state.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include "absl/strings/str_join.h"
#include "hal/base/check.h"

namespace npu::acl {
namespace {

thread_local ThreadState* mine = nullptr;

// Runs at the end of every thread but one that ends by exit(): unlike the
// destructor of a thread_local object, which would leave the main thread
// without its state while static destructors run.
void Forget(void* state) {
  delete static_cast<ThreadState*>(state);
  mine = nullptr;
}

// The key plus one; 0 until it is made.
std::atomic<uint64_t> made_key{0};

// No function-local static: its guard is a lock that a fork could leave taken.
pthread_key_t Key() {
  uint64_t made = made_key.load(std::memory_order_acquire);
  if (made != 0) return static_cast<pthread_key_t>(made - 1);
  pthread_key_t key = 0;
  NPU_CHECK(pthread_key_create(&key, &Forget) == 0);
  if (made_key.compare_exchange_strong(made, uint64_t{key} + 1)) return key;
  pthread_key_delete(key);
  return static_cast<pthread_key_t>(made - 1);
}

}  // namespace

ThreadState& ThreadState::Mine() {
  if (mine == nullptr) {
    mine = new ThreadState();
    pthread_setspecific(Key(), mine);
  }
  return *mine;
}

aclError ThreadState::TakeLastError() {
  return std::exchange(last_error_, ACL_SUCCESS);
}

void ThreadState::AddText(std::string text) {
  texts_.push_back(std::move(text));
  if (texts_.size() > kMostTexts) texts_.pop_front();
}

const char* ThreadState::TakeTexts() {
  if (texts_.empty()) return nullptr;
  taken_ = absl::StrJoin(texts_, "\n");
  texts_.clear();
  return taken_.c_str();
}

void ThreadState::CheckInvariants() const {
  NPU_CHECK(texts_.size() <= kMostTexts);
  for (const std::string& text : texts_) NPU_CHECK(!text.empty());
}

}  // namespace npu::acl
