// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The whole program, aimed at libraries that misbehave in one way each.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kToys[] = "conformance/harness/testdata/libtoy_";

struct Ended {
  int status;
  std::string output;  // both streams
};

// Runs the suite with a shell command line's arguments.
Ended RunSuite(const std::string& arguments) {
  const std::string command = "conformance/suite " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "popen"};
  std::string output;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    output.append(buffer, n);
  }
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

Ended RunToy(const std::string& way, const std::string& arguments) {
  return RunSuite("--library=" + std::string(kToys) + way + ".so " + arguments);
}

// The cases that the toys are good enough for.
constexpr char kFlagCases[] = "--strict --filter='^AllocManaged.flag_fixed'";

TEST(SuiteTest, PassesAnHonestLibrary) {
  const Ended run = RunToy("honest", kFlagCases);
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_THAT(run.output,
              HasSubstr("conformance: 9 passed, 0 failed, 0 skipped"));
}

TEST(SuiteTest, FailsALibraryThatRefusesEverything) {
  const Ended run = RunToy("refuse", "");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.output,
              ContainsRegex("conformance: 0 passed, [0-9]+ failed"));
}

TEST(SuiteTest, FailsALibraryThatAcceptsEverything) {
  const Ended run = RunToy("accept", "");
  EXPECT_EQ(run.status, 1);
  // Each violation is told apart from each valid call that wrote nothing.
  EXPECT_THAT(run.output,
              HasSubstr("FAILED ManagedAdvise.size_non_zero_zero | rule "
                        "advise.size.non_zero (documented): size is not 0. | "
                        "source 11-05, parameters, size | expected class "
                        "ARGUMENT (100000) | got 0"));
  EXPECT_THAT(run.output, HasSubstr("FAILED ManagedGetAttr.ptr_non_null_kept"));
  EXPECT_THAT(run.output, HasSubstr("attribute 2 was not written"));
}

TEST(SuiteTest, FailsALibraryThatWritesOutputsWhenItRefuses) {
  const Ended run = RunToy("scribble", kFlagCases);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.output, HasSubstr("byte 0 of an output was written"));
  EXPECT_THAT(run.output, HasSubstr("conformance: 1 passed, 8 failed"));
}

TEST(SuiteTest, FailsALibraryThatDoesNotRecover) {
  const Ended run = RunToy("sticky", kFlagCases);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.output, HasSubstr("the next valid call"));
}

TEST(SuiteTest, ACrashCostsOneCase) {
  const Ended run = RunToy("crash", kFlagCases);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.output, HasSubstr("ended by signal 6"));
  EXPECT_THAT(run.output, HasSubstr("FAILED AllocManaged.flag_fixed_0x2 "));
  EXPECT_THAT(run.output, HasSubstr("conformance: 8 passed, 1 failed"));
}

TEST(SuiteTest, AHangCostsOneCase) {
  const Ended run =
      RunToy("hang", std::string(kFlagCases) + " --case_seconds=2");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.output, HasSubstr("no end within 2s"));
  EXPECT_THAT(run.output, HasSubstr("conformance: 8 passed, 1 failed"));
}

TEST(SuiteTest, ObservesRulesOfOursOnAnotherLibrary) {
  const Ended run =
      RunToy("honest", "--strict --filter='P2PMap.dstDevId_not_owner_same'");
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("observed P2PMap.dstDevId_not_owner_same"));
  EXPECT_THAT(run.output, HasSubstr("0 passed, 0 failed, 1 skipped"));
}

TEST(SuiteTest, LeavesWhatTheProductLacksUnlessAsked) {
  const std::string flags =
      "--product=IPV350 --filter='AllocManaged.product_has_it'";
  Ended run = RunToy("honest", flags);
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("0 passed, 0 failed, 1 skipped"));
  run = RunToy("honest", flags + " --unsupported");
  EXPECT_EQ(run.status, 1) << run.output;
  EXPECT_THAT(run.output, HasSubstr("expected class UNSUPPORTED (207000)"));
}

TEST(SuiteTest, PrintsCountsAndTheClosingLineAlone) {
  const Ended run = RunToy("honest", kFlagCases);
  EXPECT_THAT(run.output, ContainsRegex("rules: [0-9]+, kinds: [0-9]+, "
                                        "cases: 9\n"));
  EXPECT_THAT(run.output,
              EndsWith("\nconformance: 9 passed, 0 failed, 0 skipped\n"));
}

TEST(SuiteTest, WritesJson) {
  const std::string path = ::testing::TempDir() + "/suite_test_report.json";
  const Ended run =
      RunToy("scribble", std::string(kFlagCases) + " --json=" + path);
  EXPECT_EQ(run.status, 1);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("\"failed\": 8"));
  EXPECT_THAT(text.str(), HasSubstr("\"rule\": \"alloc.flag.fixed\""));
  EXPECT_THAT(text.str(), HasSubstr("\"verdict\": \"FAILED\""));
  unlink(path.c_str());
}

// Relative paths are the caller's, not those of the folder that `bazel run`
// starts the program in.
TEST(SuiteTest, ResolvesRelativePathsAgainstTheCallersFolder) {
  char here[4096];
  ASSERT_NE(getcwd(here, sizeof(here)), nullptr);
  const std::string folder =
      std::string(here) + "/conformance/harness/testdata";
  setenv("BUILD_WORKING_DIRECTORY", folder.c_str(), 1);
  const Ended run =
      RunSuite("--library libtoy_honest.so " + std::string(kFlagCases));
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST(SuiteTest, BadCommandLinesEndWithTwoAndAReason) {
  const struct {
    const char* arguments;
    const char* reason;
  } kBad[] = {
      {"--nonsense", "unknown flag --nonsense"},
      {"library.so", "\"library.so\" is no flag"},
      {"--library", "--library needs a value"},
      {"--library=/no/such/file.so", "cannot read /no/such/file.so"},
      {"--library=conformance/suite", "conformance/suite"},
      {"--product=ATLAS_A9", "\"ATLAS_A9\" is none of ASCEND_950"},
      {"--contract=1999-01", "\"1999-01\" is none of 2026-07"},
      {"--strict=perhaps", "--strict: bad value"},
      {"--filter='('", "--filter: "},
      {"--filter=NoSuchCase", "no case matches"},
      {"--case_seconds=0", "--case_seconds"},
  };
  for (const auto& bad : kBad) {
    const Ended run = std::string(bad.arguments).find("--library") == 0
                          ? RunSuite(bad.arguments)
                          : RunToy("honest", bad.arguments);
    EXPECT_EQ(run.status, 2) << bad.arguments << run.output;
    EXPECT_THAT(run.output, HasSubstr(bad.reason)) << bad.arguments;
    EXPECT_THAT(run.output, Not(HasSubstr("conformance: ")));
  }
}

TEST(SuiteTest, NamesTheFunctionsThatALibraryLacks) {
  const Ended run =
      RunSuite("--library=conformance/harness/testdata/libempty.so");
  EXPECT_EQ(run.status, 2) << run.output;
  EXPECT_THAT(run.output, HasSubstr("lacks aclInit, aclFinalize"));
}

TEST(SuiteTest, HelpListsTheFlags) {
  const Ended run = RunSuite("--help");
  EXPECT_EQ(run.status, 0);
  for (const char* flag : {"--library", "--product", "--contract", "--strict",
                           "--filter", "--json", "--unsupported"}) {
    EXPECT_THAT(run.output, HasSubstr(flag));
  }
}

}  // namespace
}  // namespace npu::conformance
