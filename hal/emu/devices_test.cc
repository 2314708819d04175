// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels, device memory, peers and what becomes of devices.

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/device/protocol.h"
#include "hal/emu/testing/emulator_fixture.h"

namespace npu::hal::emu {
namespace {

uint64_t Bits(const volatile void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

constexpr hal::PeerPair kPair = {DeviceId(0), DeviceId(1)};

class DevicesTest : public EmulatorFixture {
 protected:
  void SetUp() override { Open(SmallConfig()); }

  AddressRange DeviceMemoryOf(int32_t device) {
    const auto range =
        parts().device_memory->Allocate(DeviceId(device), KiB(8));
    EXPECT_THAT(range, IsOk());
    return *range;
  }
  uint64_t ReadBack(AddressRange range) {
    uint64_t value = 0;
    EXPECT_THAT(
        parts().copies->Copy(Address::Of(&value),
                             AddressRange::Of(range.begin(), ByteSize(8))),
        IsOk());
    return value;
  }

  // The processes of our devices: those that hold a descriptor of our own
  // process where a device holds its client's.
  static std::vector<pid_t> DeviceProcesses() {
    const std::string ours = std::to_string(getpid());
    std::vector<pid_t> found;
    DIR* const folder = opendir("/proc");
    while (const dirent* entry = readdir(folder)) {
      if (isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
      std::ifstream about(std::string("/proc/") + entry->d_name + "/fdinfo/" +
                          std::to_string(kClientPidFd));
      std::string word;
      while (about >> word && word != "Pid:") {
      }
      if (about >> word && word == ours) found.push_back(atoi(entry->d_name));
    }
    closedir(folder);
    return found;
  }
};

TEST_F(DevicesTest, KernelsTakeSixteenArgumentsAndKnowTheirBlocks) {
  EXPECT_THAT(
      Call(0, "sixteen",
           {Bits(Word(0)), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
      IsOk());
  uint64_t expected = 0;
  for (uint64_t i = 1; i < 16; ++i) expected = expected * 3 + i;
  EXPECT_EQ(*Word(0), expected);
  EXPECT_THAT(Call(1, "sum_blocks", {Bits(Word(1))}, 7), IsOk());
  EXPECT_EQ(*Word(1), 28u + (uint64_t{7} * 7 << 32));
}

TEST_F(DevicesTest, UnknownNamesAndHandlesAreErrors) {
  EXPECT_THAT(Call(0, "no_such_kernel", {}),
              StatusIs(absl::StatusCode::kNotFound));
  KernelCall call;
  call.device = DeviceId(0);
  call.function = FunctionId(123456);
  EXPECT_EQ(DriverCodeOf(parts().kernels->Launch(call)),
            DriverCode::kInvalidHandle);
  EXPECT_EQ(DriverCodeOf(parts().kernels->Unload(BinaryId(123456))),
            DriverCode::kInvalidHandle);
  EXPECT_EQ(
      DriverCodeOf(
          parts().kernels->Find(BinaryId(9), "store", DeviceId(0)).status()),
      DriverCode::kInvalidHandle);
}

TEST_F(DevicesTest, OwnersReachTheirMemoryAndNobodyElseDoes) {
  const AddressRange memory = DeviceMemoryOf(0);
  EXPECT_THAT(Call(0, "store", {memory.begin().value(), 41}), IsOk());
  EXPECT_EQ(ReadBack(memory), 41u);
  EXPECT_TRUE(
      IsKernelException(Call(1, "store", {memory.begin().value(), 42})));
  EXPECT_EQ(ReadBack(memory), 41u);
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_DFL);
        *static_cast<volatile uint64_t*>(memory.begin().pointer()) = 43;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(DevicesTest, FreedDeviceMemoryIsIllegal) {
  const AddressRange memory = DeviceMemoryOf(0);
  EXPECT_THAT(Call(0, "store", {memory.begin().value(), 41}), IsOk());
  EXPECT_THAT(parts().device_memory->Free(memory.begin()), IsOk());
  EXPECT_TRUE(
      IsKernelException(Call(0, "store", {memory.begin().value(), 42})));
}

TEST_F(DevicesTest, PeersFaultOnceUnlessTheyAreMapped) {
  const AddressRange memory = DeviceMemoryOf(0);
  pager().allow_peers.store(true);
  EXPECT_THAT(parts().peers->Enable(kPair), IsOk());
  EXPECT_THAT(Call(1, "store", {memory.begin().value(), 5}), IsOk());
  EXPECT_THAT(Call(1, "store", {memory.begin().value(), 6}), IsOk());
  EXPECT_EQ(pager().peer_faults.load(), 1u);
  EXPECT_EQ(ReadBack(memory), 6u);
  const AddressRange other = DeviceMemoryOf(0);
  EXPECT_THAT(parts().peers->Map(kPair, other), IsOk());
  EXPECT_THAT(Call(1, "store", {other.begin().value(), 7}), IsOk());
  EXPECT_EQ(pager().peer_faults.load(), 1u);
  // Mappings outlive a crash of the accessor.
  EXPECT_TRUE(IsKernelException(Call(1, "crash", {})));
  EXPECT_THAT(Call(1, "store", {other.begin().value(), 8}), IsOk());
  EXPECT_EQ(pager().peer_faults.load(), 1u);
  EXPECT_THAT(parts().peers->Disable(kPair), IsOk());
  pager().allow_peers.store(false);
  EXPECT_TRUE(IsKernelException(Call(1, "store", {other.begin().value(), 9})));
}

TEST_F(DevicesTest, AResetEmptiesTheDevice) {
  const AddressRange memory = DeviceMemoryOf(0);
  *Word(0) = 3;
  EXPECT_THAT(parts().devices->Reset(DeviceId(0), ResetMode::kKill), IsOk());
  EXPECT_FALSE(parts().device_memory->Locate(memory.begin()).has_value());
  EXPECT_THAT(Call(0, "store", {Bits(Word(0)), 4}), IsOk());
  EXPECT_EQ(*Word(0), 4u);
}

TEST_F(DevicesTest, AKilledDeviceComesBack) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_THAT(Call(0, "store", {Bits(Word(0)), 10}), IsOk());
    for (const pid_t device : DeviceProcesses()) kill(device, SIGKILL);
    EXPECT_EQ(*Word(0), 10u);
    EXPECT_THAT(Call(0, "load", {Bits(Word(0)), Bits(Word(1))}), IsOk());
    EXPECT_EQ(*Word(1), 10u);
    *Word(0) = 0;
  }
}

TEST_F(DevicesTest, AStoppedDeviceDoesNotStopTheHost) {
  EXPECT_THAT(Call(0, "store", {Bits(Word(0)), 10}), IsOk());
  const std::vector<pid_t> devices = DeviceProcesses();
  for (const pid_t device : devices) kill(device, SIGSTOP);
  EXPECT_EQ(*Word(0), 10u);  // its unmap is owed
  *Word(0) = 11;
  for (const pid_t device : devices) kill(device, SIGCONT);
  EXPECT_THAT(Call(0, "load", {Bits(Word(0)), Bits(Word(1))}), IsOk());
  EXPECT_EQ(*Word(1), 11u);
}

TEST_F(DevicesTest, NothingIsLeftWhenTheDriverCloses) {
  EXPECT_EQ(DeviceProcesses().size(), 2u);
  TearDown();
  EXPECT_EQ(DeviceProcesses().size(), 0u);
}

class ConfiguredTest : public EmulatorFixture {};

TEST_F(ConfiguredTest, LinksAndLimitsAreThoseOfTheConfiguration) {
  EmulatorConfig config = SmallConfig();
  config.set_device_count(3);
  config.set_max_enabled_peers(1);
  for (const int32_t other : {1, 2}) {
    auto* const link = config.add_peer_link();
    link->set_a(0);
    link->set_b(other);
  }
  Open(config);
  if (IsSkipped()) return;
  PeerLink& peers = *parts().peers;
  EXPECT_EQ(peers.Reach({DeviceId(1), DeviceId(0)}), PeerReach::kReachable);
  EXPECT_EQ(peers.Reach({DeviceId(1), DeviceId(2)}), PeerReach::kUnreachable);
  EXPECT_THAT(peers.Enable({DeviceId(0), DeviceId(1)}), IsOk());
  EXPECT_EQ(DriverCodeOf(peers.Enable({DeviceId(0), DeviceId(2)})),
            DriverCode::kOverLimit);
  EXPECT_EQ(DriverCodeOf(peers.Enable({DeviceId(1), DeviceId(2)})),
            DriverCode::kNotSupported);
}

TEST_F(ConfiguredTest, UntrackedMemoryIsRightAllTheSame) {
  EmulatorConfig config = SmallConfig();
  config.set_rung(UNTRACKED);
  Open(config);
  EXPECT_EQ(parts().faults->rung(), FaultRung::kUntracked);
  *Word(0) = 5;
  EXPECT_THAT(Call(0, "load", {Bits(Word(0)), Bits(Word(1))}), IsOk());
  EXPECT_EQ(*Word(1), 5u);
  EXPECT_EQ(pager().faults.load(), 0u);
  OnService([](PageResidency& residency) {
    residency.Populate(GranuleIndex(0), NodeId::Host());
    residency.Discard(GranuleIndex(0));
  });
  EXPECT_EQ(*Word(0), 0u);
}

TEST_F(ConfiguredTest, CapacityIsCountedPerDeviceAndInAll) {
  EmulatorConfig config = SmallConfig();
  config.set_device_memory_bytes(MiB(128).bytes());
  config.set_host_memory_bytes(MiB(8).bytes());
  config.set_rung(UNTRACKED);
  Open(config);
  const NodeId zero = NodeId::Device(DeviceId(0));
  OnService([&](PageResidency& residency) {
    for (uint32_t g = 0; g < 4; ++g) {
      ASSERT_EQ(residency.Populate(GranuleIndex(g), zero), PageOutcome::kDone);
    }
    ASSERT_EQ(residency.Populate(GranuleIndex(4), zero),
              PageOutcome::kNoMemory);
    residency.Discard(GranuleIndex(0));
    ASSERT_EQ(residency.Populate(GranuleIndex(4), zero), PageOutcome::kDone);
  });
  EXPECT_EQ(parts().device_memory->Capacity(DeviceId(0)).free,
            MiB(128) - MiB(8));
  EXPECT_EQ(parts().host_memory->Capacity().free, ByteSize(0));
}

TEST_F(ConfiguredTest, ManyDevicesComeUp) {
  EmulatorConfig config = SmallConfig();
  config.set_device_count(64);
  Open(config);
  if (IsSkipped()) return;
  EXPECT_THAT(Call(63, "store", {Bits(Word(0)), 63}), IsOk());
  EXPECT_EQ(*Word(0), 63u);
}

}  // namespace
}  // namespace npu::hal::emu
