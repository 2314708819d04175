// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/gen/case_builder.h"

#include <algorithm>
#include <map>
#include <set>

#include "conformance/spec/loader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

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

FunctionSpec Load(const std::string& name) {
  const std::string path = "conformance/spec/" + name + ".textproto";
  absl::StatusOr<std::string> text = ReadTextFile(path);
  EXPECT_TRUE(text.ok()) << text.status();
  absl::StatusOr<FunctionSpec> spec = ParseFunctionSpec(*text, path);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return *spec;
}

std::vector<FunctionSpec> LoadAll() {
  std::vector<FunctionSpec> specs;
  for (const char* name : kFiles) specs.push_back(Load(name));
  return specs;
}

const Row& RowOf(const FunctionSpec& spec, const std::string& id) {
  for (const Row& row : spec.rows()) {
    if (row.id() == id) return row;
  }
  ADD_FAILURE() << "no row " << id;
  return Row::default_instance();
}

// First statements of the cases of a row with this answer.
std::vector<std::string> FirstStatements(const std::string& file,
                                         const std::string& id, Answer answer) {
  const FunctionSpec spec = Load(file);
  std::vector<std::string> statements;
  for (const Case& made : BuildRowCases(spec, RowOf(spec, id))) {
    if (made.answer != answer || made.statements.empty()) continue;
    statements.push_back(made.statements.front());
  }
  return statements;
}

TEST(CaseBuilderTest, EachRowHasItsCases) {
  for (const FunctionSpec& spec : LoadAll()) {
    for (const Row& row : spec.rows()) {
      const std::vector<Case> cases = BuildRowCases(spec, row);
      const auto count = [&](Answer answer) {
        return std::count_if(cases.begin(), cases.end(), [&](const Case& made) {
          return made.answer == answer;
        });
      };
      const bool is_violated = row.code() != 0 && row.kind() != PRODUCT;
      EXPECT_EQ(count(Answer::kRefused) > 0, is_violated) << row.id();
      const bool is_life_cycle = row.precondition() == INITIALIZED ||
                                 row.precondition() == NOT_FINALIZED;
      EXPECT_EQ(count(Answer::kAccepted) > 0, !is_life_cycle) << row.id();
    }
  }
}

TEST(CaseBuilderTest, NamesAreUniqueAndGoodForGtest) {
  const std::vector<FunctionSpec> specs = LoadAll();
  const auto pairs = BuildPairCases(specs, 100);
  for (size_t i = 0; i < specs.size(); ++i) {
    std::set<std::string> names;
    std::vector<Case> cases = pairs[i];
    for (const Row& row : specs[i].rows()) {
      for (Case& made : BuildRowCases(specs[i], row)) {
        cases.push_back(std::move(made));
      }
    }
    for (const Case& made : cases) {
      EXPECT_TRUE(names.insert(made.name).second) << made.name;
      EXPECT_THAT(made.name, ::testing::MatchesRegex("[A-Za-z0-9_]+"));
    }
  }
}

TEST(CaseBuilderTest, FixedValueTriesTheUpperHalfOfWideFlagsOnly) {
  const auto wide =
      FirstStatements("mem_p2p_map", "p2p_map.flags.fixed", Answer::kRefused);
  EXPECT_THAT(wide,
              IsSupersetOf({"call.flags = 0x1;", "call.flags = 0x80000000;",
                            "call.flags = 0x100000000;",
                            "call.flags = 0x8000000000000000;"}));
  EXPECT_THAT(wide, Not(Contains("call.flags = 0x0;")));
  const auto narrow = FirstStatements("mem_managed_prefetch_async",
                                      "prefetch.flags.fixed", Answer::kRefused);
  EXPECT_THAT(narrow,
              IsSupersetOf({"call.flags = 0x1;", "call.flags = 0x80000000;"}));
  EXPECT_THAT(narrow, Not(Contains("call.flags = 0x100000000;")));
}

TEST(CaseBuilderTest, FixedValueOneTriesZeroAndLookalikes) {
  EXPECT_THAT(
      FirstStatements("mem_alloc_managed", "alloc.flag.fixed",
                      Answer::kRefused),
      IsSupersetOf({"call.flag = 0x0;", "call.flag = 0x2;", "call.flag = 0x3;",
                    "call.flag = 0x101;", "call.flag = 0x10001;",
                    "call.flag = 0x80000001;"}));
}

TEST(CaseBuilderTest, EnumTriesNeighboursAndWhatSurvivesNarrowing) {
  const std::string type = "call.advise = aclrtMemManagedAdviseType";
  EXPECT_THAT(
      FirstStatements("mem_managed_advise", "advise.advise.domain",
                      Answer::kRefused),
      IsSupersetOf({type + "(-1);", type + "(6);", type + "(INT32_MIN);",
                    type + "(65536);", type + "(65541);", type + "(256);"}));
  EXPECT_THAT(FirstStatements("mem_managed_advise", "advise.advise.domain",
                              Answer::kAccepted),
              ElementsAre(type + "(0);", type + "(1);", type + "(2);",
                          type + "(3);", type + "(4);", type + "(5);"));
}

TEST(CaseBuilderTest, MultipleIsMissedByOneAndByHalf) {
  EXPECT_THAT(
      FirstStatements("mem_managed_advise", "advise.size.multiple",
                      Answer::kRefused),
      IsSupersetOf({"call.size = 2097152 + 1;", "call.size = 2097152 - 1;",
                    "call.size = 1048576;"}));
}

TEST(CaseBuilderTest, LocationsAreTriedWithEachAdvice) {
  const FunctionSpec spec = Load("mem_managed_advise");
  std::vector<std::string> names;
  for (const char* id :
       {"advise.location.device_id", "advise.location.any_advice"}) {
    for (const Case& made : BuildRowCases(spec, RowOf(spec, id))) {
      names.push_back(made.name);
    }
  }
  for (int advise = 0; advise < 6; ++advise) {
    EXPECT_THAT(names, Contains("location_device_id_count_with_advise_" +
                                std::to_string(advise)));
    EXPECT_THAT(names, Contains("location_any_advice_5_with_advise_" +
                                std::to_string(advise)));
  }
}

TEST(CaseBuilderTest, ElementRulesAreTriedAtEachIndex) {
  EXPECT_THAT(
      FirstStatements("mem_managed_prefetch_batch_async",
                      "batch.ptrs.element_non_null", Answer::kRefused),
      ElementsAre("call.ptrs[0] = nullptr;", "call.ptrs[1] = nullptr;",
                  "call.ptrs[2] = nullptr;", "call.ptrs[3] = nullptr;"));
  EXPECT_THAT(
      FirstStatements("mem_managed_prefetch_batch_async",
                      "batch.prefetchLocIdxs.increasing", Answer::kRefused),
      IsSupersetOf({"call.prefetchLocIdxs[1] = call.prefetchLocIdxs[0];",
                    "call.prefetchLocIdxs[2] = call.prefetchLocIdxs[1];",
                    "call.prefetchLocIdxs[2] = call.prefetchLocIdxs[1] - 1;"}));
}

TEST(CaseBuilderTest, LifeCycleCasesRunAlone) {
  const FunctionSpec spec = Load("mem_p2p_map");
  for (const char* id : {"p2p_map.init", "p2p_map.finalize"}) {
    const std::vector<Case> cases = BuildRowCases(spec, RowOf(spec, id));
    EXPECT_THAT(cases, SizeIs(1));
    EXPECT_THAT(cases, Contains(Field(&Case::place, Place::kAlone)));
  }
}

TEST(PairsTest, ExpectTheEarlierRuleAndDifferInCode) {
  const std::vector<FunctionSpec> specs = LoadAll();
  const auto pairs = BuildPairCases(specs, 100);
  size_t total = 0;
  for (size_t i = 0; i < specs.size(); ++i) {
    total += pairs[i].size();
    for (const Case& pair : pairs[i]) {
      const Row& first = RowOf(specs[i], pair.rule);
      const Row& second = RowOf(specs[i], pair.second_rule);
      EXPECT_LT(first.order(), second.order()) << pair.name;
      EXPECT_NE(first.code(), second.code()) << pair.name;
      EXPECT_EQ(pair.answer, Answer::kRefused);
      EXPECT_GE(pair.statements.size(), 2u);
    }
  }
  EXPECT_EQ(total, 100u);
}

TEST(PairsTest, KeepTheLimitAndSpreadIt) {
  const std::vector<FunctionSpec> specs = LoadAll();
  size_t total = 0;
  size_t functions = 0;
  for (const std::vector<Case>& pairs : BuildPairCases(specs, 10)) {
    total += pairs.size();
    functions += pairs.empty() ? 0 : 1;
    EXPECT_LE(pairs.size(), 2u);
  }
  EXPECT_EQ(total, 10u);
  // All but the pointer query, whose two rules have one code.
  EXPECT_EQ(functions, 7u);
  EXPECT_THAT(BuildPairCases(specs, 0), ::testing::Each(IsEmpty()));
}

}  // namespace
}  // namespace npu::conformance
