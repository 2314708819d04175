// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Random programs of printable operations on ManagedMemory over the fake,
// beside a deliberately naive model of what is promised about data and
// attributes.

#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "mm/testing/memory_fixture.h"

namespace npu::mm {
namespace {

using hal::Advice;
using hal::Location;

// One granule of the model: what reads must see, and its attributes.
struct ModelGranule {
  uint64_t word = 0;
  bool read_mostly = false;
  Location preferred;
  Location last_prefetch;
};

class ProgramTest : public MemoryFixture,
                    public testing::WithParamInterface<uint32_t> {
 protected:
  void SetUp() override {
    MemoryFixture::SetUp();
    random_.seed(GetParam());
  }

  uint32_t Random(uint32_t below) { return random_() % below; }

  NodeId AnyNode() {
    const uint32_t pick = Random(3);
    return pick == 0 ? host_ : pick == 1 ? zero_ : one_;
  }
  Location AnyPlace() {
    const uint32_t pick = Random(4);
    if (pick == 3) return Location::Numa(hal::NumaNode(1));
    return pick == 0 ? at_host_ : pick == 1 ? at_zero_ : at_one_;
  }

  // A range inside one live allocation; false when there is none.
  bool PickRange() {
    if (live_.empty()) return false;
    auto block = live_.begin();
    std::advance(block, Random(static_cast<uint32_t>(live_.size())));
    first_ = block->first + Random(block->second);
    count_ = 1 + Random(block->first + block->second - first_);
    return true;
  }

  void Note(const std::string& operation) {
    program_ << operation << " [" << first_ << ", +" << count_ << ")\n";
  }

  void DoAllocate() {
    const uint32_t count = 1 + Random(6);
    const auto range = memory_->Allocate(kGranule * count, DeviceId(0));
    if (!range.ok()) return;
    first_ = static_cast<uint32_t>(
        (range->begin() - memory_->Window().begin()).bytes() /
        kGranule.bytes());
    count_ = count;
    Note("allocate");
    live_[first_] = count;
    for (uint32_t g = first_; g < first_ + count; ++g) model_[g] = {};
  }

  void DoFree() {
    if (!PickRange()) return;
    auto block = std::prev(live_.upper_bound(first_));
    first_ = block->first;
    count_ = block->second;
    Note("free");
    ASSERT_THAT(memory_->Free(AddressOf(first_)), IsOk());
    for (uint32_t g = first_; g < first_ + count_; ++g) model_.erase(g);
    live_.erase(block);
  }

  void DoTouch() {
    if (!PickRange()) return;
    const NodeId node = AnyNode();
    ModelGranule& granule = model_[first_];
    if (Random(2) == 0) {
      Note("load");
      ASSERT_EQ(Load(node, first_), granule.word) << program_.str();
      return;
    }
    Note("store");
    granule.word = ++next_word_;
    granule.read_mostly = false;
    Store(node, first_, granule.word);
  }

  void DoAdvise() {
    if (!PickRange()) return;
    const auto advice = static_cast<Advice>(Random(6));
    const Location place = AnyPlace();
    Note("advise " + std::to_string(static_cast<int>(advice)));
    const absl::Status status =
        memory_->Advise(Granules(first_, count_), advice, place);
    const bool may_refuse = advice == Advice::kSetPreferredLocation;
    if (!status.ok()) {
      ASSERT_TRUE(may_refuse) << status << "\n" << program_.str();
      return;
    }
    for (uint32_t g = first_; g < first_ + count_; ++g) {
      ModelGranule& granule = model_[g];
      if (advice == Advice::kSetReadMostly) granule.read_mostly = true;
      if (advice == Advice::kUnsetReadMostly) granule.read_mostly = false;
      if (advice == Advice::kSetPreferredLocation) granule.preferred = place;
      if (advice == Advice::kUnsetPreferredLocation) granule.preferred = {};
    }
  }

  void DoPrefetch() {
    if (!PickRange()) return;
    const Location place = AnyPlace();
    Note("prefetch");
    ASSERT_THAT(Prefetch(Granules(first_, count_), place), IsOk())
        << program_.str();
    for (uint32_t g = first_; g < first_ + count_; ++g) {
      model_[g].last_prefetch = place;
      ASSERT_TRUE(StateOf(g).holders.Contains(place.node())) << program_.str();
    }
  }

  void DoCopy() {
    if (!PickRange()) return;
    Note("copy into");
    ASSERT_THAT(memory_->PrepareCopy(Granules(first_, 1), CopyAccess::kWrite,
                                     AnyNode()),
                IsOk());
    ModelGranule& granule = model_[first_];
    granule.word = ++next_word_;
    granule.read_mostly = false;
    driver_->residency().WritePhysical(GranuleIndex(first_), granule.word);
  }

  void DoDevice() {
    const DeviceId device(static_cast<int32_t>(Random(2)));
    if (Random(2) == 0) {
      Note("crash");
      driver_->Crash(device);
    } else {
      Note("evacuate");
      ASSERT_THAT(memory_->EvacuateDevice(device), IsOk());
    }
  }

  void DoPeers() {
    Note("peers");
    const bool on = Random(2) == 0;
    peers_.Set(on ? hal::PeerReach::kReachable : hal::PeerReach::kUnreachable);
    if (on) return;
    ASSERT_THAT(memory_->OnPeerDisabled(DeviceId(0), DeviceId(1)), IsOk());
    ASSERT_THAT(memory_->OnPeerDisabled(DeviceId(1), DeviceId(0)), IsOk());
  }

  void Step() {
    switch (Random(16)) {
      case 0:
        return DoAllocate();
      case 1:
        return Random(3) == 0 ? DoFree() : DoAllocate();
      case 2:
        return DoDevice();
      case 3:
        return DoPeers();
      case 4:
      case 5:
        return DoPrefetch();
      case 6:
      case 7:
      case 8:
        return DoAdvise();
      case 9:
        return DoCopy();
      default:
        return DoTouch();
    }
  }

  // What the model knows, against what is answered.
  void Compare() {
    Check();
    for (const auto& [g, granule] : model_) {
      const AddressRange range = Granules(g, 1);
      ASSERT_THAT(memory_->QueryReadMostly(range),
                  IsOkAndHolds(granule.read_mostly ? hal::ReadMostly::kYes
                                                   : hal::ReadMostly::kNo))
          << g << "\n"
          << program_.str();
      ASSERT_THAT(memory_->QueryPreferred(range),
                  IsOkAndHolds(granule.preferred));
      ASSERT_THAT(memory_->QueryLastPrefetch(range),
                  IsOkAndHolds(granule.last_prefetch));
      if (StateOf(g).populated()) {
        ASSERT_EQ(driver_->residency().ReadPhysical(GranuleIndex(g)),
                  granule.word)
            << g << "\n"
            << program_.str();
      }
    }
  }

  std::mt19937 random_;
  std::map<uint32_t, uint32_t> live_;  // first granule -> count
  std::map<uint32_t, ModelGranule> model_;
  std::ostringstream program_;
  uint32_t first_ = 0;
  uint32_t count_ = 0;
  uint64_t next_word_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Seeds, ProgramTest, testing::Range(1u, 9u));

TEST_P(ProgramTest, AgreesWithTheModelAfterEveryStep) {
  for (int step = 0; step < 1500; ++step) {
    Step();
    Compare();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace npu::mm
