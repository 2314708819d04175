#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs count_tests.py, as a program, over event streams.

testdata/ holds streams of real runs of Bazel 4.2.3, cut to the fields that
matter, and their test.xml files. What Bazel seldom does is built here.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTDATA = os.path.join(HERE, "testdata")
FINISHED = {"id": {"buildFinished": {}}}
ONE_GOOD = "<testsuite><testcase name='a' status='run'/></testsuite>"


def configured(label, tags=()):
  return {"id": {"targetConfigured": {"label": label}},
          "configured": {"testSize": "SMALL", "tag": list(tags)}}


def summary(label, status):
  return {"id": {"testSummary": {"label": label}},
          "testSummary": {"overallStatus": status}}


def result(label, uri, attempt=1):
  outputs = [{"name": "test.xml", "uri": uri}] if uri else []
  return {"id": {"testResult": {"label": label, "run": 1, "shard": 1,
                                "attempt": attempt}},
          "testResult": {"testActionOutput": outputs}}


class CountTestsTest(unittest.TestCase):

  def setUp(self):
    folder = tempfile.TemporaryDirectory()
    self.addCleanup(folder.cleanup)
    self.folder = folder.name

  def write(self, name, text):
    path = os.path.join(self.folder, name)
    with open(path, "w", encoding="utf-8") as f:
      f.write(text)
    return path

  def recorded(self, name):
    with open(os.path.join(TESTDATA, name), encoding="utf-8") as f:
      return self.write(name, f.read().replace("@DIR@", TESTDATA))

  def stream(self, *events):
    return self.write("events.json",
                      "".join(json.dumps(e) + "\n" for e in events))

  def run_it(self, *args):
    """(exit status, lines) of one run."""
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, "count_tests.py")] + list(args),
        stdout=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.decode().splitlines()

  def expect(self, closing, status, *args):
    """Runs; asserts the closing line, that it is last, and the status."""
    got, lines = self.run_it(*args)
    self.assertEqual(closing, lines[-1], lines)
    self.assertEqual(status, got, lines)
    return lines

  def test_recorded_run_of_every_outcome(self):
    # Passes: 2 ok, 1 flaky, 1 shell, 2 in shards, 1 beside the failing case.
    # Failures: a case, a crash, a shell test, a time-out, a compile error.
    # Skips: 1 GTEST_SKIP and 1 DISABLED twice, 1 target filtered by its tag.
    lines = self.expect("7 passed, 5 failed, 5 skipped", 1,
                        "--pass=asan:1:" + self.recorded("mixed.json"))
    said = "\n".join(lines)
    for part in ("broken_test: NO_STATUS", "crash_test: FAILED",
                 "fail_test: FAILED", "sh_bad_test: FAILED",
                 "slow_test: TIMEOUT", "skipped //hal/y:filtered_test"):
      self.assertIn(part, said)
    self.assertNotIn("ok_test", said)

  def test_tag_of_another_pass_is_a_target_that_did_not_run(self):
    self.expect("7 passed, 6 failed, 4 skipped", 1,
                "--pass=plain:1:" + self.recorded("mixed.json"))

  def test_cached_results_count_and_are_named(self):
    lines = self.expect("5 passed, 0 failed, 4 skipped", 0,
                        "--pass=plain:0:" + self.recorded("cached.json"))
    self.assertIn("3 targets, 4 results from the cache", lines[-2])

  def test_pattern_without_targets_fails(self):
    self.expect("0 passed, 1 failed", 1,
                "--pass=plain:4:" + self.recorded("no_targets.json"))

  def test_bazel_error_fails_although_every_target_passed(self):
    self.expect("5 passed, 1 failed, 4 skipped", 1,
                "--pass=plain:1:" + self.recorded("cached.json"))

  def test_passes_checks_and_skips_are_summed(self):
    good = self.recorded("cached.json")
    lines = self.expect(
        "11 passed, 0 failed, 9 skipped", 0, "--check=lint:0",
        f"--pass=plain:0:{good}", f"--pass=ubsan:0:{good}",
        "--skip=tsan:no source: no network")
    self.assertEqual(5, len(lines))
    self.assertEqual("check lint: passed 1, failed 0, skipped 0", lines[0])
    self.assertIn("no source: no network", lines[3])

  def test_only_the_closing_line_has_its_form(self):
    good = self.recorded("cached.json")
    _, lines = self.run_it(f"--pass=plain:0:{good}", "--check=lint:1")
    for line in lines[:-1]:
      self.assertNotRegex(line, r"\d+ passed, \d+ failed")

  def test_failed_check_fails_the_run(self):
    self.expect("5 passed, 1 failed, 4 skipped", 1, "--check=lint:1",
                "--pass=plain:0:" + self.recorded("cached.json"))

  def test_failed_target_whose_cases_all_passed_is_one_failure(self):
    xml = self.write("a.xml", ONE_GOOD)
    self.expect("1 passed, 1 failed", 1, "--pass=plain:3:" + self.stream(
        configured("//a"), result("//a", "file://" + xml),
        summary("//a", "FAILED"), FINISHED))

  def test_crash_without_xml(self):
    self.expect("0 passed, 1 failed", 1, "--pass=plain:3:" + self.stream(
        configured("//a"), result("//a", None), summary("//a", "FAILED"),
        FINISHED))

  def test_passed_target_without_readable_xml_is_one_pass(self):
    broken = self.write("b.xml", "<testsuite")
    self.expect("3 passed, 0 failed", 0, "--pass=plain:0:" + self.stream(
        result("//a", None), summary("//a", "PASSED"),
        result("//b", "file://" + broken), summary("//b", "PASSED"),
        result("//c", "bytestream://x/y"), summary("//c", "PASSED"), FINISHED))

  def test_last_attempt_counts_in_whatever_order_it_comes(self):
    good = "file://" + self.write("good.xml", ONE_GOOD)
    bad = "file://" + self.write("bad.xml", ONE_GOOD.replace(
        "/>", "><failure/></testcase>"))
    self.expect("1 passed, 0 failed", 0, "--pass=plain:0:" + self.stream(
        result("//a", good, 2), result("//a", bad, 1), summary("//a", "FLAKY"),
        FINISHED))

  def test_status_without_a_name_fails(self):
    self.expect("0 passed, 1 failed", 1, "--pass=plain:0:" + self.stream(
        configured("//a"), summary("//a", "INCOMPLETE"), FINISHED))

  def test_tagged_target_that_ran_is_counted(self):
    self.expect("1 passed, 0 failed", 0, "--pass=asan:0:" + self.stream(
        configured("//a", ["no-asan"]), summary("//a", "PASSED"), FINISHED))

  def test_killed_bazel_fails(self):
    events = self.stream(configured("//a"), summary("//a", "PASSED"))
    self.expect("1 passed, 1 failed", 1, f"--pass=plain:0:{events}")
    with open(events, "a", encoding="utf-8") as f:
      f.write('{"id": {"testSumm')
    self.expect("1 passed, 1 failed", 1, f"--pass=plain:137:{events}")

  def test_missing_stream_fails(self):
    lines = self.expect("0 passed, 1 failed", 1,
                        "--pass=plain:2:" + os.path.join(self.folder, "none"))
    self.assertIn("no build events", lines[0])

  def test_nothing_at_all_is_no_success(self):
    self.expect("0 passed, 0 failed", 1)
    self.expect("0 passed, 0 failed, 1 skipped", 1, "--skip=tsan:why")


if __name__ == "__main__":
  unittest.main()
