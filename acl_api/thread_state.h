// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// ThreadState: what the C interface remembers for each calling thread.

#ifndef ACL_API_THREAD_STATE_H_
#define ACL_API_THREAD_STATE_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "acl/acl_base.h"

namespace npu::acl {

class Context;

// What it is: the current context, the last-error slot and the error texts of
// one thread. Owned by the thread: made at its first call, deleted when it
// ends, except for the main thread's, since static destructors of a client may
// still call us. Threads: only its own. Cost: O(1).
class ThreadState {
 public:
  // Texts that are kept until they are asked for; older ones go.
  static constexpr size_t kMostTexts = 16;

  // The calling thread's state. Throws std::bad_alloc at its first call.
  static ThreadState& Mine();

  // The context that is current here; null when there is none or it is gone.
  std::shared_ptr<Context> context() const { return context_.lock(); }
  void set_context(std::weak_ptr<Context> context) {
    context_ = std::move(context);
  }

  // The last-error slot (facts 1.0.9). TakeLastError clears it.
  aclError last_error() const { return last_error_; }
  void set_last_error(aclError code) { last_error_ = code; }
  aclError TakeLastError();

  // Adds the text of an error.
  void AddText(std::string text);

  // All texts, one a line, oldest first, and forgets them; null when there is
  // none. Valid until the next call of this method.
  const char* TakeTexts();

  // At most kMostTexts texts, none of them empty.
  void CheckInvariants() const;

 private:
  ThreadState() = default;

  std::weak_ptr<Context> context_;
  std::deque<std::string> texts_;
  std::string taken_;
  aclError last_error_ = ACL_SUCCESS;
};

}  // namespace npu::acl

#endif  // ACL_API_THREAD_STATE_H_
