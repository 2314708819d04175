// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/product_table.h"

#include "hal/base/check.h"

namespace npu::hal::emu {
namespace {

constexpr FeatureBits kManaged = BitOf(Feature::kManagedMemory);
constexpr FeatureBits kPeers =
    BitOf(Feature::kPeerAccess) | BitOf(Feature::kPeerMapping);
constexpr FeatureBits kPointers = BitOf(Feature::kPointerAttributes);

struct Row {
  Product product;
  const char* soc_name;
  FeatureBits seed;    // contract 2026-07
  FeatureBits august;  // contract 2026-08: Atlas A3 has managed memory
};

constexpr Row kRows[] = {
    {ATLAS_A2, "Ascend910B1", kManaged | kPeers | kPointers,
     kManaged | kPeers | kPointers},
    {ATLAS_A3, "Ascend910_9391", kPeers | kPointers,
     kManaged | kPeers | kPointers},
    {ASCEND_950, "Ascend950PR_9599", kPeers | kPointers, kPeers | kPointers},
    {ATLAS_200I_500_A2, "Ascend310B1", kPointers, kPointers},
    {ATLAS_INFERENCE, "Ascend310P3", kPeers | kPointers, kPeers | kPointers},
    {ATLAS_TRAINING, "Ascend910A", kPeers | kPointers, kPeers | kPointers},
    {IPV350, "IPV350", 0, 0},
};

}  // namespace

DriverDescription DescribeProduct(const EmulatorConfig& config) {
  for (const Row& row : kRows) {
    if (row.product != config.product()) continue;
    DriverDescription about;
    about.product = Product_Name(row.product);
    about.soc_name =
        config.soc_name().empty() ? row.soc_name : config.soc_name();
    about.device_count = config.device_count();
    about.numa_nodes = config.numa_nodes();
    about.features = config.contract() == "2026-08" ? row.august : row.seed;
    return about;
  }
  NPU_CHECK(false);
  return {};
}

}  // namespace npu::hal::emu
