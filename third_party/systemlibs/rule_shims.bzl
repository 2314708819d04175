# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""Stand-ins for repositories that Bazel itself would download.

Bazel 4.2.3's @bazel_tools loads @rules_cc and @rules_java; ours forward to the
native rules. Debian 12's bazel-rules-cc needs a later Bazel than Debian 12's.
"""

_RULES = {
    "cc": [
        "cc_binary",
        "cc_import",
        "cc_library",
        "cc_proto_library",
        "cc_test",
        "cc_toolchain",
        "cc_toolchain_suite",
        "fdo_prefetch_hints",
        "fdo_profile",
        "objc_import",
        "objc_library",
    ],
    "java": [
        "java_binary",
        "java_import",
        "java_library",
        "java_lite_proto_library",
        "java_package_configuration",
        "java_plugin",
        "java_proto_library",
        "java_runtime",
        "java_test",
        "java_toolchain",
    ],
    "shell": [
        "sh_binary",
        "sh_library",
        "sh_test",
    ],
}

_FORWARD = """\
def %s(**kwargs):
    native.%s(**kwargs)
"""

_CC_BUILD = """\
alias(
    name = "toolchain_type",
    actual = "@bazel_tools//tools/cpp:toolchain_type",
    visibility = ["//visibility:public"],
)
"""

_FIND_CC_TOOLCHAIN = """\
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def find_cc_toolchain(ctx):
    return find_cpp_toolchain(ctx)
"""

def _impl(rctx):
    lang = rctx.attr.lang
    rctx.file("WORKSPACE", "")
    rctx.file("BUILD.bazel", "")
    rctx.file(lang + "/BUILD.bazel", _CC_BUILD if lang == "cc" else "")
    rctx.file(lang + "/defs.bzl", "\n".join([
        _FORWARD % (rule, rule)
        for rule in _RULES[lang]
    ]))
    if lang == "cc":
        rctx.file("cc/find_cc_toolchain.bzl", _FIND_CC_TOOLCHAIN)
    elif lang == "shell":  # rules_shell has a file for each rule
        for rule in _RULES[lang]:
            rctx.file("shell/%s.bzl" % rule, _FORWARD % (rule, rule))

rule_shim = repository_rule(
    implementation = _impl,
    attrs = {"lang": attr.string(values = ["cc", "java", "shell"])},
    local = True,
)

def _coverage_impl(rctx):
    rctx.file("WORKSPACE", "")
    rctx.file("merger.sh", """\
#!/bin/sh
echo "bazel coverage is not set up in this repository" >&2
exit 1
""")
    rctx.file("BUILD.bazel", """\
package(default_visibility = ["//visibility:public"])

[sh_binary(
    name = name,
    srcs = ["merger.sh"],
) for name in [
    "coverage_report_generator",
    "lcov_merger",
]]
""")

# Bazel 4.2.3 needs @remote_coverage_tools for the analysis of every cc_test,
# not only under `bazel coverage`, and would download it.
coverage_tools = repository_rule(
    implementation = _coverage_impl,
    local = True,
)

def _installed_impl(rctx):
    if not rctx.path(rctx.attr.path).exists:
        fail("no %s: run tools/setup.sh" % rctx.attr.path)
    for child in rctx.path(rctx.attr.path).readdir():
        rctx.symlink(child, child.basename)

# A repository of the BUILD and .bzl files that a Debian package installed.
installed_rules = repository_rule(
    implementation = _installed_impl,
    attrs = {"path": attr.string()},
    local = True,
)
