// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// run [--library PATH] ...: judges a library. See --help and README.md.
// Exit status: 0 no case failed, 1 one did, 2 the run could not be made.
#include <stdlib.h>

#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "conformance/harness/rule.h"
#include "conformance/runner/options.h"
#include "conformance/runner/summary.h"
#include "conformance/runner/worker.h"
#include "gtest/gtest.h"
#include "re2/re2.h"

namespace npu::conformance {
namespace {

int Refuse(const std::string& why) {
  std::cerr << "run: " << why << "\n";
  return 2;
}

std::vector<std::string> Chosen(const std::string& filter) {
  std::vector<std::string> names;
  const RE2 expression(filter, RE2::Quiet);
  for (const std::string& name : AllCaseNames()) {
    if (RE2::PartialMatch(name, expression)) names.push_back(name);
  }
  return names;
}

// Output files of a run; "" or what went wrong.
std::string WriteFiles(const Report& report, const Options& options) {
  absl::Status status;
  if (!options.json_path.empty()) status = WriteJson(report, options.json_path);
  const char* xml = getenv("XML_OUTPUT_FILE");
  if (status.ok() && xml != nullptr) status = WriteXml(report, xml);
  return std::string(status.message());
}

int Run(const Options& options) {
  SetSettings(options.settings);
  const std::vector<std::string> names = Chosen(options.filter);
  if (names.empty()) return Refuse("--filter: no case matches");
  const std::string unloadable = TryToLoad();
  if (!unloadable.empty()) return Refuse(unloadable);
  Report report;
  report.set_library(options.settings.library);
  report.set_product(options.settings.product);
  report.set_contract(options.settings.contract);
  report.set_strict(options.settings.match == Match::kExactCode);
  RunCases(names, options.case_limit, [&](const CaseResult& result) {
    *report.add_cases() = result;
    const std::string line = Line(result);
    if (!line.empty()) std::cout << line << std::endl;
  });
  Count(&report);
  std::cout << KindTable(report) << ClosingLine(report) << std::endl;
  const std::string unwritten = WriteFiles(report, options);
  if (!unwritten.empty()) return Refuse(unwritten);
  return report.failed() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace npu::conformance

int main(int argc, char** argv) {
  using npu::conformance::Options;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  int gtest_argc = 1;
  ::testing::InitGoogleTest(&gtest_argc, argv);
  const absl::StatusOr<Options> options =
      npu::conformance::ReadOptions(arguments);
  if (!options.ok()) {
    return npu::conformance::Refuse(std::string(options.status().message()));
  }
  if (options->ask == npu::conformance::Ask::kHelp) {
    std::cout << npu::conformance::Usage();
    return 0;
  }
  return npu::conformance::Run(*options);
}
