# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

"""What the repository rules of this folder share."""

# Where Debian's multiarch layout and the generic layout keep .pc files.
_PC_DIRS = [
    "/usr/lib/x86_64-linux-gnu/pkgconfig",
    "/usr/lib/aarch64-linux-gnu/pkgconfig",
    "/usr/lib64/pkgconfig",
    "/usr/lib/pkgconfig",
    "/usr/share/pkgconfig",
]

def find_pc_dir(rctx, probe):
    """Finds the folder of a pkg-config file; fails if no folder has it.

    Args:
      rctx: the repository context.
      probe: the module's name.

    Returns:
      The first folder that holds probe.pc, as a string.
    """
    for folder in _PC_DIRS:
        if rctx.path(folder + "/" + probe + ".pc").exists:
            return folder
    fail("no %s.pc in %s: run tools/setup.sh" % (probe, _PC_DIRS))

def _expand(text, variables):
    for name, value in variables.items():
        text = text.replace("${" + name + "}", value)
    return text

def parse_pc(text):
    """Parses a pkg-config file.

    Args:
      text: the file.

    Returns:
      Its fields, as a dict from names like "Libs" to expanded values.
    """
    variables = {}
    fields = {}
    for raw in text.split("\n"):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue

        # A variable is NAME=VALUE, a field is Name: value and may hold "=".
        colon = line.find(":")
        equals = line.find("=")
        if equals > 0 and (colon < 0 or equals < colon):
            name = line[:equals].strip()
            variables[name] = _expand(line[equals + 1:].strip(), variables)
        elif colon > 0:
            name = line[:colon].strip()
            fields[name] = _expand(line[colon + 1:].strip(), variables)
    return fields

def stamp_header(rctx, name, text):
    """Writes //systemlibs_stamp:NAME.h, which names the installed version.

    Headers below /usr/include are on the compiler's own search path, so Bazel
    does not track them. Every library of the repository lists this file in
    hdrs: an upgrade of the distribution's package then changes the action keys.

    Args:
      rctx: the repository context.
      name: the header's name, without ".h".
      text: what it says.
    """
    rctx.file(
        "systemlibs_stamp/BUILD.bazel",
        "exports_files([\"%s.h\"])\n" % name,
    )
    comment = "// " + text.replace("\n", "\n// ") + "\n"
    rctx.file("systemlibs_stamp/%s.h" % name, comment)
