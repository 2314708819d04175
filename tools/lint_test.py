#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs lint.py over small trees, each with one thing wrong."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
# In two pieces, so that this file has the lines once.
OWNER = "SPDX-FileCopyrightText: " + "The ascend-uvm Authors\n"
LICENSE = "SPDX-License-Identifier: " + "Apache-2.0\n"
SLASHES = f"// {OWNER}// {LICENSE}"
HASHES = f"# {OWNER}# {LICENSE}"
BUILD = HASHES + '# "loose.cc"\ncc_library(name = "a", srcs = ["a.cc"])\n'


class LintTest(unittest.TestCase):

  def setUp(self):
    folder = tempfile.TemporaryDirectory()
    self.addCleanup(folder.cleanup)
    self.root = folder.name
    self.write("mm/BUILD.bazel", BUILD)
    self.write("mm/a.cc", SLASHES + "int a;\n")

  def write(self, path, text):
    path = os.path.join(self.root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
      f.write(text if isinstance(text, bytes) else text.encode())

  def expect(self, *findings):
    """Runs lint; asserts its findings, in order."""
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, "lint.py"), self.root],
        stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode().splitlines()
    self.assertEqual(list(findings), lines[:-1])
    self.assertEqual(f"lint: {len(findings)} findings", lines[-1])
    self.assertEqual(1 if findings else 0, done.returncode)

  def test_clean_tree(self):
    self.expect()

  def test_missing_spdx_lines(self):
    self.write("mm/a.cc", "int a;\n")
    self.expect(f"mm/a.cc:1: no line '{OWNER.strip()}' at the start",
                f"mm/a.cc:1: no line '{LICENSE.strip()}' at the start")

  def test_one_missing_spdx_line(self):
    self.write("mm/a.cc", f"// {OWNER}int a;\n")
    self.expect(f"mm/a.cc:1: no line '{LICENSE.strip()}' at the start")

  def test_spdx_lines_may_follow_a_shebang(self):
    self.write("x.sh", "#!/bin/sh\n" + HASHES)
    self.expect()

  def test_empty_file(self):
    self.write("x.py", "")
    self.expect(f"x.py:1: no line '{OWNER.strip()}' at the start",
                f"x.py:1: no line '{LICENSE.strip()}' at the start")

  def test_file_that_no_target_names(self):
    self.write("mm/loose.cc", SLASHES)  # named in a comment only
    self.expect("mm/loose.cc:1: no BUILD.bazel names this file")

  def test_file_in_a_folder_below_the_package(self):
    self.write("mm/sub/b.cc", SLASHES)
    self.expect("mm/sub/b.cc:1: no BUILD.bazel names this file")
    self.write("mm/BUILD.bazel", BUILD + 'f(srcs = ["sub/b.cc"])\n')
    self.expect()

  def test_nearest_package_must_name_it(self):
    self.write("mm/BUILD.bazel", BUILD + 'f(srcs = ["sub/b.cc"])\n')
    self.write("mm/sub/b.cc", SLASHES)
    self.write("mm/sub/BUILD.bazel", HASHES)
    self.expect("mm/sub/b.cc:1: no BUILD.bazel names this file")

  def test_file_without_any_package(self):
    self.write("lonely/b.h", SLASHES)
    self.expect("lonely/b.h:1: no BUILD.bazel names this file")

  def test_label_with_colon_and_glob_name_a_file(self):
    self.write("mm/b.cc", SLASHES)
    self.write("mm/rows/r.textproto", HASHES)
    self.write("mm/BUILD.bazel",
               BUILD + 'f(srcs = [":b.cc"] + glob(["rows/*.textproto"]))\n')
    self.expect()

  def test_globs_match_as_bazel_s_do(self):
    for name in ("x/a.h", "x/y/a.h", "x/out.h"):
      self.write("mm/" + name, SLASHES)
    self.write("mm/BUILD.bazel", BUILD + 'f(srcs = glob(["x/*.h"]))\n')
    self.expect("mm/x/y/a.h:1: no BUILD.bazel names this file")
    self.write("mm/BUILD.bazel", BUILD + """
f(srcs = glob(
    ["x/**/*.h"],
    exclude = ["x/o*.h"],
))
""")
    self.expect("mm/x/out.h:1: no BUILD.bazel names this file")

  def test_wide_line(self):
    self.write("mm/a.cc", SLASHES + "x" * 80 + "\n" + "y" * 81 + "\n")
    self.expect("mm/a.cc:4: 81 columns, the limit is 80")

  def test_blank_at_the_end(self):
    self.write("mm/a.cc", SLASHES + "int a; \n")
    self.expect("mm/a.cc:3: blank at the end of the line")

  def test_long_files(self):
    self.write("mm/a.cc", SLASHES + "\n" * 600)
    self.write("mm/a_test.cc", SLASHES + "\n" * 798)
    self.write("mm/BUILD.bazel", BUILD + 'f(srcs = ["a_test.cc"])\n')
    self.expect("mm/a.cc:600: 602 lines, the limit is 600")

  def test_not_utf8(self):
    self.write("mm/a.cc", SLASHES.encode() + b"\xff\n")
    self.expect("mm/a.cc:1: not UTF-8")

  def test_data_and_output_folders_are_left_out(self):
    for folder in ("bazel-out", "mm/golden", "mm/testdata", ".git"):
      self.write(f"{folder}/x.cc", "x")
    self.expect()


if __name__ == "__main__":
  unittest.main()
