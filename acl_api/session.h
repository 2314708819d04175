// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Session: what one call of the C interface works with.

#ifndef ACL_API_SESSION_H_
#define ACL_API_SESSION_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "acl_api/context.h"
#include "acl_api/runtime.h"
#include "acl_api/stream.h"
#include "hal/api/device_registry.h"

namespace npu::acl {

// What it is: the use of the runtime for the time of one call, and the calling
// thread's place in it. While it lives the runtime cannot end; it is no lock.
// Threads: the calling one. Cost: O(1).
class Session {
 public:
  // Enters the runtime if there is one; a session without is legal, since many
  // calls answer without it.
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Null when the runtime is off.
  Runtime* runtime_or_null() const { return runtime_; }

  // Error: 107002, the runtime is off.
  absl::StatusOr<Runtime*> Started() const;

  // The thread's current context; the runtime is on then. Error: 107002.
  absl::StatusOr<std::shared_ptr<Context>> CurrentContext() const;

  // Whether the product has a feature. Error: 207000. True while the runtime is
  // off, when no product is known.
  absl::Status Require(hal::Feature feature, absl::string_view what) const;

 private:
  Runtime* const runtime_;
};

}  // namespace npu::acl

#endif  // ACL_API_SESSION_H_
