# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""The C++ rules of this repository: the native ones with our warnings set.

A target with a C source (".c") gets NPU_C_COPTS, every other one NPU_COPTS.
`copts` given by the caller come last and so win.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("//tools:copts.bzl", "NPU_COPTS", "NPU_C_COPTS")

def _copts(srcs, extra):
    """The warnings for these sources, then the caller's options."""
    in_c = [s for s in srcs if s.endswith(".c")]
    return (NPU_C_COPTS if in_c else NPU_COPTS) + extra

def npu_cc_library(name, srcs = [], copts = [], **kwargs):
    """cc_library with our warnings.

    Args:
      name: the target's name.
      srcs: its sources, a plain list of labels.
      copts: more compiler options.
      **kwargs: passed on to cc_library.
    """
    cc_library(
        name = name,
        srcs = srcs,
        copts = _copts(srcs, copts),
        **kwargs
    )

def npu_cc_binary(name, srcs = [], copts = [], **kwargs):
    """cc_binary with our warnings.

    Args:
      name: the target's name.
      srcs: its sources, a plain list of labels.
      copts: more compiler options.
      **kwargs: passed on to cc_binary.
    """
    cc_binary(
        name = name,
        srcs = srcs,
        copts = _copts(srcs, copts),
        **kwargs
    )

def npu_cc_test(
        name,
        srcs = [],
        deps = [],
        copts = [],
        size = "small",
        gtest_main = True,
        linkstatic = True,
        **kwargs):
    """cc_test with our warnings and GoogleTest's main().

    Args:
      name: the target's name.
      srcs: its sources, a plain list of labels.
      deps: its libraries; GoogleTest is added.
      copts: more compiler options.
      size: "small" means at most one minute.
      gtest_main: False for a test that has its own main(); such a test names
        GoogleTest itself, if it uses it.
      linkstatic: False links our libraries as shared ones.
      **kwargs: passed on to cc_test.
    """
    main = ["@com_google_googletest//:gtest_main"] if gtest_main else []
    cc_test(
        name = name,
        srcs = srcs,
        copts = _copts(srcs, copts),
        linkstatic = linkstatic,
        size = size,
        deps = deps + [d for d in main if d not in deps],
        **kwargs
    )
