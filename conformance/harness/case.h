// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The fixture of the generated cases: judges one call.
#ifndef CONFORMANCE_HARNESS_CASE_H_
#define CONFORMANCE_HARNESS_CASE_H_

#include <string>

#include "conformance/harness/call.h"
#include "conformance/harness/rule.h"
#include "conformance/harness/world.h"
#include "gtest/gtest.h"

namespace npu::conformance {

// What a case found, for the report. Verdicts of failure are gtest's.
struct Finding {
  const Rule* rule = nullptr;  // null if the case ended before its judgement
  int expected = 0;            // code; 0 for success
  std::string expected_text;
  std::string got;
  // A rule of ours, on another library: `got` is told, never held against it.
  enum class Weight { kJudged, kObserved } weight = Weight::kJudged;
};

// The finding of the case that runs or ran last in this process.
const Finding& LastFinding();

// What cases of all functions share: judgement and the world's life cycle.
// Each case owns what it makes and has released it when it ends.
class CaseBase : public ::testing::Test {
 protected:
  static World& world() { return World::Get(); }

  // The call is made on a new thread, where no device was set.
  void WithoutContext() { thread_ = Thread::kNew; }

  // Brings the runtime up and down, so that the call comes after its end.
  void StartAndFinish();

  // For a case about managed memory in a function that is not of it.
  void SkipWithoutManagedMemory();

  // Fresh sentinels, the call, its answer. The answer is the rule's code, or
  // the product's refusal if that comes first; then the outputs are as before
  // and `next`, a valid call of the same function, is answered as the product
  // has it.
  void JudgeRefused(const Rule& rule, Call& call, Call& next);

  // The call succeeds with right results, or is refused for the product.
  void JudgeAccepted(const Rule& rule, Call& call, Call& next);

  // Skips the case where the product lacks the function and nobody asked for
  // what is undefined then.
  void SkipIfUndefined(const char* function);

  void SetUp() override;
  void TearDown() override;

 private:
  enum class Thread { kThis, kNew };

  // What a call answered, and the error text that it left on its thread.
  struct Answer {
    aclError code = ACL_SUCCESS;
    std::string text;
  };

  Answer Invoke(Call& call, Thread thread);
  void CheckCode(const Rule& rule, aclError got);
  void CheckText(const Rule& rule, const std::string& text);
  void CheckNext(Call& next);

  Thread thread_ = Thread::kThis;
};

// A case of one function, whose call is valid until the case breaks it.
template <class CallType>
class CaseOf : public CaseBase {
 protected:
  void SetUp() override {
    CaseBase::SetUp();
    SkipIfUndefined(call.function());
    if (IsSkipped()) return;
    world().Start();
    call.MakeValid(world());
  }

  void ExpectRefused(const Rule& rule) {
    CallType next;
    JudgeRefused(rule, call, next);
  }

  void ExpectAccepted(const Rule& rule) {
    CallType next;
    JudgeAccepted(rule, call, next);
  }

  CallType call;
};

// A case that runs in a process of its own, before aclInit.
template <class CallType>
class CaseAlone : public CaseBase {
 protected:
  void SetUp() override {
    CaseBase::SetUp();
    SkipIfUndefined(call.function());
    if (IsSkipped()) return;
    world().Finish();
    call.MakeValid(world());
  }

  void ExpectRefused(const Rule& rule) {
    CallType next;
    JudgeRefused(rule, call, next);
  }

  CallType call;
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_CASE_H_
