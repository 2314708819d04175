// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/gen/gtest_writer.h"

#include <sstream>

#include "conformance/spec/loader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const std::string& name) {
  absl::StatusOr<std::string> text =
      ReadTextFile("conformance/gen/golden/" + name);
  EXPECT_TRUE(text.ok()) << text.status();
  return text.ok() ? *text : "";
}

FunctionSpec Sample() {
  absl::StatusOr<FunctionSpec> spec =
      ParseFunctionSpec(Text("sample.textproto"), "sample.textproto");
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.ok() ? *spec : FunctionSpec();
}

std::string Written(const FunctionSpec& spec) {
  return WriteGtest(spec, "sample", BuildPairCases({spec}, 100).front());
}

// When the writer changes on purpose, print the new text with
//   bazel run //conformance/gen:write_sample
// read it, and put it into golden/sample_cases.cc.
TEST(GtestWriterTest, WritesTheGoldenSample) {
  EXPECT_EQ(Written(Sample()), Text("sample_cases.cc"));
}

TEST(GtestWriterTest, KeepsWithinEightyColumns) {
  FunctionSpec spec = Sample();
  spec.mutable_rows(3)->set_id(
      "sample.size.a_name_that_is_so_long_that_it_"
      "does_not_fit_beside_the_fixture");
  std::istringstream lines(Written(spec));
  for (std::string line; std::getline(lines, line);) {
    // A name cannot be broken.
    if (line.find("does_not_fit") != std::string::npos) continue;
    EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(GtestWriterTest, TheAloneFixtureIsThereWhenItIsUsed) {
  FunctionSpec spec = Sample();
  EXPECT_THAT(Written(spec), HasSubstr("using SampleAlone ="));
  spec.mutable_rows()->DeleteSubrange(1, 1);
  EXPECT_THAT(Written(spec), Not(HasSubstr("SampleAlone")));
}

TEST(GtestWriterTest, WritesEachLineOfTheProductTable) {
  ProductTable table;
  table.add_products(ATLAS_A2);
  Revision* revision = table.add_revisions();
  revision->set_contract("2026-07");
  Support* support = revision->add_support();
  support->set_function("aclrtSample");
  support->add_products(ATLAS_A2);
  support->add_products(IPV350);
  const std::string text = WriteProductTable(table);
  EXPECT_THAT(text, HasSubstr("{\"2026-07\", \"aclrtSample\",\n"
                              "       \"ATLAS_A2\"},"));
  EXPECT_THAT(text, HasSubstr("\"IPV350\"},"));
}

}  // namespace
}  // namespace npu::conformance
