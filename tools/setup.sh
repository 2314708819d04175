#!/bin/bash
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh: installs, by apt, what the build needs and the machine lacks.
# Says what it installs and why; touches nothing that is there already.
# People and tools/{test,demo}.sh run it; no test ever does.
set -euo pipefail

# package | what it is for
readonly NEEDS=(
  "bazel-bootstrap|the build system, Bazel 4.2.3"
  "bazel-skylib|Starlark helpers that Abseil's own BUILD files load (TSan pass)"
  "bazel-platforms|the platform names that Abseil's own BUILD files use (TSan pass)"
  "g++|the C and C++ compiler, with its sanitizer runtimes"
  "lld|the linker: gold lets C++ symbols slip past a version script"
  "libabsl-dev|Abseil: status, strings, containers"
  "libgtest-dev|GoogleTest, for every test"
  "libgmock-dev|GoogleMock, for the generated doubles"
  "libre2-dev|regular expressions of the generators and importers"
  "libprotobuf-dev|protocol buffers: configuration, conformance rows, reports"
  "libprotoc-dev|the library half of the protocol buffer compiler"
  "protobuf-compiler|the protocol buffer compiler"
  "python3|counts the test results"
)

die() {
  echo "setup: $*" >&2
  exit 1
}

is_installed() {
  [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2> /dev/null)" == installed ]]
}

command -v dpkg-query > /dev/null && command -v apt-get > /dev/null ||
  die "this script speaks apt, and this machine has none." \
    "Install by hand: ${NEEDS[*]%%|*}"

missing=()
for need in "${NEEDS[@]}"; do
  package=${need%%|*}
  is_installed "$package" && continue
  missing+=("$package")
  echo "setup: missing $package: ${need#*|}"
done
if ((${#missing[@]} == 0)); then
  echo "setup: all ${#NEEDS[@]} packages are installed"
  exit 0
fi

as_root=(env DEBIAN_FRONTEND=noninteractive)
if ((EUID != 0)); then
  command -v sudo > /dev/null ||
    die "not root and no sudo. Run as root:" \
      "apt-get install --no-install-recommends ${missing[*]}"
  as_root=(sudo "${as_root[@]}")
fi

echo "setup: installing ${#missing[@]} packages"
"${as_root[@]}" apt-get -qq update || die "apt-get update failed"
# dpkg's progress is hundreds of lines: shown only when something goes wrong.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "${as_root[@]}" apt-get -qq -y --no-install-recommends \
  -o Dpkg::Use-Pty=0 install "${missing[@]}" > "$log" 2>&1; then
  cat "$log" >&2
  die "apt-get install failed"
fi
for package in "${missing[@]}"; do
  is_installed "$package" || die "$package is still missing"
done
echo "setup: done"
