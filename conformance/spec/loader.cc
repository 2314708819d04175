// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/loader.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"

namespace npu::conformance {
namespace {

// Keeps the first message, as file:line:column.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(absl::string_view name) : name_(name) {}

  // protobuf counts lines and columns from 0.
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text_.empty()) return;
    text_ = absl::StrCat(name_, ":", line + 1, ":", column + 1, ": ", message);
  }

  const std::string& text() const { return text_; }

 private:
  std::string name_;
  std::string text_;
};

template <class Message>
absl::StatusOr<Message> Parse(absl::string_view text, absl::string_view name) {
  FirstError error(name);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  Message message;
  if (!parser.ParseFromString(std::string(text), &message)) {
    return absl::InvalidArgumentError(error.text());
  }
  return message;
}

}  // namespace

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(absl::StrCat(path, ": ", std::strerror(errno)));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

absl::StatusOr<FunctionSpec> ParseFunctionSpec(absl::string_view text,
                                               absl::string_view name) {
  return Parse<FunctionSpec>(text, name);
}

absl::StatusOr<ProductTable> ParseProductTable(absl::string_view text,
                                               absl::string_view name) {
  return Parse<ProductTable>(text, name);
}

}  // namespace npu::conformance
