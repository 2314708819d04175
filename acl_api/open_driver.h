// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// OpenDriver: the seam at which a library chooses its back end.

#ifndef ACL_API_OPEN_DRIVER_H_
#define ACL_API_OPEN_DRIVER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "hal/api/driver.h"

namespace npu::acl {

// Opens the driver of this library; each library links one definition. Errors:
// with the code that aclInit answers and a text that names what is wrong.
absl::StatusOr<std::unique_ptr<hal::Driver>> OpenDriver();

}  // namespace npu::acl

#endif  // ACL_API_OPEN_DRIVER_H_
