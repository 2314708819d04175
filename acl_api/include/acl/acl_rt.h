// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* The runtime's C interface: one header per family. C11 and C++17. */
#ifndef ACL_ACL_RT_H_
#define ACL_ACL_RT_H_

#include "acl/acl_base.h"
#include "acl/acl_rt_device.h"
#include "acl/acl_rt_init.h"
#include "acl/acl_rt_kernel.h"
#include "acl/acl_rt_managed.h"
#include "acl/acl_rt_memory.h"
#include "acl/acl_rt_stream.h"
#include "acl/acl_rt_types.h"

#endif /* ACL_ACL_RT_H_ */
