// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/worker.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "conformance/runner/message_pipe.h"
#include "conformance/runner/recorder.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

constexpr char kLoadCase[] = "World.load";

// The child of a fork and the pipe on which it reports.
class Worker {
 public:
  // `body` runs in the child, which ends after it.
  explicit Worker(const std::function<void(MessagePipe*)>& body) {
    fflush(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      pipe_.CloseReader();
      body(&pipe_);
      // No destructors: the library's threads may still run.
      _exit(0);
    }
    pipe_.CloseWriter();
  }

  // Ends the child, however it is, and says how it ended.
  ~Worker() {
    if (pid_ > 0) Reap();
  }

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool started() const { return pid_ > 0; }
  MessagePipe& pipe() { return pipe_; }
  void Kill() { kill(pid_, SIGKILL); }

  std::string Reap() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    if (WIFSIGNALED(status)) {
      return absl::StrCat("ended by signal ", WTERMSIG(status), " (",
                          strsignal(WTERMSIG(status)), ")");
    }
    return absl::StrCat("ended with status ", WEXITSTATUS(status));
  }

 private:
  MessagePipe pipe_;
  pid_t pid_ = 0;
};

CaseResult Failure(const std::string& name, const std::string& detail) {
  CaseResult result;
  result.set_name(name);
  result.set_verdict(FAILED);
  result.set_detail(detail);
  return result;
}

// One child's share of the cases.
class Share {
 public:
  Share(const std::vector<std::string>& names,
        const std::function<void(const CaseResult&)>& done)
      : names_(names), done_(done) {}

  // Returns the cases that were not begun.
  std::vector<std::string> Run(absl::Duration limit) {
    Worker worker([this](MessagePipe* pipe) { RunHere(names_, pipe); });
    if (!worker.started()) {
      FailCurrent("no process for it");
      return Rest();
    }
    for (;;) {
      CaseResult message;
      switch (worker.pipe().Read(limit, &message)) {
        case MessagePipe::Outcome::kMessage:
          Take(message);
          continue;
        case MessagePipe::Outcome::kLate:
          worker.Kill();
          worker.Reap();
          FailCurrent(
              absl::StrCat("no end within ", absl::FormatDuration(limit)));
          return Rest();
        case MessagePipe::Outcome::kEnd:
          End(worker.Reap());
          return Rest();
      }
    }
  }

 private:
  void Take(const CaseResult& message) {
    if (message.verdict() == VERDICT_UNSPECIFIED) {
      current_ = message.name();
      return;
    }
    if (message.name() == current_) {
      current_.clear();
      ++finished_;
    }
    done_(message);
  }

  // The child is gone.
  void End(const std::string& how) {
    if (finished_ < names_.size()) FailCurrent(how);
  }

  // The case that was running, or the next one if none was: each child takes
  // at least one case, so a run always ends.
  void FailCurrent(const std::string& detail) {
    if (finished_ >= names_.size()) {
      done_(Failure("World.teardown", detail));
      return;
    }
    const std::string name = current_.empty() ? names_[finished_] : current_;
    ++finished_;
    done_(Failure(name, detail));
  }

  std::vector<std::string> Rest() const {
    return std::vector<std::string>(
        names_.begin() + static_cast<ptrdiff_t>(finished_), names_.end());
  }

  const std::vector<std::string>& names_;
  const std::function<void(const CaseResult&)>& done_;
  std::string current_;
  size_t finished_ = 0;
};

}  // namespace

std::vector<std::string> AllCaseNames() {
  std::vector<std::string> names;
  const auto& unit = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < unit.total_test_suite_count(); ++i) {
    const auto& suite = *unit.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      names.push_back(
          absl::StrCat(suite.name(), ".", suite.GetTestInfo(j)->name()));
    }
  }
  return names;
}

bool WantsOwnProcess(const std::string& name) {
  return absl::EndsWith(name.substr(0, name.find('.')), "Alone");
}

std::string TryToLoad() {
  Worker worker([](MessagePipe* pipe) {
    const std::string error = LoadHere();
    if (error.empty()) return;
    pipe->Write(Failure(kLoadCase, error));
  });
  CaseResult message;
  switch (worker.pipe().Read(absl::Seconds(60), &message)) {
    case MessagePipe::Outcome::kMessage:
      return message.detail();
    case MessagePipe::Outcome::kLate:
      worker.Kill();
      return "loading it takes more than a minute";
    case MessagePipe::Outcome::kEnd:
      break;
  }
  const std::string how = worker.Reap();
  return how == "ended with status 0" ? "" : absl::StrCat("loading it: ", how);
}

void RunCases(const std::vector<std::string>& names, absl::Duration limit,
              const std::function<void(const CaseResult&)>& done) {
  std::vector<std::string> rest;
  for (const std::string& name : names) {
    if (WantsOwnProcess(name)) {
      const std::vector<std::string> one = {name};
      Share(one, done).Run(limit);
    } else {
      rest.push_back(name);
    }
  }
  while (!rest.empty()) rest = Share(rest, done).Run(limit);
}

}  // namespace npu::conformance
