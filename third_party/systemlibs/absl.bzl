# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""@com_google_absl, in one of two modes, chosen by $THIRD_PARTY_ABSL.

"system" (the default): the shared libraries of the installed libabsl-dev. Their
dependencies are read from the absl_*.pc files, one for each upstream CMake
target; the table below gives each its Bazel label.

"source" (--config=absl_source): the upstream tarball behind Debian's source
package, fetched by apt and built here with its own BUILD files. TSan needs it.
"""

load(":common.bzl", "find_pc_dir", "parse_pc", "stamp_header")

# "package:target" -> the pkg-config module behind it. A module that the
# installed Abseil does not have is left out, so a BUILD file that needs it
# fails with "no such target", naming the label.
ABSL_LABELS = {
    "absl/algorithm:algorithm": "absl_algorithm",
    "absl/algorithm:container": "absl_algorithm_container",
    "absl/base:base": "absl_base",
    "absl/base:config": "absl_config",
    "absl/base:core_headers": "absl_core_headers",
    "absl/base:dynamic_annotations": "absl_dynamic_annotations",
    "absl/base:endian": "absl_endian",
    "absl/base:log_severity": "absl_log_severity",
    "absl/base:no_destructor": "absl_no_destructor",
    "absl/base:nullability": "absl_nullability",
    "absl/base:prefetch": "absl_prefetch",
    "absl/base:raw_logging_internal": "absl_raw_logging_internal",
    "absl/cleanup:cleanup": "absl_cleanup",
    "absl/container:btree": "absl_btree",
    "absl/container:fixed_array": "absl_fixed_array",
    "absl/container:flat_hash_map": "absl_flat_hash_map",
    "absl/container:flat_hash_set": "absl_flat_hash_set",
    "absl/container:inlined_vector": "absl_inlined_vector",
    "absl/container:node_hash_map": "absl_node_hash_map",
    "absl/container:node_hash_set": "absl_node_hash_set",
    "absl/crc:crc32c": "absl_crc32c",
    "absl/debugging:failure_signal_handler": "absl_failure_signal_handler",
    "absl/debugging:leak_check": "absl_leak_check",
    "absl/debugging:stacktrace": "absl_stacktrace",
    "absl/debugging:symbolize": "absl_symbolize",
    "absl/flags:commandlineflag": "absl_flags_commandlineflag",
    "absl/flags:config": "absl_flags_config",
    "absl/flags:flag": "absl_flags",
    "absl/flags:marshalling": "absl_flags_marshalling",
    "absl/flags:parse": "absl_flags_parse",
    "absl/flags:reflection": "absl_flags_reflection",
    "absl/flags:usage": "absl_flags_usage",
    "absl/functional:any_invocable": "absl_any_invocable",
    "absl/functional:bind_front": "absl_bind_front",
    "absl/functional:function_ref": "absl_function_ref",
    "absl/functional:overload": "absl_overload",
    "absl/hash:hash": "absl_hash",
    "absl/log:absl_check": "absl_absl_check",
    "absl/log:absl_log": "absl_absl_log",
    "absl/log:check": "absl_check",
    "absl/log:die_if_null": "absl_die_if_null",
    "absl/log:flags": "absl_log_flags",
    "absl/log:globals": "absl_log_globals",
    "absl/log:initialize": "absl_log_initialize",
    "absl/log:log": "absl_log",
    "absl/log:log_entry": "absl_log_entry",
    "absl/log:log_sink": "absl_log_sink",
    "absl/log:log_sink_registry": "absl_log_sink_registry",
    "absl/log:structured": "absl_log_structured",
    "absl/log:vlog_is_on": "absl_vlog_is_on",
    "absl/memory:memory": "absl_memory",
    "absl/meta:type_traits": "absl_type_traits",
    "absl/numeric:bits": "absl_bits",
    "absl/numeric:int128": "absl_int128",
    "absl/random:bit_gen_ref": "absl_random_bit_gen_ref",
    "absl/random:distributions": "absl_random_distributions",
    "absl/random:random": "absl_random_random",
    "absl/random:seed_sequences": "absl_random_seed_sequences",
    "absl/status:status": "absl_status",
    "absl/status:statusor": "absl_statusor",
    "absl/strings:cord": "absl_cord",
    "absl/strings:str_format": "absl_str_format",
    "absl/strings:string_view": "absl_string_view",
    "absl/strings:strings": "absl_strings",
    "absl/synchronization:synchronization": "absl_synchronization",
    "absl/time:time": "absl_time",
    "absl/types:any": "absl_any",
    "absl/types:optional": "absl_optional",
    "absl/types:span": "absl_span",
    "absl/types:variant": "absl_variant",
    "absl/utility:utility": "absl_utility",
}

# Header-only modules that older CMake files fold into another module.
_FALLBACK = {
    "absl_prefetch": "absl_core_headers",
    "absl_string_view": "absl_strings",
}

def _from_source(rctx):
    """The upstream tarball of Debian's source package, with its own BUILD files."""
    result = rctx.execute(
        [rctx.path(rctx.attr._fetch), "abseil", rctx.attr.source_suite],
        timeout = 300,
    )
    if result.return_code:
        fail("cannot fetch abseil's Debian source: " + result.stderr.strip())
    archive = result.stdout.strip().split("\n")[-1][len("./"):]

    # abseil_VERSION.orig.tar.gz holds one folder, whose name varies.
    result = rctx.execute(["tar", "--strip-components=1", "-xf", archive])
    if result.return_code:
        fail("cannot unpack %s: %s" % (archive, result.stderr))

def _read_modules(rctx, pc_dir):
    """Reads the .pc files that the table names, and all that these require.

    Args:
      rctx: the repository context.
      pc_dir: where the .pc files are.

    Returns:
      A dict from module to struct(version, deps, libs).
    """
    queued = {}
    for module in ABSL_LABELS.values():
        if rctx.path(pc_dir + "/" + module + ".pc").exists:
            queued[module] = True
    queue = queued.keys()
    modules = {}
    for _ in range(10000):  # Starlark has no while
        if not queue:
            break
        module = queue.pop(0)
        pc = parse_pc(rctx.read(pc_dir + "/" + module + ".pc"))
        requires = pc.get("Requires", "").replace(",", " ").split(" ")
        deps = [w for w in requires if w.startswith("absl_") and w != module]
        for dep in deps:
            if dep not in queued:
                queued[dep] = True
                queue.append(dep)
        modules[module] = struct(
            version = pc.get("Version", "?"),
            deps = deps,
            # The compiler's own search path has the folder; -latomic is for
            # 32-bit targets.
            libs = [
                w
                for w in pc.get("Libs", "").split(" ")
                if w.startswith("-l") and w != "-latomic"
            ],
        )
    return modules

def _library(module, info):
    """The cc_library of one pkg-config module."""
    return """
cc_library(
    name = "%s",
    hdrs = ["//systemlibs_stamp:absl.h"],
    linkopts = %s,
    deps = %s,
)
""" % (module, info.libs, [":" + dep for dep in info.deps])

_PUBLIC = "package(default_visibility = [\"//visibility:public\"])\n"

def _write_aliases(rctx, modules):
    """One package of aliases for each package that the table names."""
    packages = {}
    for label, wanted in ABSL_LABELS.items():
        module = wanted if wanted in modules else _FALLBACK.get(wanted)
        if module in modules:
            package, target = label.split(":")
            packages.setdefault(package, []).append(
                "alias(name = \"%s\", actual = \"//pc:%s\")" % (target, module),
            )
    for package, aliases in packages.items():
        rctx.file(
            package + "/BUILD.bazel",
            "\n".join([_PUBLIC] + aliases) + "\n",
        )

def _from_system(rctx):
    """The installed shared libraries, as their .pc files describe them."""
    modules = _read_modules(rctx, find_pc_dir(rctx, "absl_base"))
    rctx.file("WORKSPACE", "")
    rctx.file("pc/BUILD.bazel", _PUBLIC + "".join([
        _library(module, modules[module])
        for module in sorted(modules)
    ]))
    _write_aliases(rctx, modules)
    options = rctx.read("/usr/include/absl/base/options.h").split("\n")
    stamp_header(rctx, "absl", "\n".join(
        ["abseil " + modules["absl_base"].version] +
        [line for line in options if line.startswith("#define ABSL_OPTION_")],
    ))

def _impl(rctx):
    if rctx.os.environ.get("THIRD_PARTY_ABSL", "system") == "source":
        _from_source(rctx)
    else:
        _from_system(rctx)

# Debian's static archives are not position independent and cannot go into a
# shared library of ours, so the system mode links the shared ones only.
system_absl = repository_rule(
    implementation = _impl,
    attrs = {
        "source_suite": attr.string(default = "trixie"),
        "_fetch": attr.label(default = ":debian_source.sh"),
    },
    configure = True,
    environ = ["THIRD_PARTY_ABSL"],
    local = True,
)
