#!/bin/bash
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
#
# debian_source.sh PACKAGE SUITE: downloads the upstream tarball behind a Debian
# source package into the current folder and prints its name. It asks the mirror
# of the machine's own apt setup and checks Debian's signature; /etc/apt and
# root's package lists stay as they are.
set -euo pipefail

readonly package=$1 suite=$2
readonly keys=/usr/share/keyrings/debian-archive-keyring.gpg

# Every archive of apt's sources, in either format.
archives() {
  cat /etc/apt/sources.list.d/*.sources 2> /dev/null |
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p'
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null |
    sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p'
}
# Debian's own end in "/debian"; those of other vendors do not, as a rule.
uri=$( (archives || true) | sed -n '/\/debian\/*$/p' | sed -n 1p)
if [[ -z $uri ]]; then
  echo "no Debian archive in /etc/apt (a URI that ends in /debian)" >&2
  exit 1
fi

mkdir -p apt/lists/partial
echo "deb-src [signed-by=$keys] $uri $suite main" > apt/src.list
options=(
  -o "Dir::Etc::sourcelist=$PWD/apt/src.list"
  -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$PWD/apt/lists"
  -o "Dir::Cache=$PWD/apt"
  -o APT::Sandbox::User=root
  -o APT::Update::Error-Mode=any
)
apt-get "${options[@]}" -qq update
apt-get "${options[@]}" -qq source --download-only --tar-only "$package"
rm -rf apt
ls ./*.orig.tar.*
