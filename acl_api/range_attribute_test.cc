// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/range_attribute.h"

#include <array>
#include <cstring>
#include <vector>

#include "acl_api/error_code.h"
#include "gtest/gtest.h"

namespace npu::acl {
namespace {

using hal::Location;

// Answers what it was told.
class ScriptedQuery final : public hal::ManagedQuery {
 public:
  Location preferred;
  Location last_prefetch;
  std::vector<Location> accessors;
  hal::ReadMostly read_mostly = hal::ReadMostly::kNo;
  absl::Status error;

 private:
  template <typename T>
  absl::StatusOr<T> Answer(const T& value) const {
    if (!error.ok()) return error;
    return value;
  }
  absl::StatusOr<hal::ReadMostly> DoQueryReadMostly(
      AddressRange) const override {
    return Answer(read_mostly);
  }
  absl::StatusOr<Location> DoQueryPreferred(AddressRange) const override {
    return Answer(preferred);
  }
  absl::StatusOr<std::vector<Location>> DoQueryAccessedBy(
      AddressRange) const override {
    return Answer(accessors);
  }
  absl::StatusOr<Location> DoQueryLastPrefetch(AddressRange) const override {
    return Answer(last_prefetch);
  }
};

std::vector<int32_t> Ask(const ScriptedQuery& query, int attribute) {
  const AddressRange range = AddressRange::Of(Address(1), ByteSize(1));
  const auto answer = QueryAttribute(
      query, range, static_cast<aclrtMemManagedRangeAttribute>(attribute));
  EXPECT_TRUE(answer.ok());
  return answer.ok() ? *answer : std::vector<int32_t>();
}

TEST(RangeAttribute, NothingSet) {
  const ScriptedQuery query;
  using Words = std::vector<int32_t>;
  EXPECT_EQ(Ask(query, 1), Words{0});
  EXPECT_EQ(Ask(query, 2), Words{-2});
  EXPECT_EQ(Ask(query, 3), Words{});
  EXPECT_EQ(Ask(query, 4), Words{0});
  EXPECT_EQ(Ask(query, 5), Words{-2});
  EXPECT_EQ(Ask(query, 6), Words{-2});
  EXPECT_EQ(Ask(query, 7), Words{0});
  EXPECT_EQ(Ask(query, 8), Words{-2});
}

TEST(RangeAttribute, TypesAndNumbersAreThoseOfTheInterface) {
  struct Case {
    Location location;
    int32_t type;
    int32_t number;
  };
  for (const Case& each :
       {Case{Location::Device(DeviceId(3)), ACL_MEM_LOCATIONTYPE_DEVICE, 3},
        Case{Location::Host(), ACL_MEM_LOCATIONTYPE_HOST, -1},
        Case{Location::Numa(hal::NumaNode(1)), ACL_MEM_LOCATIONTYPE_HOST_NUMA,
             1}}) {
    ScriptedQuery query;
    query.preferred = each.location;
    EXPECT_EQ(Ask(query, 2), std::vector<int32_t>{each.number});
    EXPECT_EQ(Ask(query, 4), std::vector<int32_t>{each.type});
    EXPECT_EQ(Ask(query, 5), std::vector<int32_t>{each.number});
    EXPECT_EQ(Ask(query, 6), std::vector<int32_t>{-2});
    query.last_prefetch = each.location;
    EXPECT_EQ(Ask(query, 6), std::vector<int32_t>{each.number});
    EXPECT_EQ(Ask(query, 7), std::vector<int32_t>{each.type});
    EXPECT_EQ(Ask(query, 8), std::vector<int32_t>{each.number});
  }
}

TEST(RangeAttribute, AnErrorPassesThrough) {
  ScriptedQuery query;
  query.error = absl::InvalidArgumentError("x");
  for (int attribute = 1; attribute <= 8; ++attribute) {
    const auto answer =
        QueryAttribute(query, AddressRange::Of(Address(1), ByteSize(1)),
                       static_cast<aclrtMemManagedRangeAttribute>(attribute));
    EXPECT_EQ(CodeOf(answer.status()), 107000);
  }
}

TEST(RangeAttribute, SizesAreChecked) {
  for (int attribute = 1; attribute <= 8; ++attribute) {
    const bool list = attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    const auto fits = [attribute](size_t size) {
      return CheckDataSize(
                 {static_cast<aclrtMemManagedRangeAttribute>(attribute),
                  nullptr, size, "dataSize"})
          .ok();
    };
    EXPECT_TRUE(fits(4));
    EXPECT_EQ(fits(8), list);
    for (const size_t bad : {0, 1, 3, 5, 6}) EXPECT_FALSE(fits(bad)) << bad;
  }
}

TEST(RangeAttribute, AnswersFillTheBufferAndNoMore) {
  std::array<int32_t, 5> buffer;
  buffer.fill(7);
  WriteAnswer({1, 2}, {ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, buffer.data(),
                       4 * sizeof(int32_t), ""});
  EXPECT_EQ(buffer, (std::array<int32_t, 5>{1, 2, -2, -2, 7}));
  buffer.fill(7);
  WriteAnswer({1, 2, 3}, {ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, buffer.data(),
                          2 * sizeof(int32_t), ""});
  EXPECT_EQ(buffer, (std::array<int32_t, 5>{1, 2, 7, 7, 7}));
}

TEST(RangeAttribute, AnyAlignmentIsWritten) {
  char bytes[16] = {};
  WriteAnswer({-2},
              {ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, bytes + 1, 4, ""});
  int32_t word = 0;
  std::memcpy(&word, bytes + 1, 4);
  EXPECT_EQ(word, -2);
}

}  // namespace
}  // namespace npu::acl
