// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* What a client includes: the whole C interface. The emulator's own functions
 * are apart, in acl/npu_emulator.h. */
#ifndef ACL_ACL_H_
#define ACL_ACL_H_

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#endif /* ACL_ACL_H_ */
