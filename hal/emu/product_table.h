// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Which product supports what: the emulator's own copy of the product lists,
// typed apart from those of the conformance rows, which judge it.

#ifndef HAL_EMU_PRODUCT_TABLE_H_
#define HAL_EMU_PRODUCT_TABLE_H_

#include "hal/api/device_registry.h"
#include "hal/emu/config.pb.h"

namespace npu::hal::emu {

// The features of config.product() under config.contract(), and its name and
// SoC. Source: API page 11-05, the product list of each function; page 04 for
// peer access.
DriverDescription DescribeProduct(const EmulatorConfig& config);

}  // namespace npu::hal::emu

#endif  // HAL_EMU_PRODUCT_TABLE_H_
