// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of the device program; device_image_bytes.S takes them in.

#ifndef HAL_EMU_DEVICE_IMAGE_BYTES_H_
#define HAL_EMU_DEVICE_IMAGE_BYTES_H_

extern "C" {
extern const char npu_device_image_begin[];
extern const char npu_device_image_end[];
}

#endif  // HAL_EMU_DEVICE_IMAGE_BYTES_H_
