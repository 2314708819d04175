// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/lint.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace npu::conformance {
namespace {

using Findings = std::vector<std::string>;

bool CodeFitsClass(int code, ErrorClass error_class) {
  static const auto* const kCodes = new std::map<ErrorClass, std::set<int>>{
      {ARGUMENT, {100000, 107000, 107001, 107003, 107017, 200006}},
      {CONTEXT, {107002, 507000}},
      {UNSUPPORTED, {207000}},
      {RESOURCE, {207001, 207005, 207012}},
      {PERMISSION, {207006}},
  };
  const auto found = kCodes->find(error_class);
  return found != kCodes->end() && found->second.count(code) != 0;
}

// A row with code 0 says what is legal, so it has no violation.
bool SaysWhatIsLegal(const Row& row) { return row.code() == 0; }

void LintCode(const Row& row, Findings* out) {
  const bool may_be_legal =
      row.kind() == ANY_VALUE || row.kind() == PRECONDITION;
  if (SaysWhatIsLegal(row)) {
    if (!may_be_legal) out->push_back(absl::StrCat(row.id(), ": no code"));
    return;
  }
  if (row.kind() == ANY_VALUE) {
    out->push_back(absl::StrCat(row.id(), ": ANY_VALUE with a code"));
  } else if (!CodeFitsClass(row.code(), row.error_class())) {
    out->push_back(absl::StrCat(row.id(), ": code ", row.code(),
                                " is not of class ",
                                ErrorClass_Name(row.error_class())));
  }
}

void LintDetail(const Row& row, Findings* out) {
  const auto require = [&](bool given, const char* what) {
    if (!given) out->push_back(absl::StrCat(row.id(), ": no ", what));
  };
  switch (row.kind()) {
    case MULTIPLE_OF:
    case ELEMENT_MULTIPLE_OF:
      require(row.multiple() > 1, "multiple");
      break;
    case RANGE:
    case ELEMENT_RANGE:
      require(row.high() != SYMBOL_UNSPECIFIED, "high");
      break;
    case ENUM_DOMAIN:
    case LOCATION_TYPE:
    case ELEMENT_ENUM_DOMAIN:
    case ELEMENT_LOCATION_TYPE:
      require(row.enum_values_size() > 0, "enum_values");
      break;
    case COUNT_AT_LEAST:
    case ARRAY_BELOW_COUNT:
      require(!row.other().empty(), "other");
      break;
    case OWNERSHIP:
    case ELEMENT_OWNERSHIP:
      require(row.memory() != MEMORY_UNSPECIFIED, "memory");
      break;
    case PRECONDITION:
      require(row.precondition() != PRECONDITION_UNSPECIFIED, "precondition");
      break;
    default:
      break;
  }
}

void LintRow(const FunctionSpec& spec, const Row& row, Findings* out) {
  const auto require = [&](bool given, const char* what) {
    if (!given) out->push_back(absl::StrCat(row.id(), ": no ", what));
  };
  require(row.kind() != KIND_UNSPECIFIED, "kind");
  require(row.mark() != MARK_UNSPECIFIED, "mark");
  require(!row.source().page().empty(), "source page");
  require(!row.source().section().empty(), "source section");
  require(!row.text().empty(), "text");
  if (!absl::StartsWith(row.id(), spec.prefix() + ".")) {
    out->push_back(absl::StrCat(row.id(), ": no prefix ", spec.prefix()));
  }
  const auto names = [&](const std::string& name) {
    return name.empty() ||
           std::any_of(spec.parameters().begin(), spec.parameters().end(),
                       [&](const Parameter& p) { return p.name() == name; });
  };
  for (const std::string& name : {row.parameter(), row.other()}) {
    if (names(name)) continue;
    out->push_back(absl::StrCat(row.id(), ": no parameter ", name));
  }
  LintCode(row, out);
  LintDetail(row, out);
}

void LintParameters(const FunctionSpec& spec, Findings* out) {
  for (const Parameter& parameter : spec.parameters()) {
    const bool ruled = std::any_of(
        spec.rows().begin(), spec.rows().end(),
        [&](const Row& row) { return row.parameter() == parameter.name(); });
    const bool reasoned = !parameter.no_rule_reason().empty();
    if (ruled != reasoned) continue;
    out->push_back(absl::StrCat(spec.function(), ": ", parameter.name(),
                                ruled ? " has rules and a reason for none"
                                      : " has no rule and no reason"));
  }
}

}  // namespace

Findings LintFunction(const FunctionSpec& spec) {
  Findings findings;
  if (spec.function().empty() || spec.short_name().empty()) {
    findings.push_back(absl::StrCat(spec.prefix(), ": no name"));
  }
  LintParameters(spec, &findings);
  std::set<std::string> ids;
  int order = 0;
  for (const Row& row : spec.rows()) {
    LintRow(spec, row, &findings);
    if (!ids.insert(row.id()).second) {
      findings.push_back(absl::StrCat(row.id(), ": twice"));
    }
    if (row.order() != ++order) {
      findings.push_back(absl::StrCat(row.id(), ": order ", row.order(),
                                      " where ", order, " is due"));
    }
  }
  const auto products =
      std::count_if(spec.rows().begin(), spec.rows().end(),
                    [](const Row& row) { return row.kind() == PRODUCT; });
  if (products != 1) {
    findings.push_back(
        absl::StrCat(spec.function(), ": ", products, " rows of kind PRODUCT"));
  }
  return findings;
}

Findings LintProducts(const ProductTable& table,
                      const std::vector<FunctionSpec>& specs) {
  Findings findings;
  std::set<int> families(table.products().begin(), table.products().end());
  if (families.size() != Product_ARRAYSIZE - 1 ||
      table.products_size() != Product_ARRAYSIZE - 1 ||
      families.count(PRODUCT_UNSPECIFIED) != 0) {
    findings.push_back("products: not each family once");
  }
  if (table.revisions_size() == 0) findings.push_back("no revision");
  for (const Revision& revision : table.revisions()) {
    if (revision.source().page().empty()) {
      findings.push_back(absl::StrCat(revision.contract(), ": no source"));
    }
    std::multiset<std::string> functions;
    for (const Support& support : revision.support()) {
      functions.insert(support.function());
    }
    for (const FunctionSpec& spec : specs) {
      const size_t count = functions.count(spec.function());
      if (count == 1) continue;
      findings.push_back(absl::StrCat(revision.contract(), ": ",
                                      spec.function(), " ", count, " times"));
    }
    if (functions.size() != specs.size()) {
      findings.push_back(
          absl::StrCat(revision.contract(), ": functions without rows"));
    }
  }
  return findings;
}

}  // namespace npu::conformance
