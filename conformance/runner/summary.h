// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What a run prints and writes.
#ifndef CONFORMANCE_RUNNER_SUMMARY_H_
#define CONFORMANCE_RUNNER_SUMMARY_H_

#include <string>

#include "absl/status/status.h"
#include "conformance/runner/report.pb.h"

namespace npu::conformance {

// Fills the counts from the cases.
void Count(Report* report);

// One line about a failed or observed case, without a newline; "" for others.
std::string Line(const CaseResult& result);

// Cases per kind of rule, as a small table.
std::string KindTable(const Report& report);

// "conformance: N passed, N failed, N skipped".
std::string ClosingLine(const Report& report);

// Errors: Unavailable, with the path.
absl::Status WriteJson(const Report& report, const std::string& path);

// GoogleTest's XML, which Bazel reads.
absl::Status WriteXml(const Report& report, const std::string& path);

}  // namespace npu::conformance

#endif  // CONFORMANCE_RUNNER_SUMMARY_H_
