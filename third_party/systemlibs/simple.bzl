# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""A repository made of one BUILD template, checked against pkg-config files."""

load(":common.bzl", "find_pc_dir", "parse_pc", "stamp_header")

_PROBE = {
    "com_google_googletest": "gtest",
    "com_google_protobuf": "protobuf",
    "com_googlesource_code_re2": "re2",
}

def _impl(rctx):
    probe = rctx.attr.probe or _PROBE[rctx.name]
    pc_dir = find_pc_dir(rctx, probe)
    pc = parse_pc(rctx.read(pc_dir + "/" + probe + ".pc"))
    rctx.file("WORKSPACE", "")
    rctx.file("systemlibs_stamp/BUILD.bazel", "exports_files([\"%s.h\"])\n" % probe)
    stamp_header(rctx, probe, "%s %s" % (probe, pc.get("Version", "?")))
    if probe == "protobuf":
        protoc = rctx.which("protoc")
        if not protoc:
            fail("protoc not found: install protobuf-compiler")
        rctx.symlink(protoc, "bin/protoc")
        rctx.symlink("/usr/include/google/protobuf", "wkt/google/protobuf")

        # The label that protobuf 22 and later give to plugin authors.
        rctx.file("src/google/protobuf/compiler/BUILD.bazel", """\
alias(
    name = "code_generator",
    actual = "//:protoc_lib",
    visibility = ["//visibility:public"],
)
""")
    rctx.template("BUILD.bazel", rctx.attr.build_file, {
        "%{version}": pc.get("Version", "0"),
    })

system_libs = repository_rule(
    implementation = _impl,
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "probe": attr.string(),
    },
    local = True,
    configure = True,
)
