// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What is judged, and how.
#ifndef CONFORMANCE_HARNESS_SETTINGS_H_
#define CONFORMANCE_HARNESS_SETTINGS_H_

#include <string>

namespace npu::conformance {

// How an answer is compared with the rule's: by class or by exact code.
enum class Match { kClass, kExactCode };

// Whether cases run whose product lacks the function. The documents call that
// undefined, so it is a choice on another library; ours is always judged.
enum class Undefined { kSkip, kRun };

struct Settings {
  std::string library;  // absolute path
  std::string product = "ATLAS_A2";
  std::string contract = "2026-07";
  Match match = Match::kClass;
  Undefined undefined = Undefined::kSkip;
};

// Set once, before the first case; read-only after that.
void SetSettings(const Settings& settings);
const Settings& CurrentSettings();

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_SETTINGS_H_
