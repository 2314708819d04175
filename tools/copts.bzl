# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""Warnings of our own code. All are errors; system headers are exempt."""

_COMMON = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wcast-qual",
    "-Wformat=2",
    "-Wimplicit-fallthrough=5",
    "-Wshadow",
    "-Wundef",
    "-Wvla",
]

# For C++ sources.
NPU_COPTS = _COMMON + [
    "-Wnon-virtual-dtor",
    "-Wold-style-cast",
    "-Woverloaded-virtual",
    "-Wsuggest-override",
]

# For C sources, and for targets that mix both languages.
NPU_C_COPTS = _COMMON
