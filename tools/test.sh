#!/bin/bash
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
#
# test.sh [--all]: installs what is missing, checks and tests everything.
# The last line of the output is "N passed, N failed[, N skipped]".
#
# --all (or CI set in the environment) repeats the tests under UBSan, ASan and
# TSan.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

all=${CI:+yes}
case ${1:-} in
  "") ;;
  --all) all=yes ;;
  *)
    echo "usage: tools/test.sh [--all]" >&2
    exit 2
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
counted=() # what count_tests.py adds up

# closing_line: prints the count and leaves.
closing_line() {
  python3 tools/ci/count_tests.py "${counted[@]}"
  exit
}

# run_pass NAME BAZEL_ARGS...
run_pass() {
  local name=$1 start=$SECONDS
  shift
  echo "== pass $name: bazel test $*"
  bazel test --config=ci --build_event_json_file="$work/$name.json" "$@"
  counted+=("--pass=$name:$?:$work/$name.json")
  echo "== pass $name took $((SECONDS - start)) s"
}

# why_no_tsan: the reason that keeps the TSan pass from running, nothing if it
# can. Only the missing source is such a reason: any other error is a failure,
# which the pass itself then shows.
why_no_tsan() {
  bazel build --config=tsan --color=no --nobuild \
    @com_google_absl//absl/base:base 2>&1 |
    sed -n "s/.*Error in fail: \(cannot fetch abseil's Debian source.*\)/\1/p" | head -n 1
}

if ! tools/setup.sh; then
  if ! command -v python3 > /dev/null; then
    echo "0 passed, 1 failed"
    exit 1
  fi
  counted+=("--check=setup:1")
  closing_line
fi

echo "== check lint"
python3 tools/lint.py
counted+=("--check=lint:$?")

run_pass plain //...
if [[ -n $all ]]; then
  run_pass ubsan --config=ubsan //...
  run_pass asan --config=asan //...
  reason=$(why_no_tsan)
  if [[ -n $reason ]]; then
    counted+=("--skip=tsan:$reason")
  else
    run_pass tsan --config=tsan //hal/... //mm/... //p2p/... //acl_api/...
  fi
fi
closing_line
