// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Rows -> cases. A case is a handful of C++ statements over the words of
// conformance/harness; what they do is the harness's business.
#ifndef CONFORMANCE_GEN_CASE_BUILDER_H_
#define CONFORMANCE_GEN_CASE_BUILDER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/spec/constraint.pb.h"

namespace npu::conformance {

enum class Answer { kRefused, kAccepted };

// Where a case runs: among the others, or in a process of its own in which
// the runtime was not started.
enum class Place { kShared, kAlone };

struct Case {
  std::string name;  // "size_multiple_plus_1"
  std::string rule;  // id of the row whose answer is due
  // Second rule that the case breaks, of a pair; else "".
  std::string second_rule;
  std::vector<std::string> statements;
  Answer answer = Answer::kRefused;
  Place place = Place::kShared;
};

// All cases of one row: at least one violation for each row with a code, and
// at least one valid case unless the row is about something that must have
// happened. Pure; O(cases).
std::vector<Case> BuildRowCases(const FunctionSpec& spec, const Row& row);

// Cases that break two rules of one function whose codes differ; the earlier
// rule's answer is due. At most `limit` over all functions, spread evenly,
// rules next to each other first.
std::vector<std::vector<Case>> BuildPairCases(
    const std::vector<FunctionSpec>& specs, size_t limit);

// "size_multiple" for the row "advise.size.multiple" of the prefix "advise".
std::string RowName(const FunctionSpec& spec, const Row& row);

}  // namespace npu::conformance

#endif  // CONFORMANCE_GEN_CASE_BUILDER_H_
