// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/rule.h"

#include <cstring>

namespace npu::conformance {
namespace {

std::vector<Rule>& Book() {
  static auto* const book = new std::vector<Rule>();
  return *book;
}

}  // namespace

ErrorClass ErrorClassOf(int code) {
  switch (code) {
    case 100000:
    case 107000:
    case 107001:
    case 107003:
    case 107017:
    case 200006:
      return ErrorClass::kArgument;
    case 107002:
    case 507000:
      return ErrorClass::kContext;
    case 207000:
      return ErrorClass::kUnsupported;
    case 207001:
    case 207005:
    case 207012:
      return ErrorClass::kResource;
    case 207006:
      return ErrorClass::kPermission;
    default:
      return ErrorClass::kNone;
  }
}

const char* NameOf(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kNone:
      return "NONE";
    case ErrorClass::kArgument:
      return "ARGUMENT";
    case ErrorClass::kContext:
      return "CONTEXT";
    case ErrorClass::kUnsupported:
      return "UNSUPPORTED";
    case ErrorClass::kResource:
      return "RESOURCE";
    case ErrorClass::kPermission:
      return "PERMISSION";
  }
  return "?";
}

const char* NameOf(Mark mark) {
  switch (mark) {
    case Mark::kDocumented:
      return "documented";
    case Mark::kUpstreamCode:
      return "upstream code";
    case Mark::kOurs:
      return "ours";
  }
  return "?";
}

void RuleBook::Add(const Rule& rule) { Book().push_back(rule); }

const std::vector<Rule>& RuleBook::All() { return Book(); }

const Rule* RuleBook::ProductRule(const char* function) {
  for (const Rule& rule : Book()) {
    if (std::strcmp(rule.kind, "PRODUCT") == 0 &&
        std::strcmp(rule.function, function) == 0) {
      return &rule;
    }
  }
  return nullptr;
}

RulesOfFile::RulesOfFile(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) RuleBook::Add(rule);
}

}  // namespace npu::conformance
