#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs setup.sh, test.sh and demo.sh in a tree of their own.

What they call (apt-get, dpkg-query, sudo, bazel) is replaced by small scripts
that write their arguments down, so nothing is installed or built.
"""
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

# One line a call in $CALLS; what it does besides comes from the environment.
FAKES = {
    "dpkg-query": """
for package; do :; done
grep -qx "$package" "$INSTALLED" && printf installed
""",
    "apt-get": """
echo "apt-get $*" >> "$CALLS"
[ "$1" = "-qq" ] && [ "$2" = update ] && exit 0
[ -z "$APT_FAILS" ] || { echo "apt says why"; exit 100; }
for word; do echo "$word" >> "$INSTALLED"; done
""",
    "bazel": r"""
echo "bazel $*" >> "$CALLS"
case $1 in
  info) echo "$PWD/out" ;;
  run)
    case $* in
      *//conformance:run*) printf '%b' "$SUITE_SAYS"; exit "${SUITE_EXIT:-0}" ;;
      *) echo "the tour"; exit "${TOUR_EXIT:-0}" ;;
    esac ;;
  build) echo "$BUILD_SAYS"; exit "${BUILD_EXIT:-0}" ;;
  test)
    for word; do
      case $word in
        --build_event_json_file=*) events=${word#*=} ;;
        --config=ci) ;;
        --config=*) config=${word#*=} ;;
      esac
    done
    printf '%s\n' \
      '{"id": {"testSummary": {"label": "//a"}},
        "testSummary": {"overallStatus": "PASSED"}}' \
      '{"id": {"buildFinished": {}}}' | tr -d '\n' |
      sed 's/}}{/}}\n{/' > "$events"
    [ "${config:-plain}" != "$FAILING_PASS" ] || exit 3 ;;
esac
""",
}
PACKAGES = ("bazel-bootstrap bazel-skylib bazel-platforms g++ lld libabsl-dev "
            "libgtest-dev libgmock-dev libre2-dev libprotobuf-dev "
            "libprotoc-dev protobuf-compiler python3").split()
SUITE = "a case\\nconformance: 3 passed, 0 failed, 1 skipped\\n"


class ScriptTest(unittest.TestCase):

  def setUp(self):
    folder = tempfile.TemporaryDirectory()
    self.addCleanup(folder.cleanup)
    self.root = os.path.realpath(folder.name)
    for name in ("setup.sh", "test.sh", "demo.sh", "ci/count_tests.py"):
      path = os.path.join(self.root, "tools", name)
      os.makedirs(os.path.dirname(path), exist_ok=True)
      shutil.copy(os.path.join(HERE, name), path)
    self.write("tools/lint.py", "#!/bin/sh\n")
    for name, text in FAKES.items():
      self.write("bin/" + name, "#!/bin/sh" + text)
    self.installed(*PACKAGES)
    self.env = {
        "PATH": os.path.join(self.root, "bin") + ":/usr/bin:/bin",
        "INSTALLED": os.path.join(self.root, "installed"),
        "CALLS": os.path.join(self.root, "calls"),
        "SUITE_SAYS": SUITE,
    }

  def write(self, path, text):
    path = os.path.join(self.root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
      f.write(text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

  def installed(self, *packages):
    self.write("installed", "".join(p + "\n" for p in packages))

  def calls(self):
    try:
      with open(self.env["CALLS"], encoding="utf-8") as f:
        return f.read().splitlines()
    except FileNotFoundError:
      return []

  def run_it(self, script, *args, **env):
    """(exit status, lines of both streams) of tools/script."""
    done = subprocess.run(
        [os.path.join(self.root, "tools", script)] + list(args),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.root,
        env=dict(self.env, **env), check=False)
    return done.returncode, done.stdout.decode().splitlines()


class SetupTest(ScriptTest):

  def test_installs_nothing_that_is_there(self):
    status, lines = self.run_it("setup.sh")
    self.assertEqual(0, status, lines)
    self.assertEqual([f"setup: all {len(PACKAGES)} packages are installed"],
                     lines)
    self.assertEqual([], self.calls())

  @unittest.skipIf(os.geteuid(), "not root: see the test of sudo")
  def test_installs_what_is_missing_and_says_why(self):
    self.installed(*(p for p in PACKAGES if p not in ("lld", "g++")))
    status, lines = self.run_it("setup.sh")
    self.assertEqual(0, status, lines)
    self.assertTrue(lines[0].startswith("setup: missing g++: the C and C++"))
    self.assertTrue(lines[1].startswith("setup: missing lld: the linker"))
    self.assertEqual("setup: done", lines[-1])
    self.assertEqual(2, len(self.calls()))
    self.assertTrue(self.calls()[1].endswith("install g++ lld"))

  def test_failed_install_shows_what_apt_said(self):
    self.write("bin/sudo", '#!/bin/sh\nexec "$@"\n')
    self.installed()
    status, lines = self.run_it("setup.sh", APT_FAILS="yes")
    self.assertEqual(1, status)
    self.assertEqual(["apt says why", "setup: apt-get install failed"],
                     lines[-2:])

  @unittest.skipIf(not os.geteuid(), "root needs no sudo")
  def test_ordinary_user_goes_through_sudo(self):
    self.write("bin/sudo", '#!/bin/sh\necho sudo >> "$CALLS"\nexec "$@"\n')
    self.installed(*PACKAGES[1:])
    self.assertEqual(0, self.run_it("setup.sh")[0])
    self.assertEqual(2, self.calls().count("sudo"))


class TestShTest(ScriptTest):

  def test_plain_pass_and_lint_make_the_closing_line(self):
    status, lines = self.run_it("test.sh")
    self.assertEqual("2 passed, 0 failed", lines[-1], lines)
    self.assertEqual(0, status)
    tests = [c for c in self.calls() if c.startswith("bazel test")]
    self.assertEqual(1, len(tests))
    self.assertTrue(tests[0].endswith(" //..."))

  def test_failed_lint_fails(self):
    self.write("tools/lint.py", "import sys\nsys.exit(1)\n")
    status, lines = self.run_it("test.sh")
    self.assertEqual("1 passed, 1 failed", lines[-1])
    self.assertEqual(1, status)

  def test_all_or_ci_runs_the_sanitizers(self):
    for args, env in ((["--all"], {}), ([], {"CI": "1"})):
      status, lines = self.run_it("test.sh", *args, **env)
      self.assertEqual("5 passed, 0 failed", lines[-1], lines)
      self.assertEqual(0, status)
    tests = [c for c in self.calls() if c.startswith("bazel test")]
    self.assertEqual(8, len(tests))
    for call, config in zip(tests[1:], ("ubsan", "asan", "tsan")):
      self.assertIn(f"--config={config}", call)

  def test_failing_pass_fails(self):
    for name in ("plain", "ubsan", "asan", "tsan"):
      status, lines = self.run_it("test.sh", "--all", FAILING_PASS=name)
      self.assertEqual("5 passed, 1 failed", lines[-1], lines)
      self.assertEqual(1, status)

  def test_tsan_without_source_is_a_skip_with_its_reason(self):
    reason = "cannot fetch abseil's Debian source: no network"
    status, lines = self.run_it("test.sh", "--all",
                                BUILD_SAYS='fail("cannot fetch abseil" + x)\n'
                                "Error in fail: " + reason)
    self.assertEqual("4 passed, 0 failed, 1 skipped", lines[-1], lines)
    self.assertEqual(0, status)
    self.assertTrue(any(l.endswith(reason) for l in lines))

  def test_failed_setup_fails_before_anything_is_built(self):
    self.write("tools/setup.sh", "#!/bin/sh\nexit 1\n")
    status, lines = self.run_it("test.sh")
    self.assertEqual("0 passed, 1 failed", lines[-1])
    self.assertEqual(1, status)
    self.assertEqual([], self.calls())

  def test_unknown_argument(self):
    self.assertEqual(2, self.run_it("test.sh", "--everything")[0])
    self.assertEqual([], self.calls())


class DemoTest(ScriptTest):

  CLOSING = "conformance: 3 passed, 0 failed, 1 skipped"

  def test_our_library_strictly_and_the_closing_line_last(self):
    status, lines = self.run_it("demo.sh")
    self.assertEqual(self.CLOSING, lines[-1], lines)
    self.assertEqual(0, status)
    runs = [c for c in self.calls() if c.startswith("bazel run")]
    self.assertTrue(runs[0].endswith(
        f"--library {self.root}/out/acl_api/libacl_rt.so --strict"))
    self.assertTrue(runs[1].endswith("//examples:managed_tour"))

  def test_another_library_by_a_relative_path(self):
    self.write("mine.so", "")
    for args in (["--library", "mine.so"], ["--library=mine.so"]):
      status, lines = self.run_it("demo.sh", *args)
      self.assertEqual(self.CLOSING, lines[-1])
      self.assertEqual(0, status)
    for call in self.calls():
      if "//conformance:run --" in call:
        self.assertTrue(call.endswith(f"--library {self.root}/mine.so"))

  def test_failures_make_the_status(self):
    failed = "conformance: 3 passed, 10 failed, 1 skipped"
    for env, last in (({"SUITE_SAYS": failed + "\\n"}, failed),
                      ({"SUITE_EXIT": "1"}, self.CLOSING),
                      ({"TOUR_EXIT": "1"}, self.CLOSING)):
      status, lines = self.run_it("demo.sh", **env)
      self.assertEqual(1, status, lines)
      self.assertEqual(last, lines[-1])

  def test_no_result_and_no_build_fail(self):
    for env in ({"SUITE_SAYS": "Segmentation fault\\n", "SUITE_EXIT": "139"},
                {"BUILD_EXIT": "1"}):
      status, lines = self.run_it("demo.sh", **env)
      self.assertEqual(1, status)
      self.assertTrue(lines[-1].startswith("demo: the "), lines)

  def test_bad_arguments(self):
    for args in (["--library"], ["--library="], ["x"], ["--library", "", ""]):
      self.assertEqual(2, self.run_it("demo.sh", *args)[0], args)
    self.assertEqual(1, self.run_it("demo.sh", "--library", "none.so")[0])
    self.assertEqual([], self.calls())


if __name__ == "__main__":
  unittest.main()
