// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/strong_value.h"

#include <cstdint>
#include <sstream>
#include <type_traits>

#include "gtest/gtest.h"

namespace npu {
namespace {

using Apple = StrongValue<struct AppleTag, int32_t>;
using Pear = StrongValue<struct PearTag, int32_t>;

// Kinds do not mix, neither with one another nor with plain numbers.
static_assert(!std::is_convertible_v<int32_t, Apple>);
static_assert(!std::is_convertible_v<Apple, int32_t>);
static_assert(!std::is_constructible_v<Pear, Apple>);
static_assert(sizeof(Apple) == sizeof(int32_t));

template <typename A, typename B, typename = void>
struct Comparable : std::false_type {};
template <typename A, typename B>
struct Comparable<A, B,
                  std::void_t<decltype(std::declval<A>() == std::declval<B>())>>
    : std::true_type {};

static_assert(Comparable<Apple, Apple>::value);
static_assert(!Comparable<Apple, Pear>::value);
static_assert(!Comparable<Apple, int32_t>::value);

TEST(StrongValueTest, ComparesByValue) {
  EXPECT_EQ(Apple(1), Apple(1));
  EXPECT_NE(Apple(1), Apple(2));
  EXPECT_LT(Apple(1), Apple(2));
  EXPECT_EQ(Apple().value(), 0);
}

TEST(StrongValueTest, PrintsItsNumber) {
  std::ostringstream out;
  out << Apple(42);
  EXPECT_EQ(out.str(), "42");
}

}  // namespace
}  // namespace npu
