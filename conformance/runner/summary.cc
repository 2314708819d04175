// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/summary.h"

#include <fstream>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "conformance/harness/rule.h"
#include "google/protobuf/util/json_util.h"

namespace npu::conformance {
namespace {

absl::Status Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write ", path));
}

std::string Escaped(const std::string& text) {
  std::string plain;
  for (char c : text) {
    // XML 1.0 has no control characters.
    plain += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return absl::StrReplaceAll(
      plain, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

}  // namespace

void Count(Report* report) {
  std::set<std::string> kinds;
  for (const Rule& rule : RuleBook::All()) kinds.insert(rule.kind);
  report->set_rules(static_cast<int>(RuleBook::All().size()));
  report->set_kinds(static_cast<int>(kinds.size()));
  std::map<int, int> counts;
  for (const CaseResult& result : report->cases()) ++counts[result.verdict()];
  report->set_passed(counts[PASSED]);
  report->set_failed(counts[FAILED]);
  report->set_skipped(counts[SKIPPED]);
}

std::string Line(const CaseResult& result) {
  if (result.verdict() != FAILED && !result.observed()) return "";
  return absl::StrCat(
      result.verdict() == FAILED ? "FAILED " : "observed ", result.name(),
      " | rule ", result.rule(), " (", result.mark(), "): ", result.text(),
      " | source ", result.source(), " | expected ", result.expected(),
      " | got ", result.got().empty() ? "nothing" : result.got(),
      result.detail().empty() ? "" : absl::StrCat(" | ", result.detail()));
}

std::string KindTable(const Report& report) {
  struct Row {
    std::set<std::string> rules;
    int cases = 0;
  };
  std::map<std::string, Row> rows;
  for (const Rule& rule : RuleBook::All())
    rows[rule.kind].rules.insert(rule.id);
  for (const CaseResult& result : report.cases()) {
    if (!result.kind().empty()) ++rows[result.kind()].cases;
  }
  std::string out =
      absl::StrFormat("%-24s %6s %6s\n", "kind", "rules", "cases");
  for (const auto& entry : rows) {
    absl::StrAppend(
        &out, absl::StrFormat("%-24s %6d %6d\n", entry.first,
                              entry.second.rules.size(), entry.second.cases));
  }
  absl::StrAppend(&out, "rules: ", report.rules(), ", kinds: ", report.kinds(),
                  ", cases: ", report.cases_size(), "\n");
  return out;
}

std::string ClosingLine(const Report& report) {
  return absl::StrCat("conformance: ", report.passed(), " passed, ",
                      report.failed(), " failed, ", report.skipped(),
                      " skipped");
}

absl::Status WriteJson(const Report& report, const std::string& path) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.always_print_primitive_fields = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(report, &text, options)
           .ok()) {
    return absl::InternalError("the report cannot be written as JSON");
  }
  return Write(path, text);
}

absl::Status WriteXml(const Report& report, const std::string& path) {
  std::string out =
      absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n",
                   "<testsuite name=\"conformance\" tests=\"",
                   report.cases_size(), "\" failures=\"", report.failed(),
                   "\" skipped=\"", report.skipped(), "\" errors=\"0\">\n");
  for (const CaseResult& result : report.cases()) {
    const size_t dot = result.name().find('.');
    absl::StrAppend(&out, "<testcase classname=\"",
                    Escaped(result.name().substr(0, dot)), "\" name=\"",
                    Escaped(result.name().substr(dot + 1)),
                    "\" status=\"run\" time=\"0\">");
    if (result.verdict() == FAILED) {
      absl::StrAppend(&out, "<failure message=\"", Escaped(Line(result)),
                      "\"/>");
    } else if (result.verdict() == SKIPPED) {
      absl::StrAppend(&out, "<skipped message=\"", Escaped(result.detail()),
                      "\"/>");
    }
    absl::StrAppend(&out, "</testcase>\n");
  }
  return Write(path, absl::StrCat(out, "</testsuite>\n</testsuites>\n"));
}

}  // namespace npu::conformance
