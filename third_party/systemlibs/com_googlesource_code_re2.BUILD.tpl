# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "re2",
    hdrs = ["//systemlibs_stamp:re2.h"],
    linkopts = ["-lre2", "-pthread"],
)
