// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/options.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "conformance/harness/own_library.h"
#include "conformance/harness/product_table.h"
#include "re2/re2.h"

ABSL_FLAG(std::string, library, "", "the library to judge; ours by default");
ABSL_FLAG(std::string, product, "ATLAS_A2", "the product family to judge for");
ABSL_FLAG(std::string, contract, "2026-07",
          "the revision of the product table");
ABSL_FLAG(bool, strict, false, "compare exact codes, not classes of codes");
ABSL_FLAG(std::string, filter, "",
          "run cases whose name matches this expression");
ABSL_FLAG(std::string, json, "", "write the report to this file");
ABSL_FLAG(int, case_seconds, 120, "a case that takes longer is failed");
ABSL_FLAG(bool, unsupported, false,
          "run cases of functions that the product lacks");

namespace npu::conformance {
namespace {

constexpr const char* kFlags[] = {
    "library", "product", "contract",    "strict",
    "filter",  "json",    "unsupported", "case_seconds",
};

bool IsOurFlag(const std::string& name) {
  return std::find(std::begin(kFlags), std::end(kFlags), name) !=
         std::end(kFlags);
}

absl::Status SetFlag(const std::string& name, const std::string& value) {
  std::string error;
  if (absl::FindCommandLineFlag(name)->ParseFrom(value, &error)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--", name, ": bad value \"", value, "\" ", error));
}

// Sets the flags; what absl::ParseCommandLine does, but an error is returned
// instead of ending the program with a status that means "a case failed".
absl::Status SetFlags(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!absl::StartsWith(argument, "--")) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", argument, "\" is no flag"));
    }
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals - 2);
    if (!IsOurFlag(name)) {
      return absl::InvalidArgumentError(absl::StrCat("unknown flag --", name));
    }
    std::string value = "true";
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (!absl::FindCommandLineFlag(name)->IsOfType<bool>()) {
      if (++i == arguments.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", name, " needs a value"));
      }
      value = arguments[i];
    }
    const absl::Status status = SetFlag(name, value);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::string Absolute(const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  const char* caller = getenv("BUILD_WORKING_DIRECTORY");
  char here[PATH_MAX] = "";
  if (caller == nullptr) caller = getcwd(here, sizeof(here));
  return absl::StrCat(caller == nullptr ? "." : caller, "/", path);
}

absl::Status CheckIsOneOf(const char* flag, const std::string& value,
                          const std::vector<std::string>& legal) {
  if (std::find(legal.begin(), legal.end(), value) != legal.end()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--", flag, ": \"", value, "\" is none of ", absl::StrJoin(legal, ", ")));
}

absl::Status CheckLimit(absl::Duration limit) {
  if (limit > absl::ZeroDuration()) return absl::OkStatus();
  return absl::InvalidArgumentError("--case_seconds: must be above 0");
}

absl::Status CheckFilter(const std::string& filter) {
  const RE2 expression(filter, RE2::Quiet);
  if (expression.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--filter: ", expression.error()));
}

// Which library, and how strictly it is judged.
absl::Status ChooseLibrary(Settings* settings) {
  const std::string library = absl::GetFlag(FLAGS_library);
  if (!library.empty()) {
    settings->library = Absolute(library);
    if (absl::GetFlag(FLAGS_strict)) settings->match = Match::kExactCode;
    if (access(settings->library.c_str(), R_OK) == 0) return absl::OkStatus();
    return absl::NotFoundError(
        absl::StrCat("--library: cannot read ", settings->library));
  }
  absl::StatusOr<std::string> own = OwnLibrary();
  if (!own.ok()) return own.status();
  settings->library = *own;
  settings->match = Match::kExactCode;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> ReadOptions(const std::vector<std::string>& arguments) {
  Options options;
  if (std::count(arguments.begin(), arguments.end(), "--help") != 0) {
    options.ask = Ask::kHelp;
    return options;
  }
  absl::Status status = SetFlags(arguments);
  options.settings.product = absl::GetFlag(FLAGS_product);
  options.settings.contract = absl::GetFlag(FLAGS_contract);
  options.filter = absl::GetFlag(FLAGS_filter);
  options.json_path = Absolute(absl::GetFlag(FLAGS_json));
  options.case_limit = absl::Seconds(absl::GetFlag(FLAGS_case_seconds));
  if (absl::GetFlag(FLAGS_unsupported)) {
    options.settings.undefined = Undefined::kRun;
  }
  if (status.ok()) {
    status = CheckIsOneOf("product", options.settings.product, ProductNames());
  }
  if (status.ok()) {
    status =
        CheckIsOneOf("contract", options.settings.contract, ContractNames());
  }
  if (status.ok()) status = CheckFilter(options.filter);
  if (status.ok()) status = CheckLimit(options.case_limit);
  if (status.ok()) status = ChooseLibrary(&options.settings);
  if (!status.ok()) return status;
  return options;
}

std::string Usage() {
  std::string out =
      "run: judges a library by the documented constraints of managed memory\n";
  for (const char* name : kFlags) {
    const absl::CommandLineFlag* flag = absl::FindCommandLineFlag(name);
    const std::string initial = flag->DefaultValue();
    absl::StrAppend(&out, "  --", name, "  ", flag->Help(),
                    initial.empty() ? "" : absl::StrCat(" (", initial, ")"),
                    "\n");
  }
  return out;
}

}  // namespace npu::conformance
