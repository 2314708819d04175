// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/lint.h"

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/spec/loader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kFolder[] = "conformance/spec/";
constexpr const char* kFiles[] = {
    "mem_alloc_managed",
    "mem_managed_advise",
    "mem_managed_get_attr",
    "mem_managed_get_attrs",
    "mem_managed_prefetch_async",
    "mem_managed_prefetch_batch_async",
    "mem_p2p_map",
    "pointer_get_attributes",
};

std::string Text(const std::string& name) {
  absl::StatusOr<std::string> text =
      ReadTextFile(std::string(kFolder) + name + ".textproto");
  EXPECT_TRUE(text.ok()) << text.status();
  return text.ok() ? *text : "";
}

FunctionSpec Function(const std::string& name) {
  absl::StatusOr<FunctionSpec> spec = ParseFunctionSpec(Text(name), name);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.ok() ? *spec : FunctionSpec();
}

std::vector<FunctionSpec> AllFunctions() {
  std::vector<FunctionSpec> specs;
  for (const char* name : kFiles) specs.push_back(Function(name));
  return specs;
}

ProductTable Products() {
  absl::StatusOr<ProductTable> table =
      ParseProductTable(Text("products"), "products");
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? *table : ProductTable();
}

TEST(LintTest, OurRowsAreClean) {
  for (const FunctionSpec& spec : AllFunctions()) {
    EXPECT_THAT(LintFunction(spec), IsEmpty()) << spec.function();
    EXPECT_GE(spec.rows_size(), 5) << spec.function();
  }
}

TEST(LintTest, OurProductTableIsClean) {
  EXPECT_THAT(LintProducts(Products(), AllFunctions()), IsEmpty());
}

// The two revisions differ in the six managed calls of A3 and nowhere else.
TEST(LintTest, RevisionsDifferInA3) {
  const ProductTable table = Products();
  ASSERT_EQ(table.revisions_size(), 2);
  int differences = 0;
  for (int i = 0; i < table.revisions(0).support_size(); ++i) {
    const Support& old_row = table.revisions(0).support(i);
    const Support& new_row = table.revisions(1).support(i);
    ASSERT_EQ(old_row.function(), new_row.function());
    for (int product : table.products()) {
      const bool was = std::count(old_row.products().begin(),
                                  old_row.products().end(), product) != 0;
      const bool is = std::count(new_row.products().begin(),
                                 new_row.products().end(), product) != 0;
      if (was == is) continue;
      ++differences;
      EXPECT_EQ(product, ATLAS_A3);
      EXPECT_TRUE(is);
    }
  }
  EXPECT_EQ(differences, 6);
}

TEST(LintTest, FindsAParameterWithoutRule) {
  FunctionSpec spec = Function("mem_p2p_map");
  spec.add_parameters()->set_name("extra");
  EXPECT_THAT(LintFunction(spec),
              Contains("aclrtMemP2PMap: extra has no rule and no reason"));
  spec.mutable_parameters(4)->set_no_rule_reason("for this test");
  EXPECT_THAT(LintFunction(spec), IsEmpty());
  spec.mutable_parameters(0)->set_no_rule_reason("for this test");
  EXPECT_THAT(LintFunction(spec),
              Contains(HasSubstr("has rules and a reason for none")));
}

TEST(LintTest, FindsWhatARowLacks) {
  const FunctionSpec good = Function("mem_managed_advise");
  struct Damage {
    void (*apply)(Row* row);
    const char* finding;
  };
  const Damage kDamages[] = {
      {[](Row* r) { r->clear_source(); }, "no source page"},
      {[](Row* r) { r->clear_text(); }, "no text"},
      {[](Row* r) { r->clear_mark(); }, "no mark"},
      {[](Row* r) { r->clear_code(); }, "no code"},
      {[](Row* r) { r->set_code(207000); }, "is not of class ARGUMENT"},
      {[](Row* r) { r->set_order(9); }, "order 9 where 1 is due"},
      {[](Row* r) { r->set_id("advise.size.non_zero"); }, "twice"},
      {[](Row* r) { r->set_id("other"); }, "no prefix advise"},
      {[](Row* r) { r->set_parameter("nobody"); }, "no parameter nobody"},
      {[](Row* r) { r->set_kind(MULTIPLE_OF); }, "no multiple"},
      {[](Row* r) { r->set_kind(RANGE); }, "no high"},
      {[](Row* r) { r->set_kind(ENUM_DOMAIN); }, "no enum_values"},
      {[](Row* r) { r->set_kind(COUNT_AT_LEAST); }, "no other"},
      {[](Row* r) { r->set_kind(OWNERSHIP); }, "no memory"},
      {[](Row* r) { r->set_kind(PRECONDITION); }, "no precondition"},
      {[](Row* r) { r->set_kind(ANY_VALUE); }, "ANY_VALUE with a code"},
      {[](Row* r) { r->set_kind(PRODUCT); }, "2 rows of kind PRODUCT"},
  };
  for (const Damage& damage : kDamages) {
    FunctionSpec spec = good;
    damage.apply(spec.mutable_rows(0));
    EXPECT_THAT(LintFunction(spec), Contains(HasSubstr(damage.finding)));
  }
}

TEST(LintTest, FindsHolesInTheProductTable) {
  const std::vector<FunctionSpec> specs = AllFunctions();
  ProductTable table = Products();
  table.mutable_products()->RemoveLast();
  EXPECT_THAT(LintProducts(table, specs),
              Contains("products: not each family once"));
  table = Products();
  table.mutable_revisions(0)->mutable_support()->RemoveLast();
  EXPECT_THAT(LintProducts(table, specs),
              Contains("2026-07: aclrtPointerGetAttributes 0 times"));
  table = Products();
  table.clear_revisions();
  EXPECT_THAT(LintProducts(table, specs), Contains("no revision"));
}

TEST(LoaderTest, NamesFileLineAndColumn) {
  const auto spec = ParseFunctionSpec("function: \"f\"\nrow: 1\n", "f.txt");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(spec.status().message()), HasSubstr("f.txt:2:"));
}

TEST(LoaderTest, SaysWhichFileIsMissing) {
  const auto text = ReadTextFile("no/such/file");
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(std::string(text.status().message()), HasSubstr("no/such/file"));
}

}  // namespace
}  // namespace npu::conformance
