// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/session.h"

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "acl_api/lifecycle.h"
#include "acl_api/thread_state.h"

namespace npu::acl {

Session::Session() : runtime_(Lifecycle::Get().Enter()) {}

Session::~Session() {
  if (runtime_ != nullptr) Lifecycle::Get().Leave();
}

absl::StatusOr<Runtime*> Session::Started() const {
  if (runtime_ != nullptr) return runtime_;
  return Failure(ACL_ERROR_RT_CONTEXT_NULL,
                 "the runtime is not started: call aclInit first");
}

absl::StatusOr<std::shared_ptr<Context>> Session::CurrentContext() const {
  std::shared_ptr<Context> context = ThreadState::Mine().context();
  if (runtime_ != nullptr && context != nullptr && context->live()) {
    return context;
  }
  return Failure(
      ACL_ERROR_RT_CONTEXT_NULL,
      "the thread has no current context: call aclrtSetDevice first");
}

absl::Status Session::Require(hal::Feature feature,
                              absl::string_view what) const {
  if (runtime_ == nullptr || runtime_->description().Supports(feature)) {
    return absl::OkStatus();
  }
  return Failure(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                 absl::StrCat(what, " is not supported by product ",
                              runtime_->description().product));
}

}  // namespace npu::acl
