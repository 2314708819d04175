// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/json_check.h"

#include <string>

#include "gtest/gtest.h"

namespace npu::acl {
namespace {

std::string Nest(const std::string& open, const std::string& close, int depth) {
  std::string text = "{\"a\":";
  for (int i = 0; i < depth; ++i) text += open;
  text += "1";
  for (int i = 0; i < depth; ++i) text += close;
  return text + "}";
}

TEST(JsonCheck, TakesWhatTheGrammarTakes) {
  for (const char* text :
       {"{}", " {\n} ", R"({"a":1})", R"({"a":[1,-2.5e+3,0.1E-2,true,null]})",
        R"({"a":{"b":"\"\\\/\b\f\n\r\t\u00aF"},"c":[]})", R"({"":[[],{}]})"}) {
    EXPECT_TRUE(CheckJson(text).ok()) << text << CheckJson(text);
  }
}

TEST(JsonCheck, RefusesEverythingElse) {
  for (const char* text : {"",
                           " ",
                           "[]",
                           "1",
                           "{",
                           "}",
                           "{a:1}",
                           R"({"a"})",
                           R"({"a":})",
                           R"({"a":1,})",
                           R"({"a":1 "b":2})",
                           R"({"a":01})",
                           R"({"a":1.})",
                           R"({"a":.5})",
                           R"({"a":+1})",
                           R"({"a":1e})",
                           R"({"a":tru})",
                           R"({"a":"x)",
                           R"({"a":"\x"})",
                           R"({"a":"\u12g4"})",
                           "{\"a\":\"\n\"}",
                           R"({"a":[1,]})",
                           R"({} {})",
                           R"({"a":[1})",
                           R"({"a":"\)"}) {
    EXPECT_FALSE(CheckJson(text).ok()) << text;
  }
}

TEST(JsonCheck, NamesTheLine) {
  const absl::Status status = CheckJson("{\n \"a\": 1,\n \"b\" 2\n}");
  EXPECT_EQ(status.message(), "line 3: a colon is missing");
}

TEST(JsonCheck, BoundsTheDepthOfEachBracket) {
  EXPECT_TRUE(CheckJson(Nest("[", "]", 10)).ok());
  EXPECT_FALSE(CheckJson(Nest("[", "]", 11)).ok());
  EXPECT_TRUE(CheckJson(Nest("{\"b\":", "}", 9)).ok());
  EXPECT_FALSE(CheckJson(Nest("{\"b\":", "}", 10)).ok());
  EXPECT_FALSE(CheckJson(Nest("[", "]", 1000000)).ok());
}

TEST(JsonCheck, DepthIsNotCountedOverSiblings) {
  std::string text = "{\"a\":[";
  for (int i = 0; i < 50; ++i) text += "[],";
  EXPECT_TRUE(CheckJson(text + "[]]}").ok());
}

}  // namespace
}  // namespace npu::acl
