// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/case.h"

#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "conformance/harness/product_table.h"
#include "conformance/harness/settings.h"

namespace npu::conformance {
namespace {

constexpr int kSentinelByte = 0xA5;

Finding& Current() {
  static auto* const finding = new Finding();
  return *finding;
}

bool ProductHas(const char* function) {
  return SupportOf(CurrentSettings().contract, function,
                   CurrentSettings().product) == Support::kHas;
}

// The rule whose answer is due: `rule`, unless the product's refusal comes
// before it.
const Rule& RuleThatAnswers(const Rule& rule) {
  if (ProductHas(rule.function)) return rule;
  const Rule* product = RuleBook::ProductRule(rule.function);
  const bool first =
      product != nullptr && (rule.code == 0 || product->order <= rule.order);
  return first ? *product : rule;
}

void FillSentinels(Call& call) {
  for (const Output& output : call.Outputs()) {
    std::memset(output.address, kSentinelByte, output.bytes);
  }
}

std::string CheckSentinels(Call& call) {
  for (const Output& output : call.Outputs()) {
    const auto* bytes = static_cast<const unsigned char*>(output.address);
    for (size_t i = 0; i < output.bytes; ++i) {
      if (bytes[i] == kSentinelByte) continue;
      return absl::StrCat("byte ", i, " of an output was written");
    }
  }
  return "";
}

bool Matches(const Rule& rule, aclError got) {
  if (CurrentSettings().match == Match::kExactCode) return got == rule.code;
  return got != ACL_SUCCESS && ErrorClassOf(got) == rule.error_class;
}

std::string ExpectedText(const Rule& rule) {
  if (CurrentSettings().match == Match::kExactCode) {
    return absl::StrCat(rule.code);
  }
  return absl::StrCat("class ", NameOf(rule.error_class), " (", rule.code, ")");
}

}  // namespace

const Finding& LastFinding() { return Current(); }

void CaseBase::SetUp() { Current() = Finding(); }

void CaseBase::TearDown() { world().Clean(); }

void CaseBase::SkipIfUndefined(const char* function) {
  if (ProductHas(function) || world().is_emulator()) return;
  if (CurrentSettings().undefined == Undefined::kRun) return;
  GTEST_SKIP() << CurrentSettings().product << " lacks " << function;
}

void CaseBase::SkipWithoutManagedMemory() {
  if (world().has_managed_memory()) return;
  GTEST_SKIP() << CurrentSettings().product << " lacks managed memory";
}

void CaseBase::StartAndFinish() {
  world().Start();
  world().Finish();
}

CaseBase::Answer CaseBase::Invoke(Call& call, Thread thread) {
  FillSentinels(call);
  Answer answer;
  const auto invoke = [&] {
    const Api& api = world().api();
    // Texts of earlier calls go.
    api.aclGetRecentErrMsg();
    answer.code = call.Invoke(api);
    const char* text = api.aclGetRecentErrMsg();
    if (text != nullptr) answer.text = text;
  };
  if (thread == Thread::kThis) {
    invoke();
  } else {
    world().OnNewThread(invoke);
  }
  return answer;
}

void CaseBase::CheckText(const Rule& rule, const std::string& text) {
  if (!world().is_emulator()) return;
  EXPECT_TRUE(absl::StrContains(text, rule.function) &&
              absl::StrContains(text, rule.parameter))
      << "the error text names not both " << rule.function << " and \""
      << rule.parameter << "\": " << text;
}

void CaseBase::CheckCode(const Rule& rule, aclError got) {
  Finding& finding = Current();
  finding.rule = &rule;
  finding.expected = rule.code;
  finding.expected_text = ExpectedText(rule);
  finding.got = absl::StrCat(got);
  if (rule.mark == Mark::kOurs && !world().is_emulator()) {
    finding.weight = Finding::Weight::kObserved;
    return;
  }
  EXPECT_TRUE(Matches(rule, got))
      << rule.function << " answers " << got << ", due is "
      << finding.expected_text << ": " << rule.text;
}

void CaseBase::CheckNext(Call& next) {
  // What the case took may be all there is.
  world().Clean();
  world().Start();
  next.MakeValid(world());
  const aclError got = Invoke(next, Thread::kThis).code;
  if (!ProductHas(next.function())) {
    EXPECT_EQ(got, 207000) << "the next valid call, on a product without it";
    return;
  }
  EXPECT_EQ(got, ACL_SUCCESS) << "the next valid call";
  if (got != ACL_SUCCESS) return;
  EXPECT_EQ(next.Settle(world().api()), ACL_SUCCESS) << "the next valid call";
  EXPECT_EQ(next.CheckResults(world()), "") << "the next valid call";
}

void CaseBase::JudgeRefused(const Rule& rule, Call& call, Call& next) {
  Current().rule = &rule;
  if (IsSkipped() || HasFailure()) return;
  const Answer answer = Invoke(call, thread_);
  aclError got = answer.code;
  const std::string written = CheckSentinels(call);
  // A library may find out in the stream what ours finds at the call.
  if (got == ACL_SUCCESS && !world().is_emulator()) {
    got = call.Settle(world().api());
  }
  const Rule& due = RuleThatAnswers(rule);
  CheckCode(due, got);
  if (Current().weight == Finding::Weight::kObserved) return;
  EXPECT_EQ(written, "") << "after the refusal";
  CheckText(due, answer.text);
  CheckNext(next);
}

void CaseBase::JudgeAccepted(const Rule& rule, Call& call, Call& next) {
  Current().rule = &rule;
  if (IsSkipped() || HasFailure()) return;
  const Rule* product = RuleBook::ProductRule(rule.function);
  if (!ProductHas(rule.function) && product != nullptr) {
    JudgeRefused(*product, call, next);
    return;
  }
  const aclError got = Invoke(call, thread_).code;
  Finding& finding = Current();
  finding.expected = ACL_SUCCESS;
  finding.expected_text = "success";
  finding.got = absl::StrCat(got);
  if (rule.mark == Mark::kOurs && !world().is_emulator()) {
    finding.weight = Finding::Weight::kObserved;
    return;
  }
  EXPECT_EQ(got, ACL_SUCCESS) << "of a valid call";
  if (got != ACL_SUCCESS) return;
  EXPECT_EQ(call.Settle(world().api()), ACL_SUCCESS) << "of a valid call";
  EXPECT_EQ(call.CheckResults(world()), "") << "of a valid call";
}

}  // namespace npu::conformance
