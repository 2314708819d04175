// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/product_table.h"

#include <string>

#include "gtest/gtest.h"

namespace npu::hal::emu {
namespace {

struct Row {
  Product product;
  const char* contract;
  bool managed;
  bool peers;
  bool pointers;
};

class ProductTableTest : public testing::TestWithParam<Row> {};

TEST_P(ProductTableTest, SaysWhatThePageSays) {
  EmulatorConfig config;
  config.set_product(GetParam().product);
  config.set_contract(GetParam().contract);
  const DriverDescription about = DescribeProduct(config);
  EXPECT_EQ(about.Supports(Feature::kManagedMemory), GetParam().managed);
  EXPECT_EQ(about.Supports(Feature::kPeerMapping), GetParam().peers);
  EXPECT_EQ(about.Supports(Feature::kPeerAccess), GetParam().peers);
  EXPECT_EQ(about.Supports(Feature::kPointerAttributes), GetParam().pointers);
  EXPECT_EQ(about.product, Product_Name(GetParam().product));
  EXPECT_FALSE(about.soc_name.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, ProductTableTest,
    testing::Values(Row{ATLAS_A2, "2026-07", true, true, true},
                    Row{ATLAS_A2, "2026-08", true, true, true},
                    Row{ATLAS_A3, "2026-07", false, true, true},
                    Row{ATLAS_A3, "2026-08", true, true, true},
                    Row{ASCEND_950, "2026-08", false, true, true},
                    Row{ATLAS_200I_500_A2, "2026-08", false, false, true},
                    Row{ATLAS_INFERENCE, "2026-08", false, true, true},
                    Row{ATLAS_TRAINING, "2026-08", false, true, true},
                    Row{IPV350, "2026-08", false, false, false}));

TEST(ProductTableTest, TheConfigurationNamesTheSoc) {
  EmulatorConfig config;
  config.set_soc_name("Other");
  config.set_device_count(5);
  config.set_numa_nodes(3);
  const DriverDescription about = DescribeProduct(config);
  EXPECT_EQ(about.soc_name, "Other");
  EXPECT_EQ(about.device_count, 5);
  EXPECT_EQ(about.numa_nodes, 3);
}

}  // namespace
}  // namespace npu::hal::emu
