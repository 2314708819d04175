// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Event: a place in a stream's work, as clients name it.

#ifndef ACL_API_EVENT_H_
#define ACL_API_EVENT_H_

#include "absl/status/status.h"
#include "acl_api/stream.h"
namespace npu::acl {
class Event {
 public:
  absl::Status Record(Stream& stream);
  absl::Status MakeWait(Stream& stream);
  absl::Status Synchronize();
  bool IsComplete() const;
};
}  // namespace npu::acl

#endif  // ACL_API_EVENT_H_
