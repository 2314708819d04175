// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PageResidency against a model of its contract: after each call the kernel is
// asked which process has which page-table entries.

#include "hal/emu/page_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/testing/emulator_fixture.h"

namespace npu::hal::emu {
namespace {

const NodeId kHost = NodeId::Host();
const NodeId kZero = NodeId::Device(DeviceId(0));
const NodeId kOne = NodeId::Device(DeviceId(1));

// What the contract says of one granule.
struct Model {
  bool populated = false;
  bool read_only = false;
  NodeSet mapped;
  NodeSet charged;

  void Own(NodeId node) {
    populated = true;
    read_only = false;
    mapped = charged = NodeSet(node);
  }
};

// The entries of some pages of a granule in one process.
struct Entries {
  int present = 0;     // of three pages
  int protected_ = 0;  // against writing
};

class PageMapTest : public EmulatorFixture {
 protected:
  void SetUp() override {
    EmulatorConfig config = SmallConfig();
    config.set_device_memory_bytes(MiB(128).bytes());
    Open(config);
    if (IsSkipped() || HasFatalFailure()) return;
    pids_[0] = getpid();
    // The last live granule serves to ask the devices.
    for (const int32_t d : {0, 1}) {
      volatile uint64_t* const answer = Word(kLiveGranules - 1);
      ASSERT_THAT(Call(d, "own_pid", {reinterpret_cast<uint64_t>(answer)}),
                  IsOk());
      pids_[static_cast<size_t>(d) + 1] = static_cast<pid_t>(*answer);
    }
    OnService([](PageResidency& residency) {
      residency.Discard(GranuleIndex(kLiveGranules - 1));
    });
  }

  Entries EntriesOf(NodeId node, uint32_t granule) const {
    const std::string path =
        "/proc/" + std::to_string(pids_[static_cast<size_t>(node.index())]) +
        "/pagemap";
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_TRUE(file.valid()) << path;
    Entries entries;
    for (const uint64_t page : {0, 255, 511}) {
      const uint64_t address =
          Address::Of(Word(granule)).value() + page * KiB(4).bytes();
      uint64_t entry = 0;
      EXPECT_EQ(pread(file.get(), &entry, sizeof(entry),
                      static_cast<off_t>(address / KiB(4).bytes() * 8)),
                8);
      if ((entry >> 63 & 1) == 0) continue;
      ++entries.present;
      if ((entry >> 57 & 1) != 0) ++entries.protected_;
    }
    return entries;
  }

  bool Agrees(uint32_t granule, const Model& model) const {
    for (const NodeId node : {kHost, kZero, kOne}) {
      const Entries entries = EntriesOf(node, granule);
      const bool mapped = model.mapped.Contains(node);
      if (entries.present != (mapped ? 3 : 0)) return false;
      if (entries.protected_ != (mapped && model.read_only ? 3 : 0)) {
        return false;
      }
    }
    return true;
  }

  void ExpectAgrees(uint32_t granule, const Model& model) {
    // A busy machine's agent may be late: its unmap is owed, and comes.
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (!Agrees(granule, model) &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (const NodeId node : {kHost, kZero, kOne}) {
      const Entries entries = EntriesOf(node, granule);
      const bool mapped = model.mapped.Contains(node);
      EXPECT_EQ(entries.present, mapped ? 3 : 0) << node;
      EXPECT_EQ(entries.protected_, mapped && model.read_only ? 3 : 0) << node;
    }
  }

  // Does something on the service thread; the outcome.
  PageOutcome Do(std::function<PageOutcome(PageResidency&)> work) {
    PageOutcome outcome = PageOutcome::kFailed;
    OnService([&](PageResidency& residency) { outcome = work(residency); });
    return outcome;
  }

  uint64_t FreeGranules(int32_t device) {
    return parts().device_memory->Capacity(DeviceId(device)).free.bytes() /
           kGranule.bytes();
  }

  std::array<pid_t, 3> pids_ = {};  // by NodeId::index
};

// One random step that the contract allows in this state.
PageOutcome Step(PageResidency& residency, GranuleIndex granule, NodeId node,
                 uint32_t choice, Model& model) {
  if (!model.populated) {
    model.Own(node);
    return residency.Populate(granule, node);
  }
  switch (choice) {
    case 0:
      model.Own(node);
      return residency.Transfer(granule, node);
    case 1:
      if (model.mapped != model.charged) break;
      model.read_only = true;
      model.mapped.Add(node);
      model.charged.Add(node);
      return residency.Duplicate(granule, node);
    case 2:
      if (!model.read_only) break;
      model.Own(node);
      return residency.Collapse(granule, node);
    case 3:
      if (model.read_only) break;
      model.mapped.Add(node);
      return residency.MapRemote(granule, node);
    default:
      model = Model();
      residency.Discard(granule);
      return PageOutcome::kDone;
  }
  return PageOutcome::kDone;
}

TEST_F(PageMapTest, EveryCallDoesWhatTheContractSays) {
  constexpr uint32_t kGranules = 3;
  std::array<Model, kGranules> models;
  std::mt19937 random(11);
  for (int step = 0; step < 400; ++step) {
    const uint32_t granule = random() % kGranules;
    const std::array<NodeId, 3> nodes = {kHost, kZero, kOne};
    const NodeId node = nodes[random() % 3];
    const uint32_t choice = random() % 6 == 0 ? 4 : random() % 4;
    Model& model = models[granule];
    ASSERT_EQ(Do([&](PageResidency& residency) {
                return Step(residency, GranuleIndex(granule), node, choice,
                            model);
              }),
              PageOutcome::kDone)
        << step;
    ExpectAgrees(granule, model);
    for (const int32_t d : {0, 1}) {
      uint64_t charged = 0;
      for (const Model& one : models) {
        charged += one.charged.Contains(NodeId::Device(DeviceId(d))) ? 1 : 0;
      }
      EXPECT_EQ(FreeGranules(d), 64 - charged);
    }
    ASSERT_FALSE(HasFailure())
        << "step " << step << ", choice " << choice << " on " << node;
  }
}

TEST_F(PageMapTest, AskedAgainItRepairsWhatIsMissing) {
  Model model;
  model.Own(kHost);
  // Pages that the kernel drops meanwhile: all, the last half, one between.
  constexpr uint64_t kDropped[][2] = {{0, 512}, {256, 256}, {255, 1}};
  for (const auto& [first, count] : kDropped) {
    ASSERT_EQ(Do([](PageResidency& r) {
                return r.Populate(GranuleIndex(0), NodeId::Host());
              }),
              PageOutcome::kDone);
    ExpectAgrees(0, model);
    ASSERT_EQ(
        madvise(Word(0) + first * 512, count * KiB(4).bytes(), MADV_DONTNEED),
        0);
  }
  ASSERT_EQ(Do([](PageResidency& r) {
              return r.Transfer(GranuleIndex(0), NodeId::Host());
            }),
            PageOutcome::kDone);
  ExpectAgrees(0, model);
}

TEST_F(PageMapTest, AFullDeviceRefusesAndNothingChanges) {
  OnService([](PageResidency& r) {
    for (uint32_t g = 40; g < 104; ++g) {
      ASSERT_EQ(r.Populate(GranuleIndex(g), kZero), PageOutcome::kDone);
    }
    ASSERT_EQ(r.Populate(GranuleIndex(0), kHost), PageOutcome::kDone);
  });
  EXPECT_EQ(FreeGranules(0), 0u);
  Model model;
  model.Own(kHost);
  EXPECT_EQ(
      Do([](PageResidency& r) { return r.Transfer(GranuleIndex(0), kZero); }),
      PageOutcome::kNoSpace);
  ExpectAgrees(0, model);
  EXPECT_EQ(
      Do([](PageResidency& r) { return r.Duplicate(GranuleIndex(0), kZero); }),
      PageOutcome::kNoSpace);
  ExpectAgrees(0, model);
  EXPECT_EQ(
      Do([](PageResidency& r) { return r.Populate(GranuleIndex(1), kZero); }),
      PageOutcome::kNoSpace);
  ExpectAgrees(1, Model());
  // A mapping of somebody else's memory costs nothing.
  EXPECT_EQ(
      Do([](PageResidency& r) { return r.MapRemote(GranuleIndex(0), kZero); }),
      PageOutcome::kDone);
  model.mapped.Add(kZero);
  ExpectAgrees(0, model);
  EXPECT_EQ(Do([](PageResidency& r) {
              r.Discard(GranuleIndex(40));
              return r.Transfer(GranuleIndex(0), kZero);
            }),
            PageOutcome::kDone);
  model.Own(kZero);
  ExpectAgrees(0, model);
}

TEST_F(PageMapTest, NoWriteProtectionOutlivesAGranule) {
  *Word(0) = 1;
  OnService([](PageResidency& r) {
    ASSERT_EQ(r.Duplicate(GranuleIndex(0), kZero), PageOutcome::kDone);
    ASSERT_EQ(r.Collapse(GranuleIndex(0), kHost), PageOutcome::kDone);
    r.Discard(GranuleIndex(0));
    ASSERT_EQ(r.Populate(GranuleIndex(0), kZero), PageOutcome::kDone);
  });
  const uint64_t before = pager().faults.load();
  EXPECT_THAT(Call(0, "store", {reinterpret_cast<uint64_t>(Word(0)), 5}),
              IsOk());
  EXPECT_EQ(pager().faults.load(), before);
  Model model;
  model.Own(kZero);
  ExpectAgrees(0, model);
}

TEST_F(PageMapTest, ADeadDeviceIsNoError) {
  const absl::Status crashed = Call(0, "crash", {});
  OnService([](PageResidency& r) {
    ASSERT_EQ(r.Populate(GranuleIndex(0), kZero), PageOutcome::kDone);
    ASSERT_EQ(r.Duplicate(GranuleIndex(0), kOne), PageOutcome::kDone);
    ASSERT_EQ(r.Transfer(GranuleIndex(0), kZero), PageOutcome::kDone);
    r.Discard(GranuleIndex(0));
  });
  EXPECT_FALSE(crashed.ok());
  EXPECT_EQ(FreeGranules(0), 64u);
}

}  // namespace
}  // namespace npu::hal::emu
