// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/node.h"

#include <sstream>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace npu {
namespace {

using ::testing::ElementsAre;

NodeId Device(int32_t number) { return NodeId::Device(DeviceId(number)); }

TEST(NodeIdTest, TheHostIsMinusOneAndHasIndexZero) {
  EXPECT_TRUE(NodeId::Host().is_host());
  EXPECT_EQ(NodeId::Host().number(), -1);
  EXPECT_EQ(NodeId::Host().index(), 0);
  EXPECT_EQ(NodeId(), NodeId::Host());
}

TEST(NodeIdTest, DevicesKeepTheirNumber) {
  EXPECT_TRUE(Device(63).is_device());
  EXPECT_EQ(Device(63).number(), 63);
  EXPECT_EQ(Device(63).index(), kMaxNodes - 1);
  EXPECT_EQ(Device(5).device(), DeviceId(5));
}

TEST(NodeIdDeathTest, NumbersOutsideAreABrokenInvariant) {
  EXPECT_DEATH(Device(64), "check failed");
  EXPECT_DEATH(Device(-1), "check failed");
  EXPECT_DEATH(NodeId::Host().device(), "check failed");
}

TEST(NodeSetTest, HoldsAllSixtyFiveNodes) {
  NodeSet set;
  EXPECT_TRUE(set.empty());
  set.Add(NodeId::Host());
  for (int d = 0; d < kMaxDevices; ++d) set.Add(Device(d));
  EXPECT_EQ(set.size(), kMaxNodes);
  EXPECT_TRUE(set.Contains(NodeId::Host()));
  EXPECT_TRUE(set.Contains(Device(63)));
  set.Remove(Device(63));
  EXPECT_FALSE(set.Contains(Device(63)));
  EXPECT_EQ(set.size(), kMaxNodes - 1);
  set.Remove(NodeId::Host());
  EXPECT_FALSE(set.Contains(NodeId::Host()));
}

TEST(NodeSetTest, VisitsTheHostFirstThenByNumber) {
  NodeSet set(Device(9));
  set.Add(Device(2));
  set.Add(NodeId::Host());
  std::vector<int32_t> seen;
  set.ForEach([&](NodeId node) { seen.push_back(node.number()); });
  EXPECT_THAT(seen, ElementsAre(-1, 2, 9));
}

TEST(NodeSetTest, UnitesAndIntersects) {
  NodeSet a(NodeId::Host());
  a.Add(Device(1));
  NodeSet b(Device(1));
  b.Add(Device(2));
  EXPECT_EQ(Intersect(a, b), NodeSet(Device(1)));
  EXPECT_EQ(Unite(a, b).size(), 3);
  EXPECT_NE(a, b);
}

TEST(NodeSetTest, Prints) {
  NodeSet set(NodeId::Host());
  set.Add(Device(3));
  std::ostringstream out;
  out << set;
  EXPECT_EQ(out.str(), "{host, device 3}");
}

}  // namespace
}  // namespace npu
