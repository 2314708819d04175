// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The world on our own library: what it promises to the cases.
#include "conformance/harness/world.h"

#include "conformance/harness/argument.h"
#include "conformance/harness/own_library.h"
#include "conformance/harness/settings.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

class WorldTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const absl::StatusOr<std::string> library = OwnLibrary();
    ASSERT_TRUE(library.ok()) << library.status();
    Settings settings;
    settings.library = *library;
    SetSettings(settings);
    static const absl::Status loaded = World::Get().Load();
    ASSERT_TRUE(loaded.ok()) << loaded;
  }

  static void TearDownTestSuite() { world().Finish(); }

  void SetUp() override { world().Start(); }
  void TearDown() override { world().Clean(); }

  static World& world() { return World::Get(); }

  static aclrtMemLocationType TypeOf(const void* address) {
    aclrtPtrAttributes attributes = {};
    EXPECT_EQ(world().api().aclrtPointerGetAttributes(address, &attributes), 0);
    return attributes.location.type;
  }

  static size_t FreeBytes() {
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    EXPECT_EQ(
        world().api().aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes),
        0);
    return free_bytes;
  }
};

TEST_F(WorldTest, IsTheSmallEmulator) {
  EXPECT_TRUE(world().is_up());
  EXPECT_TRUE(world().is_emulator());
  EXPECT_TRUE(world().has_managed_memory());
  EXPECT_EQ(world().device_count(), 2);
  EXPECT_EQ(world().window().bytes, 32 * kGranule);
}

TEST_F(WorldTest, StartsAgainAfterItsEnd) {
  const Window before = world().window();
  world().Finish();
  EXPECT_FALSE(world().is_up());
  world().Start();
  EXPECT_TRUE(world().is_up());
  EXPECT_EQ(world().window().base, before.base);
}

TEST_F(WorldTest, PiecesAreOfTheirKind) {
  EXPECT_EQ(TypeOf(world().Managed(1).address), ACL_MEM_LOCATION_TYPE_MANAGED);
  EXPECT_EQ(TypeOf(world().Device(0, 64).address),
            ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(TypeOf(world().Pinned(64).address), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(TypeOf(world().HostHeap(64).address),
            ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(TypeOf(world().Freed(1).address),
            ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(TypeOf(world().FreedDevice(64).address),
            ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(WorldTest, AnIslandHasNothingAround) {
  const Piece island = world().Island();
  EXPECT_EQ(TypeOf(island.address), ACL_MEM_LOCATION_TYPE_MANAGED);
  EXPECT_EQ(TypeOf(At(island.address, -1)), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(TypeOf(At(island.address, kGranule)),
            ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(WorldTest, ABrokenRangeHasAHoleInTheMiddle) {
  const Piece broken = world().BrokenRange();
  ASSERT_EQ(broken.bytes, 3 * kGranule);
  EXPECT_EQ(TypeOf(broken.address), ACL_MEM_LOCATION_TYPE_MANAGED);
  EXPECT_EQ(TypeOf(At(broken.address, kGranule)),
            ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(TypeOf(At(broken.address, 2 * kGranule)),
            ACL_MEM_LOCATION_TYPE_MANAGED);
}

TEST_F(WorldTest, CleanGivesAllBack) {
  const size_t before = FreeBytes();
  world().Device(0, 8 * kGranule);
  world().Stream();
  world().StreamOfAnotherContext();
  world().Event();
  EXPECT_LT(FreeBytes(), before);
  world().Clean();
  EXPECT_EQ(FreeBytes(), before);
  // The whole window can be had only when nothing of it is left.
  const Piece whole = world().WholeWindow();
  EXPECT_EQ(whole.address, At(world().window().base));
  EXPECT_EQ(whole.bytes, world().window().bytes);
}

TEST_F(WorldTest, PeerAccessIsThereAgainAfterStart) {
  int32_t status = -1;
  const Api& api = world().api();
  EXPECT_EQ(api.aclrtDevicePeerAccessStatus(0, 1, &status), 0);
  EXPECT_EQ(status, 1);
  world().DisablePeerAccess();
  EXPECT_EQ(api.aclrtDevicePeerAccessStatus(0, 1, &status), 0);
  EXPECT_EQ(status, 0);
  world().Start();
  EXPECT_EQ(api.aclrtDevicePeerAccessStatus(0, 1, &status), 0);
  EXPECT_EQ(status, 1);
}

TEST_F(WorldTest, ANewThreadHasNoContext) {
  world().OnNewThread([] {
    aclrtContext context = nullptr;
    EXPECT_EQ(world().api().aclrtGetCurrentContext(&context), 107002);
  });
}

}  // namespace
}  // namespace npu::conformance
