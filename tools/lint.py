#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
"""lint.py [ROOT]: what the compiler does not see about the tree.

* Every source file starts with the two SPDX lines.
* Every source file below a package is named in that package's BUILD.bazel:
  a file that no target names is neither compiled nor tested.
* Lines of C and C++ are at most 80 columns wide; no line ends in a blank.
* Sources have at most 600 lines, tests at most 800.

Prints PATH:LINE: WHAT for each finding; the exit status is 1 if there is one.
"""
import os
import re
import sys

SPDX = ("SPDX-FileCopyrightText: The ascend-uvm Authors",
        "SPDX-License-Identifier: Apache-2.0")
C_LIKE = (".c", ".cc", ".h")
SOURCES = C_LIKE + (".bzl", ".lds", ".proto", ".py", ".sh", ".textproto",
                    ".tpl")
SOURCE_NAMES = ("BUILD.bazel", "WORKSPACE", ".bazelrc", ".clang-format", "run")
# Golden samples and recorded inputs: data, judged by the tests that read them.
DATA_FOLDERS = ("golden", "testdata")
SKIPPED = ("external", "__pycache__", "node_modules")
MAX_COLUMNS = 80
MAX_LINES = 600
MAX_TEST_LINES = 800


def walk(root):
  """Paths of all files below root, relative to it, sorted."""
  for folder, folders, files in os.walk(root):
    folders[:] = sorted(
        f for f in folders
        if f not in SKIPPED and f not in DATA_FOLDERS
        and not f.startswith("bazel-") and f != ".git")
    for name in sorted(files):
      yield os.path.relpath(os.path.join(folder, name), root)


def is_source(path):
  name = os.path.basename(path)
  return name.endswith(SOURCES) or name in SOURCE_NAMES


def check_text(path, lines):
  """Findings of one file's text, as (line, what)."""
  start = lines[1:] if lines and lines[0].startswith("#!") else lines
  for wanted, line in zip(SPDX, start + ["", ""]):
    if not line.endswith(wanted):
      yield 1, f"no line '{wanted}' at the start"
  for number, line in enumerate(lines, 1):
    if line != line.rstrip():
      yield number, "blank at the end of the line"
    if path.endswith(C_LIKE) and len(line) > MAX_COLUMNS:
      yield number, f"{len(line)} columns, the limit is {MAX_COLUMNS}"
  is_test = os.path.splitext(path)[0].endswith("_test")
  limit = MAX_TEST_LINES if is_test else MAX_LINES
  if len(lines) > limit:
    yield limit, f"{len(lines)} lines, the limit is {limit}"


def glob_regex(pattern):
  """The compiled regular expression of one of Bazel's glob patterns."""
  parts = re.split(r"(\*\*/|\*\*|\*)", pattern)
  wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
  return re.compile("".join(wild.get(p) or re.escape(p) for p in parts))


class Glob:
  """One glob(...) call: files of `included` but not of `excluded`."""

  def __init__(self, body):
    exclude = re.compile(r"exclude\s*=\s*\[(.*?)\]", re.S)
    self.excluded = self._regexes("".join(exclude.findall(body)))
    self.included = self._regexes(exclude.sub("", body))

  @staticmethod
  def _regexes(text):
    return [glob_regex(p) for p in re.findall(r'"([^"\n]+)"', text)]

  def has(self, name):
    return (any(r.fullmatch(name) for r in self.included)
            and not any(r.fullmatch(name) for r in self.excluded))


class Package:
  """What one BUILD.bazel names: words in quotes, and by its globs."""

  def __init__(self, folder, text):
    self.folder = folder
    code = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    self.names = set(re.findall(r'"([^"\n]+)"', code))
    self.globs = [Glob(body)
                  for body in re.findall(r"\bglob\((.*?)\)", code, re.S)]

  def has(self, path):
    name = os.path.relpath(path, self.folder or ".")
    return (name in self.names or ":" + name in self.names
            or any(g.has(name) for g in self.globs))


def package_of(path, packages):
  """The Package of the nearest folder above path that is one, or None."""
  folder = os.path.dirname(path)
  while folder not in packages:
    if not folder:
      return None
    folder = os.path.dirname(folder)
  return packages[folder]


def read(root, path):
  with open(os.path.join(root, path), encoding="utf-8") as f:
    return f.read()


def lint(root):
  """Findings of the whole tree, as (path, line, what)."""
  paths = [p for p in walk(root) if is_source(p)]
  packages = {}
  for path in paths:
    if os.path.basename(path) == "BUILD.bazel":
      folder = os.path.dirname(path)
      packages[folder] = Package(folder, read(root, path))
  for path in paths:
    try:
      text = read(root, path)
    except UnicodeDecodeError:
      yield path, 1, "not UTF-8"
      continue
    for line, what in check_text(path, text.splitlines()):
      yield path, line, what
    # .bzl files are loaded by label, not named by a target.
    if os.path.dirname(path) and path.endswith(SOURCES) and not path.endswith(
        ".bzl"):
      package = package_of(path, packages)
      if package is None or not package.has(path):
        yield path, 1, "no BUILD.bazel names this file"


def main(argv):
  root = argv[0] if argv else os.path.dirname(
      os.path.dirname(os.path.abspath(__file__)))
  findings = list(lint(root))
  for path, line, what in findings:
    print(f"{path}:{line}: {what}")
  print(f"lint: {len(findings)} findings")
  return 1 if findings else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1:]))
