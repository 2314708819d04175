// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/gen/case_builder.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "conformance/gen/row_cases.h"
#include "re2/re2.h"

namespace npu::conformance {
namespace {

// What a case changes: names of arguments, and "context".
std::set<std::string> Touched(const Case& made) {
  std::set<std::string> names;
  for (const std::string& statement : made.statements) {
    re2::StringPiece rest(statement);
    std::string name;
    while (RE2::FindAndConsume(&rest, R"(call\.(\w+))", &name)) {
      names.insert(name);
      if (name == "UseRange" || name == "UseOnly") {
        // They set the address and the size.
        names.insert({"ptr", "ptrs", "devPtr", "size", "sizes"});
      }
    }
    if (statement == "WithoutContext();") names.insert("context");
  }
  return names;
}

bool AreDisjoint(const std::set<std::string>& a,
                 const std::set<std::string>& b) {
  return std::none_of(a.begin(), a.end(), [&](const std::string& name) {
    return b.count(name) != 0;
  });
}

// The violation that stands for a row in pairs; its name is empty if the row
// has none that other cases can be mixed with.
Case Representative(const FunctionSpec& spec, const Row& row) {
  for (Case& made : BuildRowCases(spec, row)) {
    if (made.answer == Answer::kRefused && made.place == Place::kShared) {
      return std::move(made);
    }
  }
  return Case();
}

Case Join(const Case& earlier, const Case& later) {
  Case pair;
  pair.name = absl::StrCat("pair_", earlier.name, "_and_", later.name);
  pair.rule = earlier.rule;
  pair.second_rule = later.rule;
  pair.statements = earlier.statements;
  pair.statements.insert(pair.statements.end(), later.statements.begin(),
                         later.statements.end());
  return pair;
}

// All pairs of a function; those next to each other in the sequence of checks
// first.
std::vector<Case> AllPairs(const FunctionSpec& spec) {
  std::vector<Case> pairs;
  for (int distance = 1; distance < spec.rows_size(); ++distance) {
    for (int i = 0; i + distance < spec.rows_size(); ++i) {
      const Row& first = spec.rows(i);
      const Row& second = spec.rows(i + distance);
      // Equal codes cannot tell which check answered.
      if (first.code() == second.code()) continue;
      const Case a = Representative(spec, first);
      const Case b = Representative(spec, second);
      if (a.name.empty() || b.name.empty()) continue;
      if (AreDisjoint(Touched(a), Touched(b))) pairs.push_back(Join(a, b));
    }
  }
  return pairs;
}

}  // namespace

std::string RowName(const FunctionSpec& spec, const Row& row) {
  return absl::StrReplaceAll(row.id().substr(spec.prefix().size() + 1),
                             {{".", "_"}});
}

std::vector<Case> BuildRowCases(const FunctionSpec& spec, const Row& row) {
  RowContext context(spec, row);
  BuildValueCases(&context);
  BuildMemoryCases(&context);
  BuildArrayCases(&context);
  BuildStateCases(&context);
  return context.Take();
}

std::vector<std::vector<Case>> BuildPairCases(
    const std::vector<FunctionSpec>& specs, size_t limit) {
  std::vector<std::vector<Case>> all;
  for (const FunctionSpec& spec : specs) all.push_back(AllPairs(spec));
  std::vector<std::vector<Case>> chosen(specs.size());
  // One of each function in turn, until the limit or the end.
  size_t taken = 0;
  for (size_t turn = 0;; ++turn) {
    const size_t before = taken;
    for (size_t i = 0; i < all.size() && taken < limit; ++i) {
      if (turn >= all[i].size()) continue;
      chosen[i].push_back(all[i][turn]);
      ++taken;
    }
    if (taken == before) return chosen;
  }
}

}  // namespace npu::conformance
