#!/bin/bash
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh [--library PATH]: installs what is missing, builds, runs the
# conformance suite against our libacl_rt.so (or the library at PATH), then the
# tour of managed memory. The last line is
#   conformance: N passed, N failed, N skipped
# and the exit status is 0 only if nothing failed.
set -uo pipefail

usage() {
  echo "usage: tools/demo.sh [--library PATH]" >&2
  exit 2
}

die() {
  echo "demo: $*" >&2
  exit 1
}

library=
case $# in
  0) ;;
  1)
    [[ $1 == --library=?* ]] || usage
    library=${1#--library=}
    ;;
  2)
    [[ $1 == --library && -n $2 ]] || usage
    library=$2
    ;;
  *) usage ;;
esac
if [[ -n $library ]]; then
  # The path is the caller's: resolved before we leave the caller's folder.
  library=$(realpath -e -- "$library") || die "no such library"
fi
cd "$(dirname "$0")/.." || exit 1
tools/setup.sh || exit 1

quiet=(--noshow_progress --ui_event_filters=-info)
echo "demo: building (a minute or two the first time)"
bazel build "${quiet[@]}" //acl_api:libacl_rt.so //conformance:run \
  //examples:managed_tour || die "the build failed"
flags=()
if [[ -z $library ]]; then
  library=$(bazel info bazel-bin 2> /dev/null)/acl_api/libacl_rt.so
  flags=(--strict)
fi

output=$(mktemp)
trap 'rm -f "$output"' EXIT
echo
echo "== conformance of $library"
bazel run "${quiet[@]}" //conformance:run -- \
  --library "$library" "${flags[@]}" | tee "$output"
suite=${PIPESTATUS[0]}
# The runner's own closing line, which this script repeats as its last.
line=$(grep -E '^conformance: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' \
  "$output" | tail -n 1)

echo
echo "== tour of managed memory (always on our own library)"
bazel run "${quiet[@]}" //examples:managed_tour
tour=$?
((tour == 0)) || echo "demo: the tour failed, exit status $tour" >&2

[[ -n $line ]] ||
  die "the suite gave no result, exit status $suite"
echo
echo "$line"
[[ $line == *" 0 failed,"* ]] && ((suite == 0 && tour == 0))
