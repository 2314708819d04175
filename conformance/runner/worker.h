// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Runs cases in a process of their own, so that a library that crashes or
// hangs costs one case and not the run.
#ifndef CONFORMANCE_RUNNER_WORKER_H_
#define CONFORMANCE_RUNNER_WORKER_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "conformance/runner/report.pb.h"

namespace npu::conformance {

// Full names of all cases in this program, "Suite.name", in order. Cases whose
// suite ends in "Alone" want a process of their own.
std::vector<std::string> AllCaseNames();
bool WantsOwnProcess(const std::string& name);

// Whether the library loads: "" or why not. In a process of its own.
std::string TryToLoad();

// Forks; the child runs these cases one after the other and reports each to
// `done`, here. A case that ends the process, or takes longer than `limit`, is
// failed and the rest go on in a new process. Returns when each is reported.
// The calling process has one thread and has not loaded the library.
void RunCases(const std::vector<std::string>& names, absl::Duration limit,
              const std::function<void(const CaseResult&)>& done);

}  // namespace npu::conformance

#endif  // CONFORMANCE_RUNNER_WORKER_H_
