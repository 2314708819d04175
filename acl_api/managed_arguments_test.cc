// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/managed_arguments.h"

#include <cstdint>
#include <optional>
#include <string>

#include "acl_api/error_code.h"
#include "gtest/gtest.h"
#include "hal/base/driver_code.h"

namespace npu::acl {
namespace {

constexpr uint64_t kBase = 0x90000000000;
constexpr uint64_t kGranuleBytes = uint64_t{2} << 20;
constexpr uint64_t kTiB = uint64_t{1} << 40;

// A window of 3 TiB in which the first four granules live.
class FourGranules final : public hal::ManagedAllocation {
 private:
  absl::StatusOr<AddressRange> DoAllocate(ByteSize, DeviceId) override {
    return absl::UnimplementedError("not asked for");
  }
  absl::Status DoFree(Address) override {
    return absl::UnimplementedError("not asked for");
  }
  std::optional<hal::ManagedBlock> DoLocate(Address) const override {
    return std::nullopt;
  }
  absl::Status DoCheckLive(AddressRange range) const override {
    const auto live = AddressRange::Of(Address(kBase), kGranule * 4);
    if (live.Contains(range)) return absl::OkStatus();
    return DriverError(DriverCode::kInvalidValue, "nothing lives there");
  }
  AddressRange DoWindow() const override {
    return AddressRange::Of(Address(kBase), TiB(3));
  }
};

struct SpanCase {
  uint64_t address;
  uint64_t size;
  SizeRule rule;
  const char* text;  // part of the error; null: the span is good
};

void PrintTo(const SpanCase& c, std::ostream* out) {
  *out << std::hex << c.address << " + " << c.size;
}

class Spans : public testing::TestWithParam<SpanCase> {};

TEST_P(Spans, AreJudged) {
  const SpanCase& c = GetParam();
  const FourGranules managed;
  const ManagedSpan span = {"p", Address(c.address).pointer(), "s", c.size};
  const auto range = CheckManagedSpan(&managed, span, c.rule);
  if (c.text == nullptr) {
    ASSERT_TRUE(range.ok()) << range.status();
    EXPECT_EQ(*range, AddressRange::Of(Address(c.address), ByteSize(c.size)));
    return;
  }
  EXPECT_EQ(CodeOf(range.status()), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(std::string(range.status().message()).find(c.text),
            std::string::npos)
      << range.status();
}

constexpr SizeRule kAny = SizeRule::kAny;
constexpr SizeRule kGranules = SizeRule::kGranules;
constexpr uint64_t kMost = UINT64_MAX;

INSTANTIATE_TEST_SUITE_P(
    Good, Spans,
    testing::Values(SpanCase{kBase, 1, kAny, nullptr},
                    SpanCase{kBase + 5, 4 * kGranuleBytes - 5, kAny, nullptr},
                    SpanCase{kBase, kGranuleBytes, kGranules, nullptr},
                    SpanCase{kBase, 4 * kGranuleBytes, kGranules, nullptr},
                    // The start needs no alignment.
                    SpanCase{kBase + 1, kGranuleBytes, kGranules, nullptr}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, Spans,
    testing::Values(
        SpanCase{kBase, 0, kAny, "must not be 0"},
        SpanCase{kBase, 3 * kTiB + 1, kAny, "3 TiB"},
        SpanCase{kBase, kMost, kAny, "3 TiB"},
        SpanCase{kBase, kGranuleBytes - 1, kGranules, "multiple of 2 MiB"},
        SpanCase{kBase, kGranuleBytes / 2, kGranules, "multiple of 2 MiB"},
        SpanCase{kBase, kGranuleBytes + 1, kGranules, "multiple of 2 MiB"}));

INSTANTIATE_TEST_SUITE_P(
    Places, Spans,
    testing::Values(
        SpanCase{kMost, 1, kAny, "wraps"},
        SpanCase{kMost - 1, 3, kAny, "wraps"},
        SpanCase{kBase - 1, 1, kAny, "window"},
        SpanCase{kBase - kGranuleBytes, 2 * kGranuleBytes, kAny, "window"},
        SpanCase{kBase + 3 * kTiB - 1, 2, kAny, "window"},
        SpanCase{kBase + 3 * kTiB, 1, kAny, "window"},
        SpanCase{kBase, 3 * kTiB, kAny, "nothing lives there"},
        SpanCase{kBase + 3 * kTiB - 1, 1, kAny, "nothing lives there"},
        SpanCase{kBase + 1, 4 * kGranuleBytes, kAny, "nothing lives there"}));

TEST(SpansWithoutARuntime, AreNotManaged) {
  int local = 0;
  const ManagedSpan span = {"ptr", &local, "size", sizeof local};
  const auto range = CheckManagedSpan(nullptr, span, kAny);
  EXPECT_EQ(CodeOf(range.status()), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(LocationTypes, AreInTheirList) {
  const auto code = [](int type, PlaceRule rule) {
    return CodeOf(CheckLocationType(
        "location", {static_cast<aclrtMemManagedLocationType>(type), 0}, rule));
  };
  for (const auto rule :
       {PlaceRule::kNeeded, PlaceRule::kOptional, PlaceRule::kIgnored}) {
    for (const int good : {1, 2, 3, 4}) EXPECT_EQ(code(good, rule), 0);
    for (const int bad : {-1, 5, 65536, 65537}) {
      EXPECT_EQ(code(bad, rule), ACL_ERROR_RT_PARAM_INVALID) << bad;
    }
    EXPECT_EQ(code(0, rule) == 0, rule != PlaceRule::kNeeded);
  }
}

}  // namespace
}  // namespace npu::acl
