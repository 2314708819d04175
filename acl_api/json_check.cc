// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/json_check.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

constexpr int kDeepest = 10;

// What it is: a cursor over a text that knows the grammar. Depth is bounded by
// the rule itself, so recursion is too. One thread.
class JsonChecker {
 public:
  explicit JsonChecker(absl::string_view text) : text_(text), rest_(text) {}

  absl::Status CheckDocument() {
    SkipSpace();
    if (Peek() != '{') return Fault("the file must hold an object");
    NPU_RETURN_IF_ERROR(CheckValue());
    SkipSpace();
    return rest_.empty() ? absl::OkStatus() : Fault("text after the object");
  }

 private:
  char Peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool Take(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void SkipSpace() {
    while (!rest_.empty() && absl::string_view(" \t\r\n").find(rest_.front()) !=
                                 absl::string_view::npos) {
      rest_.remove_prefix(1);
    }
  }

  absl::Status Fault(absl::string_view what) const {
    const absl::string_view before =
        text_.substr(0, text_.size() - rest_.size());
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what));
  }

  absl::Status CheckValue() {
    SkipSpace();
    switch (Peek()) {
      case '{':
        return CheckNested(objects_, '}', &JsonChecker::CheckMember);
      case '[':
        return CheckNested(arrays_, ']', &JsonChecker::CheckValue);
      case '"':
        return CheckString();
      default:
        return CheckScalar();
    }
  }

  // The opening bracket is next; `depth` counts those of its kind.
  absl::Status CheckNested(int& depth, char close,
                           absl::Status (JsonChecker::*element)()) {
    if (++depth > kDeepest) return Fault("nested more than 10 deep");
    rest_.remove_prefix(1);
    SkipSpace();
    if (!Take(close)) {
      do {
        NPU_RETURN_IF_ERROR((this->*element)());
        SkipSpace();
      } while (Take(','));
      if (!Take(close)) return Fault("a comma or a closing bracket is missing");
    }
    --depth;
    return absl::OkStatus();
  }

  absl::Status CheckMember() {
    SkipSpace();
    if (Peek() != '"') return Fault("a name in quotes is missing");
    NPU_RETURN_IF_ERROR(CheckString());
    SkipSpace();
    if (!Take(':')) return Fault("a colon is missing");
    return CheckValue();
  }

  absl::Status CheckString() {
    rest_.remove_prefix(1);
    while (!rest_.empty() && Peek() != '"') {
      if (static_cast<unsigned char>(Peek()) < 0x20) {
        return Fault("a control character in a string");
      }
      if (Take('\\')) {
        NPU_RETURN_IF_ERROR(CheckEscape());
      } else {
        rest_.remove_prefix(1);
      }
    }
    return Take('"') ? absl::OkStatus() : Fault("a string does not end");
  }

  absl::Status CheckEscape() {
    if (Take('u')) {
      for (int i = 0; i < 4; ++i) {
        if (!absl::ascii_isxdigit(static_cast<unsigned char>(Peek()))) {
          return Fault("\\u needs four hexadecimal digits");
        }
        rest_.remove_prefix(1);
      }
      return absl::OkStatus();
    }
    if (rest_.empty() || absl::string_view("\"\\/bfnrt").find(Peek()) ==
                             absl::string_view::npos) {
      return Fault("an unknown escape in a string");
    }
    rest_.remove_prefix(1);
    return absl::OkStatus();
  }

  absl::Status CheckScalar() {
    for (const absl::string_view word : {"true", "false", "null"}) {
      if (absl::StartsWith(rest_, word)) {
        rest_.remove_prefix(word.size());
        return absl::OkStatus();
      }
    }
    return CheckNumber();
  }

  // At least one digit.
  bool TakeDigits() {
    const size_t before = rest_.size();
    while (absl::ascii_isdigit(static_cast<unsigned char>(Peek()))) {
      rest_.remove_prefix(1);
    }
    return rest_.size() < before;
  }

  absl::Status CheckNumber() {
    Take('-');
    if (!Take('0') && !TakeDigits()) return Fault("a value is missing");
    if (Take('.') && !TakeDigits()) return Fault("digits are missing");
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      if (!TakeDigits()) return Fault("digits are missing");
    }
    return absl::OkStatus();
  }

  const absl::string_view text_;
  absl::string_view rest_;
  int objects_ = 0;
  int arrays_ = 0;
};

}  // namespace

absl::Status CheckJson(absl::string_view text) {
  return JsonChecker(text).CheckDocument();
}

}  // namespace npu::acl
