// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/rule.h"

#include <set>

#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

constexpr Rule kFirst = {"aclrtSample",
                         "sample.size.non_zero",
                         "size",
                         "NON_ZERO",
                         1,
                         100000,
                         ErrorClass::kArgument,
                         Mark::kDocumented,
                         "00",
                         "size is not 0."};
constexpr Rule kProduct = {"aclrtSample",
                           "sample.product",
                           "",
                           "PRODUCT",
                           2,
                           207000,
                           ErrorClass::kUnsupported,
                           Mark::kDocumented,
                           "00",
                           "The product has it."};

const RulesOfFile kRules({kFirst, kProduct});

TEST(RuleTest, TheBookHasWhatFilesPutIn) {
  ASSERT_EQ(RuleBook::All().size(), 2u);
  EXPECT_STREQ(RuleBook::All()[0].id, "sample.size.non_zero");
}

TEST(RuleTest, FindsTheProductRuleOfAFunction) {
  const Rule* product = RuleBook::ProductRule("aclrtSample");
  ASSERT_NE(product, nullptr);
  EXPECT_STREQ(product->id, "sample.product");
  EXPECT_EQ(RuleBook::ProductRule("aclrtOther"), nullptr);
}

TEST(RuleTest, EachCodeHasItsClass) {
  EXPECT_EQ(ErrorClassOf(0), ErrorClass::kNone);
  EXPECT_EQ(ErrorClassOf(500000), ErrorClass::kNone);
  for (int code : {100000, 107000, 107001, 107003, 107017, 200006}) {
    EXPECT_EQ(ErrorClassOf(code), ErrorClass::kArgument) << code;
  }
  for (int code : {107002, 507000}) {
    EXPECT_EQ(ErrorClassOf(code), ErrorClass::kContext) << code;
  }
  for (int code : {207001, 207005, 207012}) {
    EXPECT_EQ(ErrorClassOf(code), ErrorClass::kResource) << code;
  }
  EXPECT_EQ(ErrorClassOf(207000), ErrorClass::kUnsupported);
  EXPECT_EQ(ErrorClassOf(207006), ErrorClass::kPermission);
}

TEST(RuleTest, NamesDiffer) {
  std::set<std::string> names;
  for (ErrorClass error_class :
       {ErrorClass::kNone, ErrorClass::kArgument, ErrorClass::kContext,
        ErrorClass::kUnsupported, ErrorClass::kResource,
        ErrorClass::kPermission}) {
    EXPECT_TRUE(names.insert(NameOf(error_class)).second);
  }
  EXPECT_STREQ(NameOf(Mark::kDocumented), "documented");
  EXPECT_STREQ(NameOf(Mark::kUpstreamCode), "upstream code");
  EXPECT_STREQ(NameOf(Mark::kOurs), "ours");
}

}  // namespace
}  // namespace npu::conformance
