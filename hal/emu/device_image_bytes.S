// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// NPU_DEVICE_IMAGE is the path of the device program, by the build.
        .section .rodata
        .balign 16
        .hidden npu_device_image_begin
        .hidden npu_device_image_end
        .global npu_device_image_begin
        .global npu_device_image_end
npu_device_image_begin:
        .incbin NPU_DEVICE_IMAGE
npu_device_image_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
