# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""cc_proto: a cc_library of .proto files, by the installed protoc.

rules_proto is not needed, and neither is protobuf's source.
"""

load("@rules_cc//cc:defs.bzl", "cc_library")

ProtoSourcesInfo = provider(
    doc = "What a .proto file needs to be read.",
    fields = {"sources": "depset of the .proto files, imported ones included"},
)

def _proto_gen_impl(ctx):
    sources = depset(
        ctx.files.srcs,
        transitive = [d[ProtoSourcesInfo].sources for d in ctx.attr.deps],
    )
    outputs = []
    for source in ctx.files.srcs:
        stem = source.basename[:-len(".proto")]
        for suffix in [".pb.h", ".pb.cc"]:
            outputs.append(ctx.actions.declare_file(stem + suffix, sibling = source))

    args = ctx.actions.args()
    args.add("-I.")
    if ctx.files._well_known:
        # They lie in an external tree: .../google/protobuf/any.proto.
        path = ctx.files._well_known[0].path
        args.add("-I" + path[:path.index("google/protobuf/")])
    args.add("--cpp_out=" + ctx.bin_dir.path)
    args.add_all(ctx.files.srcs)
    ctx.actions.run(
        executable = ctx.executable._protoc,
        arguments = [args],
        inputs = depset(ctx.files._well_known, transitive = [sources]),
        outputs = outputs,
        mnemonic = "Protoc",
        progress_message = "Generating C++ of %s" % ctx.label,
    )
    return [
        DefaultInfo(files = depset(outputs)),
        ProtoSourcesInfo(sources = sources),
    ]

_proto_gen = rule(
    implementation = _proto_gen_impl,
    attrs = {
        "srcs": attr.label_list(
            allow_files = [".proto"],
            doc = "Files of this very package, none of them generated.",
        ),
        "deps": attr.label_list(providers = [ProtoSourcesInfo]),
        "_protoc": attr.label(
            default = "@com_google_protobuf//:protoc",
            executable = True,
            cfg = "exec",
        ),
        "_well_known": attr.label(
            default = "@com_google_protobuf//:well_known_type_protos",
        ),
    },
)

def cc_proto(name, srcs, deps = [], **kwargs):
    """Compiles .proto files into a cc_library.

    Include them by their path from the workspace root, "mm/x.pb.h".

    Args:
      name: the name of the cc_library.
      srcs: .proto files of this package.
      deps: the cc_proto targets of the files that these import.
      **kwargs: passed on to cc_library.
    """
    _proto_gen(
        name = name + "_gen",
        srcs = srcs,
        # "//mm:x" and ":x" alike; "//mm" would need its target spelled out.
        deps = [d + "_gen" for d in deps],
        visibility = kwargs.get("visibility"),
    )
    cc_library(
        name = name,
        srcs = [":" + name + "_gen"],
        deps = deps + ["@com_google_protobuf//:protobuf"],
        **kwargs
    )
