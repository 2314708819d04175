# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""@rules_cc and @rules_java for WORKSPACE builds: shims over the native rules.

Bazel 4.2.3's own @bazel_tools loads both, and would download them. Debian 12's
bazel-rules-cc 0.0.4 is too new for its bazel-bootstrap 4.2.3 (it loads
use_cpp_toolchain, which came with Bazel 5), so it cannot serve.
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

def _impl(rctx):
    lang = rctx.attr.lang
    rctx.file("WORKSPACE", "")
    rctx.file("BUILD.bazel", "")
    body = ["\"\"\"Forwards to the native rules.\"\"\"", ""]
    for rule in _RULES[lang]:
        body.append("def %s(**kwargs):\n    native.%s(**kwargs)\n" % (rule, rule))
    rctx.file(lang + "/defs.bzl", "\n".join(body))
    if lang == "shell":  # rules_shell has one file a rule
        for rule in _RULES[lang]:
            rctx.file("shell/%s.bzl" % rule, "def %s(**kwargs):\n    native.%s(**kwargs)\n" % (rule, rule))
    if lang == "cc":
        rctx.file("cc/BUILD.bazel", """\
alias(
    name = "toolchain_type",
    actual = "@bazel_tools//tools/cpp:toolchain_type",
    visibility = ["//visibility:public"],
)
""")
        rctx.file("cc/find_cc_toolchain.bzl", """\
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def find_cc_toolchain(ctx):
    return find_cpp_toolchain(ctx)
""")
    else:
        rctx.file(lang + "/BUILD.bazel", "")

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
        fail("%s is not installed" % rctx.attr.path)
    for child in rctx.path(rctx.attr.path).readdir():
        rctx.symlink(child, child.basename)

# The BUILD files and .bzl files that a Debian package installed, as a repository.
installed_rules = repository_rule(
    implementation = _installed_impl,
    attrs = {"path": attr.string()},
    local = True,
)
