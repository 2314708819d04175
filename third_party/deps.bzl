# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""The external repositories: the machine's own installed libraries under their
canonical Bazel labels. Nothing is vendored and nothing is downloaded."""

load("//third_party/systemlibs:absl.bzl", "system_absl")
load(
    "//third_party/systemlibs:rule_shims.bzl",
    "coverage_tools",
    "installed_rules",
    "rule_shim",
)
load("//third_party/systemlibs:simple.bzl", "system_lib")

# Abseil's own BUILD files load these (--config=absl_source). Bazel's embedded
# @platforms lacks a constraint that they name, Debian's package has it.
_INSTALLED = {
    "bazel_skylib": "/usr/share/bazel/tools/skylib",
    "platforms": "/usr/share/bazel/tools/platforms",
}

# Repository -> the pkg-config module that tells its version.
_SYSTEM_LIBS = {
    "com_google_googletest": "gtest",
    "com_google_protobuf": "protobuf",
    "com_googlesource_code_re2": "re2",
}

def third_party_deps():
    """Defines every external repository that is not defined yet."""
    existing = native.existing_rules()
    for lang in ["cc", "java", "shell"]:
        if "rules_" + lang not in existing:
            rule_shim(name = "rules_" + lang, lang = lang)
    if "com_google_absl" not in existing:
        system_absl(name = "com_google_absl")
    for name, probe in _SYSTEM_LIBS.items():
        if name not in existing:
            system_lib(
                name = name,
                build_file = Label("//third_party/systemlibs:%s.BUILD.tpl" % name),
                probe = probe,
            )
    if "remote_coverage_tools" not in existing:
        coverage_tools(name = "remote_coverage_tools")
    for name, path in _INSTALLED.items():
        if name not in existing:
            installed_rules(name = name, path = path)
