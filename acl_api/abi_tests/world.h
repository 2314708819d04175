// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// World: what the tests of the C interface start from.

#ifndef ACL_API_ABI_TESTS_WORLD_H_
#define ACL_API_ABI_TESTS_WORLD_H_

#include <cstdint>
#include <string>

#include "acl/acl.h"
#include "acl/npu_emulator.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {

inline constexpr size_t kGranuleBytes = size_t{2} << 20;

// All texts since the last call; empty when there is none.
std::string RecentText();

// Writes a file in the test's own directory, for the caller to remove. Answers
// its path.
std::string WriteFile(const std::string& name, const std::string& content);

// Makes the next aclInit read this textproto; empty: the defaults. Removes the
// file of the call before.
void UseEmulatorConfig(const std::string& textproto);

// What it is: a runtime with small devices (256 MiB), device 0 set. It ends
// with the test; a test may end it earlier. One thread.
class World : public ::testing::Test {
 protected:
  // `extra`: more lines of configuration.
  explicit World(std::string extra = "") : extra_(std::move(extra)) {}

  void SetUp() override;
  void TearDown() override;

  // Managed memory, freed by the end of the runtime.
  static void* Managed(size_t bytes = kGranuleBytes);
  // Device memory of the current device.
  static void* Device(size_t bytes);

  // Whether faults are caught, so that residency and counters mean something.
  static bool Tracks();

  static npuEmuResidency Residency(const void* ptr);
  static uint64_t Faults(int32_t node);

 private:
  std::string extra_;
};

// Expects a code, and that a failing call named itself and `part` in its text.
#define EXPECT_FAILS(code, part, call)                                      \
  do {                                                                      \
    npu::acl::testing::RecentText();                                        \
    EXPECT_EQ(call, code) << #call;                                         \
    const std::string npu_text_ = npu::acl::testing::RecentText();          \
    EXPECT_NE(npu_text_.find(part), std::string::npos) << npu_text_;        \
    const std::string npu_call_ = #call;                                    \
    EXPECT_EQ(npu_text_.rfind(npu_call_.substr(0, npu_call_.find('(')), 0), \
              0u)                                                           \
        << npu_text_;                                                       \
  } while (false)

#define ASSERT_DONE(call) \
  ASSERT_EQ(call, ACL_SUCCESS) << npu::acl::testing::RecentText()
#define EXPECT_DONE(call) \
  EXPECT_EQ(call, ACL_SUCCESS) << npu::acl::testing::RecentText()

}  // namespace npu::acl::testing

#endif  // ACL_API_ABI_TESTS_WORLD_H_
