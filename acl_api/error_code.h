// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// aclError inside an absl::Status, and the one place where the statuses of the
// layers below become codes.

#ifndef ACL_API_ERROR_CODE_H_
#define ACL_API_ERROR_CODE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "acl/acl_base.h"

namespace npu::acl {

// A status that answers exactly `code` (not 0). Used by the checks of this
// layer, whose codes are part of the interface.
absl::Status Failure(aclError code, absl::string_view message);

// The code that a status answers: 0 for OK; the code given to Failure; 507015
// for a kernel exception; a driver code by the driver's table (facts 1.0), and
// 507899 for one that is not in it; else by the kind of status. O(1).
aclError CodeOf(const absl::Status& status);

// The code for a driver's own number; 507899 where the table has none.
aclError CodeOfDriver(int driver_code);

// Whether a code reaches the thread's last-error slot: the runtime's bands
// (107, 207, 507), but not 207000.
bool ReachesLastErrorSlot(aclError code);

}  // namespace npu::acl

#endif  // ACL_API_ERROR_CODE_H_
