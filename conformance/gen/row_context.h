// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What the builders of single kinds share.
#ifndef CONFORMANCE_GEN_ROW_CONTEXT_H_
#define CONFORMANCE_GEN_ROW_CONTEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "conformance/gen/case_builder.h"
#include "conformance/spec/constraint.pb.h"

namespace npu::conformance {

// One row, its function, and the cases made of it so far. Borrows the spec;
// lives for one BuildRowCases.
class RowContext {
 public:
  using Statements = std::vector<std::string>;

  RowContext(const FunctionSpec& spec, const Row& row);

  const FunctionSpec& spec() const { return *spec_; }
  const Row& row() const { return *row_; }
  // "call.size".
  std::string argument() const;
  // "call.size[2]".
  std::string element(int i) const;
  // The parameter of the row.
  const Parameter& parameter() const;
  // Elements of the row's array in a valid call.
  int array_length() const;

  void Refused(absl::string_view variant, Statements statements);
  void Accepted(absl::string_view variant, Statements statements);
  // Refused, in a process of its own.
  void RefusedAlone(absl::string_view variant, Statements statements);

  std::vector<Case> Take() { return std::move(cases_); }

 private:
  void Add(absl::string_view variant, Statements statements, Answer answer,
           Place place);

  const FunctionSpec* spec_;
  const Row* row_;
  std::vector<Case> cases_;
};

// "-5" as "minus_5", for names.
std::string NameOfNumber(int64_t value);

// A literal of type int32_t that compiles without a warning.
std::string Int32Literal(int64_t value);

// "0x8000000000000000".
std::string HexLiteral(uint64_t value);

// Values near and far outside an enumeration that a narrowing to 16 or 8 bits
// or a missing sign test would let in.
std::vector<int64_t> OutsideOfEnum(const Row& row);

}  // namespace npu::conformance

#endif  // CONFORMANCE_GEN_ROW_CONTEXT_H_
