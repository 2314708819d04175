// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/gen/gtest_writer.h"

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace npu::conformance {
namespace {

constexpr size_t kColumns = 80;

constexpr char kBanner[] =
    "// SPDX-FileCopyrightText: The ascend-uvm Authors\n"
    "// SPDX-License-Identifier: Apache-2.0\n"
    "\n";

// Words wrapped into lines of at most `width` columns.
std::vector<std::string> Wrap(absl::string_view text, size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (absl::string_view word : absl::StrSplit(text, ' ')) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines.push_back(line);
      line.clear();
    }
    absl::StrAppend(&line, line.empty() ? "" : " ", word);
  }
  lines.push_back(line);
  return lines;
}

std::string Comment(absl::string_view text) {
  std::string out;
  for (const std::string& line : Wrap(text, kColumns - 3)) {
    absl::StrAppend(&out, "// ", line, "\n");
  }
  return out;
}

// A string literal, as one or more lines indented by four.
std::string Literal(absl::string_view text) {
  const std::vector<std::string> lines = Wrap(text, kColumns - 8);
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool is_last = i + 1 == lines.size();
    absl::StrAppend(&out, "    \"", lines[i], is_last ? "\",\n" : " \"\n");
  }
  return out;
}

// "kSizeMultiple" for "advise.size.multiple".
std::string ConstantName(absl::string_view id) {
  std::string out = "k";
  bool starts_word = true;
  for (char c : id.substr(id.find('.') + 1)) {
    if (c == '.' || c == '_') {
      starts_word = true;
    } else {
      out += starts_word ? absl::ascii_toupper(c) : c;
      starts_word = false;
    }
  }
  return out;
}

const char* ClassName(ErrorClass error_class) {
  switch (error_class) {
    case ARGUMENT:
      return "kArgument";
    case CONTEXT:
      return "kContext";
    case UNSUPPORTED:
      return "kUnsupported";
    case RESOURCE:
      return "kResource";
    case PERMISSION:
      return "kPermission";
    default:
      return "kNone";
  }
}

const char* MarkName(Mark mark) {
  switch (mark) {
    case DOCUMENTED:
      return "kDocumented";
    case UPSTREAM_CODE:
      return "kUpstreamCode";
    default:
      return "kOurs";
  }
}

std::string RuleConstant(const FunctionSpec& spec, const Row& row) {
  return absl::StrCat(
      "constexpr Rule ", ConstantName(row.id()), " = {\n", "    \"",
      spec.function(), "\",\n", "    \"", row.id(), "\",\n", "    \"",
      row.parameter(), "\",\n", "    \"", Kind_Name(row.kind()), "\",\n",
      "    /*order=*/", row.order(), ",\n", "    /*code=*/", row.code(), ",\n",
      "    ErrorClass::", ClassName(row.error_class()), ",\n",
      "    Mark::", MarkName(row.mark()), ",\n",
      Literal(absl::StrCat(row.source().page(), ", ", row.source().section())),
      Literal(row.text()), "};\n");
}

// One statement of a case; a long one is broken behind its " = " or its first
// parenthesis.
std::string Statement(const std::string& statement) {
  if (statement.size() + 2 <= kColumns) {
    return absl::StrCat("  ", statement, "\n");
  }
  size_t at = statement.find(" = ");
  if (at != std::string::npos) {
    at += 2;
    return absl::StrCat("  ", statement.substr(0, at), "\n      ",
                        statement.substr(at + 1), "\n");
  }
  const size_t open = statement.find('(');
  const size_t comma = statement.rfind(", ");
  return absl::StrCat("  ", statement.substr(0, comma + 1), "\n",
                      std::string(open + 3, ' '), statement.substr(comma + 2),
                      "\n");
}

std::string TestHead(const std::string& fixture, const std::string& name) {
  const std::string line =
      absl::StrCat("TEST_F(", fixture, ", ", name, ") {\n");
  if (line.size() - 1 <= kColumns) return line;
  return absl::StrCat("TEST_F(", fixture, ",\n       ", name, ") {\n");
}

std::string Test(const FunctionSpec& spec, const Case& made) {
  const std::string fixture = absl::StrCat(
      spec.short_name(), made.place == Place::kAlone ? "Alone" : "");
  const std::string expect = absl::StrCat(
      made.answer == Answer::kRefused ? "ExpectRefused(" : "ExpectAccepted(",
      ConstantName(made.rule), ");");
  if (made.statements.empty()) {
    const std::string line = absl::StrCat("TEST_F(", fixture, ", ", made.name,
                                          ") { ", expect, " }\n");
    if (line.size() - 1 <= kColumns) return line;
  }
  std::string out = TestHead(fixture, made.name);
  for (const std::string& statement : made.statements) {
    out += Statement(statement);
  }
  return absl::StrCat(out, "  ", expect, "\n}\n");
}

bool HasAloneCases(const FunctionSpec& spec) {
  return std::any_of(spec.rows().begin(), spec.rows().end(),
                     [](const Row& row) {
                       return row.precondition() == INITIALIZED ||
                              row.precondition() == NOT_FINALIZED;
                     });
}

const char* HeaderOf(const FunctionSpec& spec) {
  static const auto* const kHeaders = new std::map<std::string, const char*>{
      {"PrefetchAsync", "prefetch_calls.h"},
      {"PrefetchBatchAsync", "prefetch_calls.h"},
      {"P2PMap", "pointer_calls.h"},
      {"PointerGetAttributes", "pointer_calls.h"},
  };
  const auto found = kHeaders->find(spec.short_name());
  return found == kHeaders->end() ? "managed_calls.h" : found->second;
}

std::string Head(const FunctionSpec& spec, absl::string_view spec_name) {
  std::string out = absl::StrCat(
      kBanner, "// Generated by //conformance/gen:generate from\n",
      "// conformance/spec/", spec_name, ".textproto.\n",
      "// Do not edit: change the rows.\n\n", "#include <cstdint>\n\n",
      "#include \"conformance/harness/case.h\"\n",
      "#include \"conformance/harness/", HeaderOf(spec), "\"\n\n",
      "namespace npu::conformance {\n", "namespace {\n\n");
  absl::StrAppend(&out, "using ", spec.short_name(), " = CaseOf<",
                  spec.short_name(), "Call>;\n");
  if (HasAloneCases(spec)) {
    absl::StrAppend(&out, "using ", spec.short_name(), "Alone = CaseAlone<",
                    spec.short_name(), "Call>;\n");
  }
  return out;
}

std::string Registration(const FunctionSpec& spec) {
  std::string out = "\nconst RulesOfFile kRules({\n";
  for (const Row& row : spec.rows()) {
    absl::StrAppend(&out, "    ", ConstantName(row.id()), ",\n");
  }
  return absl::StrCat(out, "});\n");
}

std::string PairComment(const Case& pair) {
  return Comment(absl::StrCat("Breaks ", pair.rule, " and ", pair.second_rule,
                              "; the answer is the first one's."));
}

}  // namespace

std::string WriteGtest(const FunctionSpec& spec, absl::string_view spec_name,
                       const std::vector<Case>& pairs) {
  std::string out = Head(spec, spec_name);
  absl::StrAppend(&out, "\n// One field per line.\n// clang-format off\n");
  for (const Row& row : spec.rows()) {
    absl::StrAppend(&out, RuleConstant(spec, row), "\n");
  }
  absl::StrAppend(&out, "// clang-format on\n", Registration(spec));
  for (const Row& row : spec.rows()) {
    absl::StrAppend(&out, "\n// --- ", row.id(), "\n", Comment(row.text()));
    for (const Case& made : BuildRowCases(spec, row)) {
      absl::StrAppend(&out, "\n", Test(spec, made));
    }
  }
  for (const Case& pair : pairs) {
    absl::StrAppend(&out, "\n", PairComment(pair), Test(spec, pair));
  }
  return absl::StrCat(out, "\n}  // namespace\n",
                      "}  // namespace npu::conformance\n");
}

std::string WriteProductTable(const ProductTable& table) {
  std::string out = absl::StrCat(
      kBanner, "// Generated by //conformance/gen:generate from\n",
      "// conformance/spec/products.textproto. Do not edit: change the table.",
      "\n\n#include \"conformance/harness/product_table.h\"\n\n",
      "namespace npu::conformance {\n\n",
      "// One entry per line.\n// clang-format off\n\n",
      "const std::vector<ProductSupport>& ProductTableLines() {\n",
      "  static const auto* const kLines = new std::vector<ProductSupport>{\n");
  for (const Revision& revision : table.revisions()) {
    for (const Support& support : revision.support()) {
      for (int product : support.products()) {
        absl::StrAppend(&out, "      {\"", revision.contract(), "\", \"",
                        support.function(), "\",\n       \"",
                        Product_Name(static_cast<Product>(product)), "\"},\n");
      }
    }
  }
  absl::StrAppend(&out, "  };\n  return *kLines;\n}\n\n",
                  "const std::vector<std::string>& ProductNames() {\n",
                  "  static const auto* const kNames = ",
                  "new std::vector<std::string>{\n");
  for (int product : table.products()) {
    absl::StrAppend(&out, "      \"",
                    Product_Name(static_cast<Product>(product)), "\",\n");
  }
  absl::StrAppend(&out, "  };\n  return *kNames;\n}\n\n",
                  "const std::vector<std::string>& ContractNames() {\n",
                  "  static const auto* const kNames = ",
                  "new std::vector<std::string>{\n");
  for (const Revision& revision : table.revisions()) {
    absl::StrAppend(&out, "      \"", revision.contract(), "\",\n");
  }
  return absl::StrCat(out, "  };\n  return *kNames;\n}\n\n",
                      "// clang-format on\n\n",
                      "}  // namespace npu::conformance\n");
}

}  // namespace npu::conformance
