// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The fixture of the tests that come from public bug reports.
#ifndef CONFORMANCE_HANDED_HANDED_CASE_H_
#define CONFORMANCE_HANDED_HANDED_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/harness/argument.h"
#include "conformance/harness/world.h"
#include "gtest/gtest.h"

namespace npu::conformance {

// All that a client can find out about a managed range.
struct RangeState {
  std::vector<int32_t> attributes;  // 1 to 8, the list of accessors as three
  std::vector<npuEmuResidency> granules;
};

bool operator==(const RangeState& a, const RangeState& b);
std::ostream& operator<<(std::ostream& out, const RangeState& state);

// Runs on our own library, two devices, device 0 current; the world is clean
// when a test begins and is cleaned after it.
class HandedCase : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;
  void TearDown() override;

  static World& world() { return World::Get(); }
  static const Api& api() { return World::Get().api(); }

  // Takes the runtime down and judges for another product; "" is the default.
  static void UseProduct(const std::string& product);

  // Short words for the calls, as the reports use them.
  static aclError Advise(const void* ptr, uint64_t size, int32_t advise,
                         aclrtMemManagedLocation location);
  static aclError Prefetch(const void* ptr, uint64_t size,
                           aclrtMemManagedLocation location,
                           aclrtStream stream);
  static aclError Sync(aclrtStream stream);

  // An attribute of four bytes; a failure of the test if the query fails.
  static int32_t Attribute(int32_t attribute, const void* ptr, uint64_t size);
  // What the query answers; the output must be untouched if that is an error.
  static aclError Query(int32_t attribute, const void* ptr, uint64_t size);
  static RangeState StateOf(Piece piece);
  static npuEmuResidency Residency(const void* ptr);
  static aclrtPtrAttributes PointerOf(const void* ptr);

  // A valid prefetch of fresh memory works, on the calling thread.
  static void ExpectNextCallWorks();
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HANDED_HANDED_CASE_H_
