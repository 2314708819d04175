# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""Shared objects for the emulated NPU's devices."""

load("//tools:cc.bzl", "npu_cc_binary")

def npu_kernel(name, srcs, out = None, deps = [], **kwargs):
    """A kernel binary: a shared object that a device process loads.

    It is built in the build machine's own configuration, like the device
    program: a sanitizer's run time is in neither.

    Args:
      name: the target's name.
      srcs: C or C++ sources.
      out: the file's name; NAME.so when not given.
      deps: its libraries.
      **kwargs: passed on to the file's target (visibility, testonly).
    """
    built = "_" + name + "_object.so"
    npu_cc_binary(
        name = built,
        srcs = srcs,
        linkshared = True,
        deps = deps,
        tags = ["manual"],
    )
    native.genrule(
        name = name,
        outs = [out or name + ".so"],
        cmd = "cp -L $(location :%s) $@" % built,
        tools = [":" + built],
        **kwargs
    )
