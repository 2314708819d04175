# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""External repositories for WORKSPACE builds (no network): the machine's own
installed libraries under their canonical Bazel labels."""

load("//third_party/systemlibs:absl.bzl", "system_absl")
load("//third_party/systemlibs:rule_shims.bzl", "coverage_tools", "installed_rules", "rule_shim")
load("//third_party/systemlibs:simple.bzl", "system_libs")

# Fetched only where a build needs them.
_INSTALLED = {
    "bazel_skylib": "/usr/share/bazel/tools/skylib",
    "platforms": "/usr/share/bazel/tools/platforms",
}

def third_party_deps():
    existing = native.existing_rules()
    for lang in ["cc", "java", "shell"]:
        if "rules_" + lang not in existing:
            rule_shim(name = "rules_" + lang, lang = lang)
    if "com_google_absl" not in existing:
        system_absl(name = "com_google_absl")
    for lib in ["com_google_googletest", "com_googlesource_code_re2", "com_google_protobuf"]:
        if lib not in existing:
            system_libs(
                name = lib,
                build_file = Label("//third_party/systemlibs:%s.BUILD.tpl" % lib),
            )
    if "remote_coverage_tools" not in existing:
        coverage_tools(name = "remote_coverage_tools")
    for name, path in _INSTALLED.items():
        if name not in existing:
            installed_rules(name = name, path = path)
