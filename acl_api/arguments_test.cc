// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/arguments.h"

#include <limits>
#include <string>

#include "acl_api/error_code.h"
#include "gtest/gtest.h"
#include "hal/base/driver_code.h"

namespace npu::acl {
namespace {

std::string Text(const absl::Status& status) {
  return std::string(status.message());
}

TEST(Arguments, NullIsNamed) {
  int value = 0;
  EXPECT_TRUE(NotNull("ptr", &value).ok());
  const absl::Status status = NotNull("ptr", nullptr);
  EXPECT_EQ(CodeOf(status), 100000);
  EXPECT_EQ(Text(status), "ptr = NULL: must not be NULL");
  EXPECT_EQ(CodeOf(NotNull("p", nullptr, 107000)), 107000);
}

TEST(Arguments, ZeroAndReserved) {
  EXPECT_TRUE(NotZero("size", 1).ok());
  EXPECT_EQ(Text(NotZero("size", 0)), "size = 0: must not be 0");
  EXPECT_TRUE(Reserved("flags", 0).ok());
  const uint64_t high = uint64_t{1} << 32;
  EXPECT_EQ(Text(Reserved("flags", high)),
            "flags = 4294967296: is reserved and must be 0");
}

TEST(Arguments, AnIntervalHasBothEnds) {
  EXPECT_FALSE(InInterval("a", -1, {0, 5}).ok());
  EXPECT_TRUE(InInterval("a", 0, {0, 5}).ok());
  EXPECT_TRUE(InInterval("a", 5, {0, 5}).ok());
  EXPECT_EQ(Text(InInterval("a", 6, {0, 5})), "a = 6: must be in 0..5");
  // What narrowing to 16 bits would let through.
  EXPECT_EQ(Text(InInterval("a", 65536, {0, 5})), "a = 65536: must be in 0..5");
  EXPECT_EQ(CodeOf(InInterval("a", 6, {0, 5})), 107000);
}

TEST(Arguments, ALimitIsNamed) {
  EXPECT_TRUE(NotAbove("count", 8, {"destMax", 8}).ok());
  EXPECT_EQ(Text(NotAbove("count", 9, {"destMax", 8})),
            "count = 9: must not be above destMax = 8");
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  EXPECT_FALSE(NotAbove("count", most, {"destMax", most - 1}).ok());
}

TEST(Arguments, PointersPrintInHexadecimal) {
  const absl::Status status = PointerFailure(
      107000, "ptr", reinterpret_cast<const void*>(uintptr_t{0x1F0}), "no");
  EXPECT_EQ(Text(status), "ptr = 0x1f0: no");
}

TEST(Arguments, AStatusFromBelowGetsItsParameterAndKeepsItsCode) {
  EXPECT_TRUE(AboutSize("size", 5, absl::OkStatus()).ok());
  const absl::Status below = DriverError(DriverCode::kOutOfMemory, "no room");
  const absl::Status about = AboutSize("size", 5, below);
  EXPECT_EQ(Text(about), "size = 5: no room");
  EXPECT_EQ(CodeOf(about), 207001);
  EXPECT_EQ(CodeOf(AboutId("id", -1, Failure(107003, "x"))), 107003);
  EXPECT_EQ(Text(AboutId("id", -1, Failure(107003, "x"))), "id = -1: x");
  EXPECT_EQ(
      Text(AboutPointer("p", reinterpret_cast<void*>(uintptr_t{16}), below)),
      "p = 0x10: no room");
}

}  // namespace
}  // namespace npu::acl
