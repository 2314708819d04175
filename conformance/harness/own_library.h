// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Where our own library is when it is a program's data.
#ifndef CONFORMANCE_HARNESS_OWN_LIBRARY_H_
#define CONFORMANCE_HARNESS_OWN_LIBRARY_H_

#include <string>

#include "absl/status/statusor.h"

namespace npu::conformance {

// The path of //acl_api:libacl_rt.so in the runfiles of this program or test.
// Errors: NotFound.
absl::StatusOr<std::string> OwnLibrary();

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_OWN_LIBRARY_H_
