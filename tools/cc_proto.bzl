# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""cc_proto_library without rules_proto: works with the installed protoc as
well as with protobuf's own module."""

load("@rules_cc//cc:defs.bzl", "cc_library")

ProtoSrcsInfo = provider(fields = ["srcs"])

def _gen_impl(ctx):
    outs = []
    protos = ctx.files.srcs
    dep_srcs = depset(protos, transitive = [d[ProtoSrcsInfo].srcs for d in ctx.attr.deps])
    suffixes = [".pb.h", ".pb.cc"] if not ctx.attr.plugin else ctx.attr.plugin_suffixes
    tools = [ctx.executable._protoc]
    for f in protos:
        base = f.basename[:-len(".proto")]
        for s in suffixes:
            outs.append(ctx.actions.declare_file(base + s))
    args = ctx.actions.args()
    args.add("-I.")

    # The protobuf module keeps its well-known types in an external tree.
    wkt = ctx.files._wkt
    if wkt:
        p = wkt[0].path
        args.add("-I" + p[:p.index("google/protobuf/")])
    if ctx.attr.plugin:
        args.add("--plugin=protoc-gen-x=" + ctx.executable.plugin.path)
        args.add("--x_out=" + ctx.bin_dir.path)
        tools.append(ctx.executable.plugin)
    else:
        args.add("--cpp_out=" + ctx.bin_dir.path)
    args.add_all(protos)
    ctx.actions.run(
        executable = ctx.executable._protoc,
        arguments = [args],
        inputs = depset(wkt, transitive = [dep_srcs]),
        tools = tools,
        outputs = outs,
        mnemonic = "Protoc",
        progress_message = "protoc %{label}",
    )
    return [DefaultInfo(files = depset(outs)), ProtoSrcsInfo(srcs = dep_srcs)]

proto_gen = rule(
    implementation = _gen_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".proto"]),
        "deps": attr.label_list(providers = [ProtoSrcsInfo]),
        "plugin": attr.label(executable = True, cfg = "exec"),
        "plugin_suffixes": attr.string_list(),
        "_protoc": attr.label(
            default = "@com_google_protobuf//:protoc",
            executable = True,
            allow_files = True,
            cfg = "exec",
        ),
        "_wkt": attr.label(default = "@com_google_protobuf//:well_known_type_protos"),
    },
)

def cc_proto(name, srcs, deps = [], **kwargs):
    """Compiles .proto files into a cc_library called name."""
    proto_gen(
        name = name + "_gen",
        srcs = srcs,
        deps = [d + "_gen" for d in deps],
        visibility = kwargs.get("visibility", None),
    )
    cc_library(
        name = name,
        srcs = [":" + name + "_gen"],
        deps = deps + ["@com_google_protobuf//:protobuf"],
        **kwargs
    )
