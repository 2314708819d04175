# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""A repository made of one BUILD template, checked against pkg-config."""

load(":common.bzl", "find_pc_dir", "parse_pc", "stamp_header")

# The label that protobuf 22 and later give to the authors of plugins.
_CODE_GENERATOR_BUILD = """\
alias(
    name = "code_generator",
    actual = "//:protoc_lib",
    visibility = ["//visibility:public"],
)
"""

def _add_protoc(rctx):
    """The installed compiler and its well-known types."""
    protoc = rctx.which("protoc")
    if not protoc:
        fail("protoc not found: install protobuf-compiler (tools/setup.sh)")
    rctx.symlink(protoc, "bin/protoc")
    rctx.symlink("/usr/include/google/protobuf", "wkt/google/protobuf")
    rctx.file(
        "src/google/protobuf/compiler/BUILD.bazel",
        _CODE_GENERATOR_BUILD,
    )

def _impl(rctx):
    probe = rctx.attr.probe
    pc_dir = find_pc_dir(rctx, probe)
    version = parse_pc(rctx.read(pc_dir + "/" + probe + ".pc")).get("Version", "?")
    rctx.file("WORKSPACE", "")
    stamp_header(rctx, probe, "%s %s" % (probe, version))
    if probe == "protobuf":
        _add_protoc(rctx)
    rctx.template("BUILD.bazel", rctx.attr.build_file, {"%{version}": version})

system_lib = repository_rule(
    implementation = _impl,
    attrs = {
        "build_file": attr.label(
            allow_single_file = True,
            doc = "Template of BUILD.bazel; %{version} is replaced.",
            mandatory = True,
        ),
        "probe": attr.string(
            doc = "The pkg-config module that tells the version.",
            mandatory = True,
        ),
    },
    configure = True,
    local = True,
)
