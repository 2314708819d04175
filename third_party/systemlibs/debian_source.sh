#!/bin/bash
# SPDX-FileCopyrightText: The ascend-uvm Authors
# SPDX-License-Identifier: Apache-2.0
# debian_source.sh PACKAGE SUITE: downloads the upstream tarball of a Debian
# source package into the current folder, through the machine's own apt setup
# (same mirror, same keys), without touching /etc/apt or root's package lists.
set -eu
package=$1
suite=$2
uri=$(cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs: *\([^ ]*\).*/\1/p' | head -1)
[ -n "$uri" ] || uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' | head -1)
[ -n "$uri" ] || { echo "no Debian archive in /etc/apt" >&2; exit 1; }
mkdir -p apt/lists/partial
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main" > apt/src.list
options=(-o "Dir::Etc::sourcelist=$PWD/apt/src.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt" -o APT::Sandbox::User=root)
apt-get "${options[@]}" -qq update
apt-get "${options[@]}" -qq source --download-only --tar-only "$package"
rm -rf apt
ls ./*.orig.tar.*
