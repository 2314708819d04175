// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/product_table.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

// Typed here once more, by hand, from the page of July.
TEST(ProductTableTest, ManagedMemoryIsOnA2InJuly) {
  for (const std::string& product : ProductNames()) {
    EXPECT_EQ(SupportOf("2026-07", "aclrtMemAllocManaged", product),
              product == "ATLAS_A2" ? Support::kHas : Support::kLacks)
        << product;
  }
}

TEST(ProductTableTest, AndOnA3InAugust) {
  for (const char* function :
       {"aclrtMemAllocManaged", "aclrtMemManagedAdvise",
        "aclrtMemManagedGetAttr", "aclrtMemManagedGetAttrs",
        "aclrtMemManagedPrefetchAsync", "aclrtMemManagedPrefetchBatchAsync"}) {
    EXPECT_EQ(SupportOf("2026-07", function, "ATLAS_A3"), Support::kLacks);
    EXPECT_EQ(SupportOf("2026-08", function, "ATLAS_A3"), Support::kHas);
    EXPECT_EQ(SupportOf("2026-08", function, "ATLAS_A2"), Support::kHas);
  }
}

TEST(ProductTableTest, MappingIsMissingOnTwo) {
  for (const std::string& product : ProductNames()) {
    const bool lacks = product == "ATLAS_200I_500_A2" || product == "IPV350";
    EXPECT_EQ(SupportOf("2026-07", "aclrtMemP2PMap", product),
              lacks ? Support::kLacks : Support::kHas)
        << product;
  }
}

TEST(ProductTableTest, ThePointerQueryIsMissingOnOne) {
  for (const std::string& product : ProductNames()) {
    EXPECT_EQ(SupportOf("2026-08", "aclrtPointerGetAttributes", product),
              product == "IPV350" ? Support::kLacks : Support::kHas)
        << product;
  }
}

TEST(ProductTableTest, SevenFamiliesTwoRevisionsTheOlderFirst) {
  EXPECT_EQ(ProductNames().size(), 7u);
  ASSERT_EQ(ContractNames().size(), 2u);
  EXPECT_EQ(ContractNames().front(), "2026-07");
}

TEST(ProductTableTest, WhatIsNotInTheTableIsLacking) {
  EXPECT_EQ(SupportOf("1999-01", "aclrtMemAllocManaged", "ATLAS_A2"),
            Support::kLacks);
  EXPECT_EQ(SupportOf("2026-07", "aclrtNothing", "ATLAS_A2"), Support::kLacks);
}

}  // namespace
}  // namespace npu::conformance
