// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The command line of the suite.
#ifndef CONFORMANCE_RUNNER_OPTIONS_H_
#define CONFORMANCE_RUNNER_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "conformance/harness/settings.h"

namespace npu::conformance {

enum class Ask { kRun, kHelp };

struct Options {
  Ask ask = Ask::kRun;
  Settings settings;
  std::string filter;     // regular expression; "" for all
  std::string json_path;  // absolute; "" for none
  // Long enough for a sanitizer build on a busy machine.
  absl::Duration case_limit = absl::Seconds(120);
};

// Reads the arguments behind the program's name into the flags and checks
// them; once per process. Relative paths are the caller's
// (BUILD_WORKING_DIRECTORY, else the current folder). Without --library: our
// own, from the runfiles. Errors: InvalidArgument for an unknown flag, a
// missing or bad value, an unknown product or revision, or an argument that is
// no flag; NotFound for a library that is not there.
absl::StatusOr<Options> ReadOptions(const std::vector<std::string>& arguments);

// What --help prints.
std::string Usage();

}  // namespace npu::conformance

#endif  // CONFORMANCE_RUNNER_OPTIONS_H_
