#!/bin/bash
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0

# symbols_test.sh LIBRARY SECOND_NAME LIST: both files export the functions of
# the list and nothing else, and carry the SONAME that clients are linked to.
set -eu
want=$3
failed=0

check() {
  local library=$1
  local got
  got=$(nm -D --defined-only --format=posix "$library" |
    awk '$2 != "A" {print $1}' | LC_ALL=C sort)
  diff -u "$want" <(echo "$got") || failed=1
  local other
  other=$(nm -D --defined-only --format=posix "$library" |
    awk '$2 != "A" && $2 != "T" {print $1 " is of type " $2}')
  [[ -z $other ]] || { echo "$other"; failed=1; }
  readelf -d "$library" | grep -q 'SONAME.*\[libacl_rt\.so\]' ||
    { echo "$library: no SONAME libacl_rt.so"; failed=1; }
  readelf -d "$library" | grep -q 'NODELETE' ||
    { echo "$library: can be unloaded"; failed=1; }
}

[[ -s $want ]] || { echo "empty list"; exit 1; }
check "$1"
check "$2"
exit "$failed"
