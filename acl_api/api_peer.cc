// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The C functions on access between devices.

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "acl/acl_rt_device.h"
#include "acl/acl_rt_managed.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/device_argument.h"
#include "acl_api/error_code.h"
#include "acl_api/session.h"
#include "hal/api/peer_link.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

constexpr hal::Feature kPeers = hal::Feature::kPeerAccess;

// Upstream tells equal ids apart before anything else.
absl::Status CheckDiffer(int32_t device, int32_t peer) {
  if (device != peer) return absl::OkStatus();
  return ValueFailure(ACL_ERROR_INVALID_PARAM, "peerDeviceId", peer,
                      "must not be the device itself");
}

absl::Status CanAccess(int32_t* out, int32_t device, int32_t peer) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(Runtime * runtime, session.Started());
  NPU_ASSIGN_OR_RETURN(const DeviceId from,
                       CheckDevice(*runtime, "deviceId", device));
  NPU_ASSIGN_OR_RETURN(const DeviceId to,
                       CheckDevice(*runtime, "peerDeviceId", peer));
  NPU_RETURN_IF_ERROR(session.Require(kPeers, "aclrtDeviceCanAccessPeer"));
  NPU_ASSIGN_OR_RETURN(const p2p::PeerAccess* peers, runtime->Peers());
  NPU_ASSIGN_OR_RETURN(const hal::PeerReach reach, peers->CanReach({to, from}));
  *out = reach == hal::PeerReach::kReachable ? 1 : 0;
  return absl::OkStatus();
}

// The pair that a switch of the current device is about: the peer reaches the
// memory of the current device.
absl::StatusOr<hal::PeerPair> PairWithCurrent(const Session& session,
                                              int32_t peer) {
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  NPU_RETURN_IF_ERROR(CheckDiffer(context->device().value(), peer));
  NPU_ASSIGN_OR_RETURN(
      const DeviceId accessor,
      CheckDevice(*session.runtime_or_null(), "peerDeviceId", peer));
  NPU_RETURN_IF_ERROR(session.Require(kPeers, "access between devices"));
  return hal::PeerPair{context->device(), accessor};
}

absl::Status Enable(int32_t peer) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const hal::PeerPair pair,
                       PairWithCurrent(session, peer));
  NPU_ASSIGN_OR_RETURN(p2p::PeerAccess * peers,
                       session.runtime_or_null()->Peers());
  return AboutId("peerDeviceId", peer, peers->Enable(pair));
}

absl::Status Disable(int32_t peer) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const hal::PeerPair pair,
                       PairWithCurrent(session, peer));
  return AboutId("peerDeviceId", peer,
                 session.runtime_or_null()->DisablePeer(pair));
}

absl::Status AccessStatus(int32_t device, int32_t peer, int32_t* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(Runtime * runtime, session.Started());
  constexpr aclError kCode = ACL_ERROR_RT_PARAM_INVALID;
  NPU_ASSIGN_OR_RETURN(const DeviceId owner,
                       CheckDevice(*runtime, "deviceId", device, kCode));
  NPU_ASSIGN_OR_RETURN(const DeviceId accessor,
                       CheckDevice(*runtime, "peerDeviceId", peer, kCode));
  NPU_RETURN_IF_ERROR(session.Require(kPeers, "aclrtDevicePeerAccessStatus"));
  NPU_ASSIGN_OR_RETURN(const p2p::PeerAccess* peers, runtime->Peers());
  if (owner == accessor) {
    *out = 0;  // a device needs no access to itself
    return absl::OkStatus();
  }
  NPU_ASSIGN_OR_RETURN(const p2p::PeerState state,
                       peers->Status({owner, accessor}));
  *out = state == p2p::PeerState::kOn ? 1 : 0;
  return absl::OkStatus();
}

// --------------------------------------------------------- aclrtMemP2PMap --

struct MapRequest {
  const void* pointer;
  uint64_t size;
  int32_t accessor;
};

absl::Status NotDeviceMemory(const MapRequest& request, absl::string_view why) {
  return PointerFailure(ACL_ERROR_RT_PARAM_INVALID, "devPtr", request.pointer,
                        absl::StrCat(request.size, " bytes from there ", why));
}

// The device block around the whole range.
absl::StatusOr<hal::DeviceBlock> FindBlock(const hal::DeviceMemory* memory,
                                           const MapRequest& request) {
  const auto range =
      AddressRange::Make(Address::Of(request.pointer), ByteSize(request.size));
  if (!range.ok()) return NotDeviceMemory(request, "wrap around");
  std::optional<hal::DeviceBlock> block;
  if (memory != nullptr) block = memory->Locate(range->begin());
  if (!block.has_value() || !block->range.Contains(*range)) {
    return NotDeviceMemory(request,
                           "are not inside one live allocation of "
                           "aclrtMalloc");
  }
  return *block;
}

// While the runtime is off no id but a negative one is known to be bad.
absl::Status CheckAccessor(const Session& session, int32_t accessor) {
  const Runtime* runtime = session.runtime_or_null();
  if (runtime != nullptr) {
    return CheckDevice(*runtime, "dstDevId", accessor).status();
  }
  return InInterval("dstDevId", accessor, {0, kMaxDevices - 1},
                    ACL_ERROR_RT_INVALID_DEVICEID);
}

absl::Status Map(const MapRequest& request) {
  const Session session;
  NPU_RETURN_IF_ERROR(CheckAccessor(session, request.accessor));
  NPU_RETURN_IF_ERROR(session.CurrentContext().status());
  NPU_RETURN_IF_ERROR(
      session.Require(hal::Feature::kPeerMapping, "aclrtMemP2PMap"));
  Runtime& runtime = *session.runtime_or_null();
  NPU_ASSIGN_OR_RETURN(const hal::DeviceBlock block,
                       FindBlock(runtime.driver().device_memory, request));
  const hal::PeerPair pair = {block.device, DeviceId(request.accessor)};
  if (pair.owner == pair.accessor) {
    return ValueFailure(ACL_ERROR_RT_PARAM_INVALID, "dstDevId",
                        request.accessor, "is the owner of devPtr");
  }
  NPU_ASSIGN_OR_RETURN(p2p::PeerAccess * peers, runtime.Peers());
  if (peers->MayReach(pair) == hal::PeerReach::kUnreachable) {
    return ValueFailure(
        ACL_ERROR_RT_NO_PERMISSION, "dstDevId", request.accessor,
        absl::StrCat("has no peer access to device ", pair.owner.value()));
  }
  return peers->Map(
      AddressRange::Of(Address::Of(request.pointer), ByteSize(request.size)),
      pair.accessor);
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId,
                                  int32_t peerDeviceId) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(CheckDiffer(deviceId, peerDeviceId));
    NPU_RETURN_IF_ERROR(
        NotNull("canAccessPeer", canAccessPeer, ACL_ERROR_RT_PARAM_INVALID));
    return CanAccess(canAccessPeer, deviceId, peerDeviceId);
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(
        Reserved("flags", flags, ACL_ERROR_FEATURE_UNSUPPORTED));
    return Enable(peerDeviceId);
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return Run(__func__, [&] { return Disable(peerDeviceId); });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId,
                                     int32_t* status) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("status", status));
    return AccessStatus(deviceId, peerDeviceId, status);
  });
}

aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId,
                        uint64_t flags) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("devPtr", devPtr));
    NPU_RETURN_IF_ERROR(NotZero("size", size));
    NPU_RETURN_IF_ERROR(Reserved("flags", flags));
    return Map({devPtr, size, dstDevId});
  });
}
