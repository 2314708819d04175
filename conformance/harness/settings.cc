// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/settings.h"

namespace npu::conformance {
namespace {

Settings& Current() {
  static auto* const settings = new Settings();
  return *settings;
}

}  // namespace

void SetSettings(const Settings& settings) { Current() = settings; }

const Settings& CurrentSettings() { return Current(); }

}  // namespace npu::conformance
