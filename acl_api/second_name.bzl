# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""A second file name for a file, as a symbolic link: the loader must see one
library, since two copies in a process would be two runtimes."""

def _second_name_impl(ctx):
    link = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = link, target_file = ctx.file.target)
    return [DefaultInfo(
        files = depset([link]),
        runfiles = ctx.runfiles(files = [link, ctx.file.target]),
    )]

second_name = rule(
    implementation = _second_name_impl,
    attrs = {
        "target": attr.label(mandatory = True, allow_single_file = True),
    },
    doc = "The target's name is the file name.",
)
