// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/summary.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "conformance/harness/rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

using ::testing::HasSubstr;

constexpr Rule kNonNull = {"aclrtSample",
                           "sample.ptr.non_null",
                           "ptr",
                           "NON_NULL",
                           1,
                           100000,
                           ErrorClass::kArgument,
                           Mark::kUpstreamCode,
                           "00, parameters, ptr",
                           "ptr is not NULL."};
constexpr Rule kNonZero = {"aclrtSample",
                           "sample.size.non_zero",
                           "size",
                           "NON_ZERO",
                           2,
                           100000,
                           ErrorClass::kArgument,
                           Mark::kDocumented,
                           "00, parameters, size",
                           "size is not 0."};

const RulesOfFile kRules({kNonNull, kNonZero});

CaseResult Result(Verdict verdict) {
  CaseResult result;
  result.set_name("Sample.ptr_null");
  result.set_rule("sample.ptr.non_null");
  result.set_kind("NON_NULL");
  result.set_mark("upstream code");
  result.set_source("00, parameters, ptr");
  result.set_text("ptr is not NULL.");
  result.set_expected("100000");
  result.set_got("0");
  result.set_verdict(verdict);
  return result;
}

Report ThreeCases() {
  Report report;
  for (Verdict verdict : {PASSED, FAILED, SKIPPED}) {
    *report.add_cases() = Result(verdict);
  }
  Count(&report);
  return report;
}

std::string ContentOf(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(SummaryTest, CountsAndCloses) {
  const Report report = ThreeCases();
  EXPECT_EQ(report.rules(), 2);
  EXPECT_EQ(report.kinds(), 2);
  EXPECT_EQ(ClosingLine(report), "conformance: 1 passed, 1 failed, 1 skipped");
}

TEST(SummaryTest, LinesAreOfFailuresAndObservations) {
  EXPECT_EQ(Line(Result(PASSED)), "");
  EXPECT_EQ(Line(Result(SKIPPED)), "");
  EXPECT_EQ(Line(Result(FAILED)),
            "FAILED Sample.ptr_null | rule sample.ptr.non_null (upstream "
            "code): ptr is not NULL. | source 00, parameters, ptr | expected "
            "100000 | got 0");
  CaseResult observed = Result(SKIPPED);
  observed.set_observed(true);
  EXPECT_THAT(Line(observed), HasSubstr("observed Sample.ptr_null"));
}

TEST(SummaryTest, TheTableNamesKindsWithoutCases) {
  const std::string table = KindTable(ThreeCases());
  EXPECT_THAT(table, HasSubstr("NON_NULL                      1      3\n"));
  EXPECT_THAT(table, HasSubstr("NON_ZERO                      1      0\n"));
  EXPECT_THAT(table, HasSubstr("rules: 2, kinds: 2, cases: 3\n"));
}

TEST(SummaryTest, XmlEscapesAndCounts) {
  Report report = ThreeCases();
  report.mutable_cases(1)->set_detail("a < b & \"c\" \x01");
  const std::string path = ::testing::TempDir() + "/summary_test.xml";
  ASSERT_TRUE(WriteXml(report, path).ok());
  const std::string xml = ContentOf(path);
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("a &lt; b &amp; &quot;c&quot;  "));
  EXPECT_THAT(xml, HasSubstr("classname=\"Sample\" name=\"ptr_null\""));
  unlink(path.c_str());
}

TEST(SummaryTest, AnUnwritablePathIsAnError) {
  const absl::Status status = WriteJson(ThreeCases(), "/no/such/folder/x");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("/no/such/folder/x"));
}

}  // namespace
}  // namespace npu::conformance
