// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What the public methods check before a back end sees the call.

#include <optional>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/api/copy_engine.h"
#include "hal/api/device_memory.h"
#include "hal/api/device_registry.h"
#include "hal/api/fault_source.h"
#include "hal/api/host_memory.h"
#include "hal/api/kernel_launcher.h"
#include "hal/api/location.h"
#include "hal/api/managed_allocation.h"
#include "hal/api/managed_prefetch.h"
#include "hal/api/peer_link.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_matchers.h"

namespace npu::hal {
namespace {

using testing::HasSubstr;

// Back ends that count what reaches them.

class CountingRegistry final : public DeviceRegistry {
 public:
  CountingRegistry() { about_.device_count = 2; }
  int calls = 0;

 private:
  const DriverDescription& DoDescribe() const override { return about_; }
  absl::Status DoOpen(DeviceId) override { return Count(); }
  absl::Status DoReset(DeviceId, ResetMode) override { return Count(); }
  NumaNode DoCurrentNumaNode() const override { return NumaNode(0); }
  absl::Status Count() {
    ++calls;
    return absl::OkStatus();
  }
  DriverDescription about_;
};

TEST(DeviceRegistryTest, OnlyExistingDevicesReachTheBackEnd) {
  CountingRegistry devices;
  for (const int32_t bad : {-1, 2, 1000, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(DriverCodeOf(devices.Open(DeviceId(bad))),
              DriverCode::kInvalidDevice);
    EXPECT_EQ(DriverCodeOf(devices.Reset(DeviceId(bad), ResetMode::kKill)),
              DriverCode::kInvalidDevice);
  }
  EXPECT_EQ(devices.calls, 0);
  EXPECT_THAT(devices.Open(DeviceId(1)), IsOk());
  EXPECT_THAT(devices.Reset(DeviceId(0), ResetMode::kDrain), IsOk());
  EXPECT_EQ(devices.calls, 2);
}

TEST(DriverDescriptionTest, FeaturesAreBits) {
  DriverDescription about;
  about.features = BitOf(Feature::kPeerMapping);
  EXPECT_TRUE(about.Supports(Feature::kPeerMapping));
  EXPECT_FALSE(about.Supports(Feature::kManagedMemory));
}

class Memory final : public DeviceMemory {
  absl::StatusOr<AddressRange> DoAllocate(DeviceId, ByteSize size) override {
    return AddressRange::Make(Address(4096), size);
  }
  absl::Status DoFree(Address) override { return absl::OkStatus(); }
  std::optional<DeviceBlock> DoLocate(Address) const override {
    return std::nullopt;
  }
  MemoryCapacity DoCapacity(DeviceId) const noexcept override { return {}; }
};

class Pinned final : public HostMemory {
  absl::StatusOr<AddressRange> DoAllocate(ByteSize size) override {
    return AddressRange::Make(Address(4096), size);
  }
  absl::Status DoFree(Address) override { return absl::OkStatus(); }
  std::optional<AddressRange> DoLocate(Address) const override {
    return std::nullopt;
  }
  MemoryCapacity DoCapacity() const noexcept override { return {}; }
};

TEST(MemoryTest, SizeZeroIsRefused) {
  Memory memory;
  EXPECT_EQ(DriverCodeOf(memory.Allocate(DeviceId(0), ByteSize(0)).status()),
            DriverCode::kInvalidValue);
  EXPECT_THAT(memory.Allocate(DeviceId(0), ByteSize(1)), IsOk());
  Pinned pinned;
  EXPECT_EQ(DriverCodeOf(pinned.Allocate(ByteSize(0)).status()),
            DriverCode::kInvalidValue);
  EXPECT_THAT(pinned.Allocate(ByteSize(1)), IsOk());
}

class Copies final : public CopyEngine {
 public:
  std::optional<AddressRange> destination;

 private:
  absl::Status DoCopy(AddressRange to, AddressRange) override {
    destination = to;
    return absl::OkStatus();
  }
  absl::Status DoFill(AddressRange, uint8_t) override {
    return absl::OkStatus();
  }
};

TEST(CopyEngineTest, ADestinationThatWrapsIsRefused) {
  Copies copies;
  const AddressRange source = AddressRange::Of(Address(4096), ByteSize(64));
  EXPECT_EQ(DriverCodeOf(copies.Copy(Address(UINT64_MAX - 8), source)),
            DriverCode::kInvalidValue);
  EXPECT_FALSE(copies.destination.has_value());
  EXPECT_THAT(copies.Copy(Address(8192), source), IsOk());
  EXPECT_EQ(*copies.destination, AddressRange::Of(Address(8192), ByteSize(64)));
}

class Kernels final : public KernelLauncher {
 public:
  int calls = 0;

 private:
  absl::StatusOr<BinaryId> DoLoad(const std::string&) override {
    ++calls;
    return BinaryId(1);
  }
  absl::StatusOr<FunctionId> DoFind(BinaryId, const std::string&,
                                    DeviceId) override {
    ++calls;
    return FunctionId(1);
  }
  absl::Status DoLaunch(const KernelCall&) override {
    ++calls;
    return absl::OkStatus();
  }
  absl::Status DoUnload(BinaryId) override { return absl::OkStatus(); }
  void DoReleaseLane(DeviceId, LaneId) override {}
};

TEST(KernelLauncherTest, BadCallsDoNotReachTheBackEnd) {
  Kernels kernels;
  EXPECT_EQ(DriverCodeOf(kernels.Load("").status()), DriverCode::kInvalidValue);
  EXPECT_THAT(kernels.Find(BinaryId(1), "", DeviceId(0)),
              StatusIs(absl::StatusCode::kNotFound));
  KernelCall call;
  call.blocks = 0;
  EXPECT_EQ(DriverCodeOf(kernels.Launch(call)), DriverCode::kInvalidValue);
  call.blocks = 1;
  for (const int count : {-1, 17}) {
    call.arguments.count = count;
    EXPECT_EQ(DriverCodeOf(kernels.Launch(call)), DriverCode::kInvalidValue);
  }
  EXPECT_EQ(kernels.calls, 0);
  call.arguments.count = 16;
  EXPECT_THAT(kernels.Launch(call), IsOk());
}

TEST(KernelLauncherTest, AnExceptionIsNoDriverCode) {
  const absl::Status exception = KernelExceptionError("it crashed");
  EXPECT_TRUE(IsKernelException(exception));
  EXPECT_EQ(DriverCodeOf(exception), std::nullopt);
  EXPECT_FALSE(IsKernelException(absl::AbortedError("other")));
  EXPECT_FALSE(IsKernelException(absl::OkStatus()));
}

class Links final : public PeerLink {
 public:
  int enabled = 0;

 private:
  PeerReach DoReach(PeerPair pair) const override {
    return pair.owner == DeviceId(0) ? PeerReach::kReachable
                                     : PeerReach::kUnreachable;
  }
  absl::Status DoEnable(PeerPair) override {
    ++enabled;
    return absl::OkStatus();
  }
  absl::Status DoDisable(PeerPair) override { return absl::OkStatus(); }
  absl::Status DoMap(PeerPair, AddressRange) override {
    return absl::OkStatus();
  }
};

TEST(PeerLinkTest, WhatCannotBeReachedCannotBeEnabled) {
  Links links;
  EXPECT_EQ(DriverCodeOf(links.Enable({DeviceId(1), DeviceId(0)})),
            DriverCode::kNotSupported);
  EXPECT_EQ(links.enabled, 0);
  EXPECT_THAT(links.Enable({DeviceId(0), DeviceId(1)}), IsOk());
  EXPECT_EQ(links.enabled, 1);
}

class Prefetches final : public ManagedPrefetch {
  absl::StatusOr<PrefetchTicket> DoAdmit(
      absl::Span<const PrefetchRequest> requests) override {
    PrefetchTicket ticket;
    for (const PrefetchRequest& request : requests) {
      ticket.pieces.push_back({request.range, request.location, 1});
    }
    return ticket;
  }
  absl::Status DoRun(const PrefetchTicket&) override {
    return absl::OkStatus();
  }
};

TEST(ManagedPrefetchTest, NowhereIsNoDestination) {
  Prefetches prefetches;
  const AddressRange range = AddressRange::Of(Address(4096), ByteSize(64));
  const PrefetchRequest requests[] = {{range, Location::Host()},
                                      {range, Location::None()}};
  EXPECT_EQ(DriverCodeOf(prefetches.Admit(requests).status()),
            DriverCode::kInvalidValue);
  EXPECT_THAT(prefetches.Admit({requests, 1}), IsOk());
}

class Source final : public FaultSource {
  absl::Status DoStart(FaultSinks) override { return absl::OkStatus(); }
  void DoStop() override {}
  void DoKick() noexcept override {}
  void DoAdmit(AddressRange) noexcept override {}
  FaultRung DoRung() const override { return FaultRung::kUserMode; }
};

TEST(FaultSourceTest, NeedsASinkAndNamesItsRung) {
  Source source;
  EXPECT_EQ(DriverCodeOf(source.Start({})), DriverCode::kInvalidValue);
  EXPECT_STREQ(NameOf(source.rung()), "user-mode");
  EXPECT_STREQ(NameOf(FaultRung::kFull), "full");
  EXPECT_STREQ(NameOf(FaultRung::kDeviceOnly), "device-only");
  EXPECT_STREQ(NameOf(FaultRung::kUntracked), "untracked");
}

TEST(LocationTest, TellsPlacesApartAndCountsNumaAsTheHost) {
  const Location device = Location::Device(DeviceId(0));
  const Location numa = Location::Numa(NumaNode(0));
  EXPECT_NE(device, numa);
  EXPECT_EQ(numa.node(), NodeId::Host());
  EXPECT_EQ(device.node(), NodeId::Device(DeviceId(0)));
  EXPECT_EQ(Location::Host().number(), -1);
  EXPECT_EQ(Location::None().number(), -2);
  EXPECT_TRUE(Location().is_none());
  std::ostringstream out;
  out << Location::None() << ", " << Location::Host() << ", " << device << ", "
      << numa;
  EXPECT_EQ(out.str(), "nowhere, host, device 0, NUMA node 0");
}

}  // namespace
}  // namespace npu::hal
