// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/call.h"

#include <exception>
#include <new>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "acl_api/process_mark.h"
#include "acl_api/thread_state.h"

namespace npu::acl {
namespace {

absl::Status RunInOwnProcess(absl::FunctionRef<absl::Status()> body) {
  if (WhichProcess() == ProcessKind::kForkedChild) {
    return Failure(ACL_ERROR_RT_CONTEXT_NULL,
                   "the process is a child of the one that uses the runtime; "
                   "after fork() no call can be made");
  }
  return body();
}

// Without memory for a text the code must do.
void Note(const char* function, aclError code,
          absl::string_view text) noexcept {
  try {
    ThreadState& state = ThreadState::Mine();
    if (ReachesLastErrorSlot(code)) state.set_last_error(code);
    state.AddText(absl::StrCat(function, ": ", text, " [", code, "]"));
  } catch (const std::exception&) {
  }
}

aclError Fail(const char* function, aclError code, absl::string_view text) {
  Note(function, code, text);
  return code;
}

}  // namespace

aclError Run(const char* function,
             absl::FunctionRef<absl::Status()> body) noexcept {
  try {
    const absl::Status status = RunInOwnProcess(body);
    if (status.ok()) return ACL_SUCCESS;
    return Fail(function, CodeOf(status), status.message());
  } catch (const std::bad_alloc&) {
    return Fail(function, ACL_ERROR_BAD_ALLOC, "no memory on the host");
  } catch (const std::length_error&) {
    return Fail(function, ACL_ERROR_BAD_ALLOC, "an array is too long");
  } catch (const std::exception& error) {
    return Fail(function, ACL_ERROR_INTERNAL_ERROR, error.what());
  }
}

}  // namespace npu::acl
