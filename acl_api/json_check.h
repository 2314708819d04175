// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// CheckJson: whether a text is JSON, for the configuration file of aclInit.

#ifndef ACL_API_JSON_CHECK_H_
#define ACL_API_JSON_CHECK_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace npu::acl {

// Whether `text` is one JSON value (RFC 8259) that is an object, with { and [
// nested at most 10 deep each (API page 02, aclInit). Nothing is kept of it.
// Error: InvalidArgument, "line N: ..." of the first fault. O(text).
absl::Status CheckJson(absl::string_view text);

}  // namespace npu::acl

#endif  // ACL_API_JSON_CHECK_H_
