#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the tests of this run and prints the closing line.

  count_tests.py --pass=NAME:BAZEL_EXIT:EVENTS [--check=NAME:EXIT]
                 [--skip=NAME:REASON] ...

EVENTS is the JSON build event stream of one `bazel test`. Only test.xml files
that the stream names are read, never bazel-testlogs/, which may hold the logs
of an earlier run. Each test case counts, in each pass. On top of the cases:

* a target that failed without a failing case (crash after the last case,
  time-out, no XML, not built, no status) counts as one failure;
* a target that passed without XML counts as one pass;
* a target tagged "no-NAME" that pass NAME left out counts as one skip;
* a Bazel error that no target shows counts as one failure;
* --check is one pass or failure, --skip one skip.

Zero passed is an error, since then nothing was tested.
"""
import argparse
import collections
import json
import sys
import typing
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

GOOD = ("PASSED", "FLAKY")


class Counts(typing.NamedTuple):
  """How many tests passed, failed and were skipped."""
  passed: int
  failed: int
  skipped: int

  def __add__(self, other):
    return Counts(*(x + y for x, y in zip(self, other)))


class Attempt(typing.NamedTuple):
  """One attempt of one shard of a test."""
  number: int
  xml: str  # URI; None if there is none


NONE = Counts(0, 0, 0)


def count_case(case):
  """The Counts of one <testcase>."""
  if case.find("failure") is not None or case.find("error") is not None:
    return Counts(0, 1, 0)
  # GoogleTest says "notrun" of a disabled case and "skipped" of GTEST_SKIP().
  if (case.find("skipped") is not None or case.get("status") == "notrun"
      or case.get("result") in ("skipped", "suppressed")):
    return Counts(0, 0, 1)
  return Counts(1, 0, 0)


def count_xml(uri):
  """The Counts of one test.xml; none where it cannot be read."""
  parts = urllib.parse.urlparse(uri or "")
  if parts.scheme != "file":
    return NONE
  try:
    root = ElementTree.parse(urllib.request.url2pathname(parts.path)).getroot()
  except (OSError, ElementTree.ParseError):
    return NONE
  return sum((count_case(c) for c in root.iter("testcase")), NONE)


class Stream:
  """What one build event stream says of its test targets."""

  def __init__(self, rows):
    self.tags = {}  # test target -> its tags
    self.status = {}  # target -> status of all its attempts together
    self.attempts = collections.defaultdict(dict)  # target -> shard -> last
    self.cached = 0
    self.finished = False  # False if Bazel was killed before the end.
    for row in rows:
      try:
        event = json.loads(row)
      except ValueError:
        break  # Bazel was killed in the middle of a line.
      self._read(event)

  def _read(self, event):
    ident = event.get("id", {})
    if "targetConfigured" in ident:
      configured = event.get("configured", {})
      if configured.get("testSize"):
        label = ident["targetConfigured"]["label"]
        self.tags[label] = configured.get("tag", [])
    elif "testResult" in ident and "testResult" in event:
      self._read_result(ident["testResult"], event["testResult"])
    elif "buildFinished" in ident:
      self.finished = True
    elif "testSummary" in ident and "testSummary" in event:
      label = ident["testSummary"]["label"]
      self.status[label] = event["testSummary"].get("overallStatus")

  def _read_result(self, key, result):
    xml = next((o.get("uri") for o in result.get("testActionOutput", [])
                if o.get("name") == "test.xml"), None)
    attempt = Attempt(key.get("attempt", 1), xml)
    shards = self.attempts[key["label"]]
    shard = (key.get("run", 1), key.get("shard", 1))
    if shard not in shards or attempt.number >= shards[shard].number:
      shards[shard] = attempt
    self.cached += bool(result.get("cachedLocally") or result.get(
        "executionInfo", {}).get("cachedRemotely"))

  def targets(self):
    return sorted(set(self.tags) | set(self.status) | set(self.attempts))

  def count_target(self, label, name):
    """The Counts of one target in pass `name`."""
    if (f"no-{name}" in self.tags.get(label, ()) and label not in self.status):
      print(f"  skipped {label}: tagged no-{name}")
      return Counts(0, 0, 1)
    counts = sum((count_xml(a.xml) for a in
                  self.attempts.get(label, {}).values()), NONE)
    status = self.status.get(label, "NO_STATUS")
    if status not in GOOD:
      print(f"  failed {label}: {status}")
      if not counts.failed:
        counts += Counts(0, 1, 0)
    elif counts == NONE:
      counts = Counts(1, 0, 0)
    return counts


def report(kind, name, counts, more=""):
  """One readable line, in another form than the closing line's."""
  print(f"{kind} {name}: passed {counts.passed}, failed {counts.failed}, "
        f"skipped {counts.skipped}{more}")
  return counts


def count_pass(argument):
  """The Counts of one --pass."""
  name, bazel_exit, path = argument.split(":", 2)
  try:
    with open(path, encoding="utf-8") as rows:
      stream = Stream(rows)
  except OSError as error:
    print(f"  no build events: {error.strerror}")
    stream = Stream([])
  targets = stream.targets()
  counts = sum((stream.count_target(t, name) for t in targets), NONE)
  if (int(bazel_exit) or not stream.finished) and not counts.failed:
    how = "" if stream.finished else " before the end of its events"
    print(f"  bazel exited {bazel_exit}{how}")
    counts += Counts(0, 1, 0)
  return report("pass", name, counts, f" ({len(targets)} targets, "
                f"{stream.cached} results from the cache)")


def count_check(argument):
  """The Counts of one --check."""
  name, status = argument.rsplit(":", 1)
  good = int(status) == 0
  return report("check", name, Counts(int(good), int(not good), 0))


def count_skip(argument):
  """The Counts of one --skip."""
  name, reason = argument.split(":", 1)
  return report("pass", name, Counts(0, 0, 1), f": {reason}")


def main(argv):
  parser = argparse.ArgumentParser(description="Counts tests.")
  parser.add_argument("--pass", action="append", default=[], dest="passes")
  parser.add_argument("--check", action="append", default=[])
  parser.add_argument("--skip", action="append", default=[])
  args = parser.parse_args(argv)
  total = NONE
  for arguments, count in ((args.check, count_check),
                           (args.passes, count_pass),
                           (args.skip, count_skip)):
    total = sum(map(count, arguments), total)
  tail = f", {total.skipped} skipped" if total.skipped else ""
  print(f"{total.passed} passed, {total.failed} failed{tail}", flush=True)
  return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1:]))
