// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/handle_table.h"

#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace npu::acl {
namespace {

using Table = HandleTable<int>;

void* Bits(uint64_t bits) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(bits));
}

TEST(HandleParts, PackAndUnpackAreInverse) {
  for (const uint32_t generation : {1u, 77u, HandleParts::kGenerations - 1}) {
    for (const uint32_t slot : {0u, 5u, HandleParts::kSlots - 1}) {
      const HandleParts in = {HandleKind::kArguments, generation, slot};
      const HandleParts out = HandleParts::Unpack(in.Pack());
      EXPECT_TRUE(HandleParts::HasTag(in.Pack()));
      EXPECT_EQ(out.kind, in.kind);
      EXPECT_EQ(out.generation, generation);
      EXPECT_EQ(out.slot, slot);
    }
  }
}

TEST(HandleParts, AHandleIsNoUserAddress) {
  const HandleParts parts = {HandleKind::kContext, 1, 0};
  EXPECT_GT(HandleParts::Bits(parts.Pack()), uint64_t{1} << 47);
}

TEST(HandleTable, FindsWhatWasInserted) {
  Table table(HandleKind::kStream);
  void* const handle = table.Insert(std::make_shared<int>(7));
  table.CheckInvariants();
  ASSERT_NE(handle, nullptr);
  ASSERT_NE(table.Find(handle), nullptr);
  EXPECT_EQ(*table.Find(handle), 7);
}

TEST(HandleTable, ARemovedHandleStaysDeadWhenItsSlotIsUsedAgain) {
  Table table(HandleKind::kStream);
  void* const old = table.Insert(std::make_shared<int>(1));
  EXPECT_EQ(*table.Remove(old), 1);
  table.CheckInvariants();
  void* const fresh = table.Insert(std::make_shared<int>(2));
  table.CheckInvariants();
  EXPECT_NE(old, fresh);
  EXPECT_EQ(table.Find(old), nullptr);
  EXPECT_EQ(table.Remove(old), nullptr);
  EXPECT_EQ(*table.Find(fresh), 2);
}

TEST(HandleTable, ForeignValuesAreNotFound) {
  Table table(HandleKind::kStream);
  Table others(HandleKind::kEvent);
  void* const mine = table.Insert(std::make_shared<int>(1));
  void* const other = others.Insert(std::make_shared<int>(2));
  int local = 0;
  const uint64_t bits = HandleParts::Bits(mine);
  for (void* foreign :
       {static_cast<void*>(nullptr), static_cast<void*>(&local), other,
        Bits(bits + 1), Bits(bits ^ 1u << 20), Bits(bits ^ uint64_t{1} << 44),
        Bits(bits ^ uint64_t{1} << 63), Bits(~uint64_t{0}), Bits(1)}) {
    EXPECT_EQ(table.Find(foreign), nullptr) << foreign;
    EXPECT_EQ(table.Remove(foreign), nullptr) << foreign;
  }
  table.CheckInvariants();
  EXPECT_NE(table.Find(mine), nullptr);
}

TEST(HandleTable, AFoundObjectOutlivesItsHandle) {
  Table table(HandleKind::kEvent);
  void* const handle = table.Insert(std::make_shared<int>(3));
  const std::shared_ptr<int> kept = table.Find(handle);
  table.Remove(handle);
  EXPECT_EQ(*kept, 3);
  EXPECT_EQ(kept.use_count(), 1);
}

TEST(HandleTable, RemoveAllEmptiesIt) {
  Table table(HandleKind::kEvent);
  std::vector<void*> handles;
  for (int i = 0; i < 10; ++i) {
    handles.push_back(table.Insert(std::make_shared<int>(i)));
  }
  table.Remove(handles[4]);
  EXPECT_EQ(table.RemoveAll().size(), 9u);
  table.CheckInvariants();
  for (void* const handle : handles) EXPECT_EQ(table.Find(handle), nullptr);
}

TEST(HandleTable, HandlesDifferOverManyLives) {
  Table table(HandleKind::kArguments);
  std::set<void*> seen;
  for (int i = 0; i < 5000; ++i) {
    void* const handle = table.Insert(std::make_shared<int>(i));
    EXPECT_TRUE(seen.insert(handle).second);
    table.Remove(handle);
  }
  table.CheckInvariants();
}

TEST(HandleTable, FullTableAnswersNull) {
  Table table(HandleKind::kFunction);
  const auto object = std::make_shared<int>(0);
  void* last = nullptr;
  for (uint32_t i = 0; i < HandleParts::kSlots; ++i)
    last = table.Insert(object);
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(table.Insert(object), nullptr);
  table.Remove(last);
  EXPECT_NE(table.Insert(object), nullptr);
  table.CheckInvariants();
}

TEST(HandleTable, OneOfManyRemoversWins) {
  Table table(HandleKind::kStream);
  for (int round = 0; round < 100; ++round) {
    void* const handle = table.Insert(std::make_shared<int>(round));
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        if (table.Remove(handle) != nullptr) ++winners;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
    table.CheckInvariants();
  }
}

}  // namespace
}  // namespace npu::acl
