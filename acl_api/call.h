// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Run: the frame of every function of the C interface.

#ifndef ACL_API_CALL_H_
#define ACL_API_CALL_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "acl/acl_base.h"

namespace npu::acl {

// Runs the body of the public function named `function` and turns its status
// into what the caller gets: the code, the text for aclGetRecentErrMsg and the
// last-error slot. In a child after fork() the body does not run and the answer
// is 107002. No exception leaves: bad_alloc is 200000, any other 500000.
//
//   aclError aclrtFoo(void* p) {
//     return Run("aclrtFoo", [&]() -> absl::Status {
//       NPU_RETURN_IF_ERROR(NotNull("p", p));
//       return DoTheWork(p);
//     });
//   }
aclError Run(const char* function,
             absl::FunctionRef<absl::Status()> body) noexcept;

}  // namespace npu::acl

#endif  // ACL_API_CALL_H_
