# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

package(default_visibility = ["//visibility:public"])

# GoogleTest %{version}: Debian ships static archives only.
cc_library(
    name = "gtest",
    hdrs = ["//systemlibs_stamp:gtest.h"],
    defines = ["GTEST_HAS_PTHREAD=1"],
    linkopts = ["-lgmock", "-lgtest", "-pthread"],
)

cc_library(
    name = "gtest_main",
    # gmock_main also parses --gmock_* flags, as upstream's gtest_main does.
    linkopts = ["-lgmock_main"],
    deps = [":gtest"],
)

alias(name = "gmock", actual = ":gtest")

alias(name = "gmock_main", actual = ":gtest_main")
