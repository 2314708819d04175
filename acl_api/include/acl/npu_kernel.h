// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* What a kernel for the emulated NPU may use. A kernel is an extern "C"
 * function of a shared object; it takes up to 16 integer or pointer arguments
 * and returns nothing. Blocks run one after the other, in the process of the
 * device, which provides the functions below: link the shared object without
 * them (no -z defs). */
#ifndef ACL_NPU_KERNEL_H_
#define ACL_NPU_KERNEL_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which block this call is: 0 to npu_block_num() - 1. 0 outside a kernel. */
uint32_t npu_block_idx(void);

/* The numBlocks of the launch. 0 outside a kernel. */
uint32_t npu_block_num(void);

#ifdef __cplusplus
}
#endif

#endif /* ACL_NPU_KERNEL_H_ */
