# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""Shared helpers of the systemlibs repository rules."""

# Where Debian's multiarch layout and the generic layout keep .pc files.
PC_DIRS = [
    "/usr/lib/x86_64-linux-gnu/pkgconfig",
    "/usr/lib/aarch64-linux-gnu/pkgconfig",
    "/usr/lib64/pkgconfig",
    "/usr/lib/pkgconfig",
    "/usr/share/pkgconfig",
]

def find_pc_dir(rctx, probe):
    """Returns the first pkg-config folder holding probe.pc, as a string."""
    for d in PC_DIRS:
        if rctx.path(d + "/" + probe + ".pc").exists:
            return d
    fail("no %s.pc under %s: install the -dev package (see README.md)" % (probe, PC_DIRS))

def parse_pc(text):
    """Parses the fields this project needs out of a pkg-config file."""
    vars = {}
    fields = {}
    for raw in text.split("\n"):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue

        # A variable is NAME=VALUE, a field is Name: value. A field may hold "=".
        colon = line.find(":")
        eq = line.find("=")
        if eq > 0 and (colon < 0 or eq < colon):
            v = line[eq + 1:].strip()
            for k, w in vars.items():
                v = v.replace("${" + k + "}", w)
            vars[line[:eq].strip()] = v
        elif colon > 0:
            v = line[colon + 1:].strip()
            for k, w in vars.items():
                v = v.replace("${" + k + "}", w)
            fields[line[:colon].strip()] = v
    return fields

def stamp_header(rctx, name, text):
    """Writes a header naming the installed version.

    Headers under /usr/include are on the compiler's own search path, so Bazel
    does not track them. Every target of the repository lists this file in hdrs:
    an upgrade of the distribution's package then changes the action keys, also
    those looked up in a shared remote cache.
    """
    rctx.file("systemlibs_stamp/%s.h" % name, "// %s\n" % text.replace("\n", "\n// "))
