// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/thread_state.h"

#include <pthread.h>

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

pthread_key_t MakeKey() {
  pthread_key_t key = 0;
  NPU_CHECK(pthread_key_create(&key, &Forget) == 0);
  return key;
}

}  // namespace

ThreadState& ThreadState::Mine() {
  if (mine == nullptr) {
    static const pthread_key_t key = MakeKey();
    mine = new ThreadState();
    pthread_setspecific(key, mine);
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
