// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/gen/row_context.h"

#include <algorithm>
#include <limits>
#include <set>

#include "absl/strings/str_cat.h"

namespace npu::conformance {

RowContext::RowContext(const FunctionSpec& spec, const Row& row)
    : spec_(&spec), row_(&row) {}

std::string RowContext::argument() const {
  return absl::StrCat("call.", row_->parameter());
}

std::string RowContext::element(int i) const {
  return absl::StrCat("call.", row_->parameter(), "[", i, "]");
}

const Parameter& RowContext::parameter() const {
  const auto& all = spec_->parameters();
  const auto found = std::find_if(
      all.begin(), all.end(),
      [this](const Parameter& p) { return p.name() == row_->parameter(); });
  return found == all.end() ? Parameter::default_instance() : *found;
}

int RowContext::array_length() const {
  const auto found = spec_->array_lengths().find(row_->parameter());
  return found == spec_->array_lengths().end() ? 0 : found->second;
}

void RowContext::Refused(absl::string_view variant, Statements statements) {
  Add(variant, std::move(statements), Answer::kRefused, Place::kShared);
}

void RowContext::Accepted(absl::string_view variant, Statements statements) {
  Add(variant, std::move(statements), Answer::kAccepted, Place::kShared);
}

void RowContext::RefusedAlone(absl::string_view variant,
                              Statements statements) {
  Add(variant, std::move(statements), Answer::kRefused, Place::kAlone);
}

void RowContext::Add(absl::string_view variant, Statements statements,
                     Answer answer, Place place) {
  Case made;
  made.name = absl::StrCat(RowName(*spec_, *row_), "_", variant);
  made.rule = row_->id();
  made.statements = std::move(statements);
  made.answer = answer;
  made.place = place;
  cases_.push_back(std::move(made));
}

std::string NameOfNumber(int64_t value) {
  if (value == std::numeric_limits<int32_t>::min()) return "int_min";
  if (value == std::numeric_limits<int32_t>::max()) return "int_max";
  return value < 0 ? absl::StrCat("minus_", -value) : absl::StrCat(value);
}

std::string Int32Literal(int64_t value) {
  if (value == std::numeric_limits<int32_t>::min()) return "INT32_MIN";
  if (value == std::numeric_limits<int32_t>::max()) return "INT32_MAX";
  return absl::StrCat(value);
}

std::string HexLiteral(uint64_t value) {
  return absl::StrCat("0x", absl::Hex(value));
}

std::vector<int64_t> OutsideOfEnum(const Row& row) {
  const auto& legal = row.enum_values();
  const int64_t low = *std::min_element(legal.begin(), legal.end());
  const int64_t high = *std::max_element(legal.begin(), legal.end());
  std::set<int64_t> values = {low - 1, high + 1, -1,
                              std::numeric_limits<int32_t>::min(),
                              std::numeric_limits<int32_t>::max()};
  for (int64_t value : legal) {
    values.insert(value + 256);
    values.insert(value + 65536);
  }
  // A domain that begins at 1: 0 survives a narrowing of 65536.
  values.insert(65536);
  std::vector<int64_t> outside;
  for (int64_t value : values) {
    if (std::count(legal.begin(), legal.end(), value) == 0) {
      outside.push_back(value);
    }
  }
  return outside;
}

}  // namespace npu::conformance
