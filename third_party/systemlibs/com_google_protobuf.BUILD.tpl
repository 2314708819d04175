# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

package(default_visibility = ["//visibility:public"])

# protobuf %{version}
cc_library(
    name = "protobuf",
    hdrs = ["//systemlibs_stamp:protobuf.h"],
    linkopts = ["-lprotobuf", "-pthread"],
)

cc_library(
    name = "protobuf_lite",
    hdrs = ["//systemlibs_stamp:protobuf.h"],
    linkopts = ["-lprotobuf-lite", "-pthread"],
)

cc_library(
    name = "protoc_lib",
    linkopts = ["-lprotoc"],
    deps = [":protobuf"],
)

# The compiler itself, as an executable label.
sh_binary(
    name = "protoc",
    srcs = ["bin/protoc"],
)

filegroup(
    name = "well_known_type_protos",
    srcs = glob(["wkt/google/protobuf/*.proto"]),
)
