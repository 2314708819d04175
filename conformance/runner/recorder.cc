// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/recorder.h"

#include <stdlib.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "conformance/harness/case.h"
#include "conformance/harness/settings.h"
#include "conformance/harness/world.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

std::string OneLine(const std::string& text) {
  return absl::StrReplaceAll(text, {{"\n", " "}});
}

// Turns GoogleTest's events into messages.
class Recorder : public ::testing::EmptyTestEventListener {
 public:
  explicit Recorder(MessagePipe* pipe) : pipe_(pipe) {}

 private:
  void OnTestStart(const ::testing::TestInfo& test) override {
    details_.clear();
    name_ = absl::StrCat(test.test_suite_name(), ".", test.name());
    CaseResult started;
    started.set_name(name_);
    pipe_->Write(started);
  }

  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (part.passed()) return;
    details_.push_back(OneLine(part.message()));
    if (!name_.empty()) return;
    // Outside of all cases: the world's teardown.
    CaseResult result;
    result.set_name("World.teardown");
    result.set_verdict(FAILED);
    result.set_detail(details_.back());
    pipe_->Write(result);
  }

  void OnTestEnd(const ::testing::TestInfo& test) override {
    const Finding& finding = LastFinding();
    CaseResult result;
    result.set_name(name_);
    if (finding.rule != nullptr) {
      result.set_function(finding.rule->function);
      result.set_rule(finding.rule->id);
      result.set_kind(finding.rule->kind);
      result.set_mark(NameOf(finding.rule->mark));
      result.set_source(finding.rule->source);
      result.set_text(finding.rule->text);
    }
    result.set_expected(finding.expected_text);
    result.set_got(finding.got);
    const bool observed = finding.weight == Finding::Weight::kObserved;
    const bool failed = test.result()->Failed();
    result.set_observed(observed && !failed);
    result.set_verdict(failed                                 ? FAILED
                       : observed || test.result()->Skipped() ? SKIPPED
                                                              : PASSED);
    result.set_detail(absl::StrJoin(details_, "; "));
    pipe_->Write(result);
    name_.clear();
  }

  MessagePipe* pipe_;
  std::string name_;
  std::vector<std::string> details_;
};

// Takes the world down when all cases are over.
class Teardown : public ::testing::Environment {
 public:
  void TearDown() override { World::Get().Finish(); }
};

}  // namespace

std::string LoadHere() {
  const absl::Status status = World::Get().Load();
  if (!status.ok()) return std::string(status.message());
  if (World::Get().is_emulator()) {
    Settings settings = CurrentSettings();
    settings.match = Match::kExactCode;
    SetSettings(settings);
  }
  return "";
}

void RunHere(const std::vector<std::string>& names, MessagePipe* pipe) {
  // The report is ours, not this process's GoogleTest's.
  ::testing::GTEST_FLAG(output) = "";
  ::testing::GTEST_FLAG(filter) = absl::StrJoin(names, ":");
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Recorder(pipe));
  ::testing::AddGlobalTestEnvironment(new Teardown());
  if (!LoadHere().empty()) return;
  // The verdict is in the messages.
  const int ignored = RUN_ALL_TESTS();
  static_cast<void>(ignored);
}

}  // namespace npu::conformance
