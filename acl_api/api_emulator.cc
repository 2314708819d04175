// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The emulator's own C functions.

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "acl/npu_emulator.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/device_argument.h"
#include "acl_api/error_code.h"
#include "acl_api/session.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

constexpr int32_t kNowhere = -2;

absl::StatusOr<mm::ManagedMemory*> Memory(const Session& session) {
  NPU_ASSIGN_OR_RETURN(const Runtime* runtime, session.Started());
  if (runtime->memory() != nullptr) return runtime->memory();
  return Failure(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                 "managed memory is the driver's own, which does not tell");
}

absl::Status NotManaged(const void* ptr) {
  return PointerFailure(ACL_ERROR_RT_PARAM_INVALID, "ptr", ptr,
                        "is not in live managed memory");
}

npuEmuResidency ToResidency(const mm::GranuleState& state) {
  npuEmuResidency out = {};
  out.owner = state.populated() ? state.owner.number() : kNowhere;
  out.hostHolds = state.holders.host() ? 1 : 0;
  out.deviceHolds = state.holders.devices();
  out.readMostly = state.is_read_mostly() ? 1 : 0;
  return out;
}

absl::Status GetResidency(const void* ptr, npuEmuResidency* out) {
  const Session session;
  if (session.runtime_or_null() == nullptr) return NotManaged(ptr);
  NPU_ASSIGN_OR_RETURN(const mm::ManagedMemory* memory, Memory(session));
  const auto state = memory->Residency(Address::Of(ptr));
  if (!state.ok()) return NotManaged(ptr);
  *out = ToResidency(*state);
  return absl::OkStatus();
}

// -1 is the host, 0.. a device.
absl::StatusOr<NodeId> CheckNode(const Runtime& runtime, int32_t node) {
  NPU_RETURN_IF_ERROR(InInterval("node", node,
                                 {-1, runtime.description().device_count - 1},
                                 ACL_ERROR_RT_INVALID_DEVICEID));
  return node < 0 ? NodeId::Host() : NodeId::Device(DeviceId(node));
}

// Faults in the memory of other devices, which mm does not see.
uint64_t PeerFaults(const Runtime& runtime, NodeId node) {
  const auto peers = runtime.Peers();
  return peers.ok() && node.is_device() ? (*peers)->faults(node.device()) : 0;
}

absl::Status GetCounters(int32_t node, npuEmuCounters* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const mm::ManagedMemory* memory, Memory(session));
  NPU_ASSIGN_OR_RETURN(const NodeId id,
                       CheckNode(*session.runtime_or_null(), node));
  const mm::NodeCounters counters = memory->Counters(id);
  npuEmuCounters copy = {};
  copy.faults = counters.faults + PeerFaults(*session.runtime_or_null(), id);
  copy.migrationsIn = counters.migrations_in;
  copy.migrationsOut = counters.migrations_out;
  copy.bytesIn = counters.bytes_in;
  copy.duplicates = counters.duplicates;
  copy.collapses = counters.collapses;
  copy.evictions = counters.evictions;
  copy.prefetches = counters.prefetches;
  *out = copy;
  return absl::OkStatus();
}

absl::Status ResetCounters() {
  const Session session;
  NPU_ASSIGN_OR_RETURN(mm::ManagedMemory * memory, Memory(session));
  memory->ResetCounters();
  const auto peers = session.runtime_or_null()->Peers();
  if (peers.ok()) (*peers)->ResetCounters();
  return absl::OkStatus();
}

absl::Status GetWindow(uint64_t* base, uint64_t* bytes) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const mm::ManagedMemory* memory, Memory(session));
  const AddressRange window = memory->Window();
  *base = window.begin().value();
  *bytes = window.size().bytes();
  return absl::OkStatus();
}

absl::StatusOr<const char*> GetRung() {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const Runtime* runtime, session.Started());
  const hal::FaultSource* const faults = runtime->driver().faults;
  if (faults != nullptr) return hal::NameOf(faults->rung());
  return Failure(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                 "faults are the driver's own business");
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError npuEmuGetResidency(const void* ptr, npuEmuResidency* out) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("ptr", ptr));
    NPU_RETURN_IF_ERROR(NotNull("out", out));
    return GetResidency(ptr, out);
  });
}

aclError npuEmuGetCounters(int32_t node, npuEmuCounters* out) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("out", out));
    return GetCounters(node, out);
  });
}

aclError npuEmuResetCounters(void) {
  return Run(__func__, [] { return ResetCounters(); });
}

aclError npuEmuGetWindow(uint64_t* base, uint64_t* bytes) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("base", base));
    NPU_RETURN_IF_ERROR(NotNull("bytes", bytes));
    return GetWindow(base, bytes);
  });
}

const char* npuEmuGetRung(void) {
  const char* name = nullptr;
  Run(__func__, [&]() -> absl::Status {
    NPU_ASSIGN_OR_RETURN(name, GetRung());
    return absl::OkStatus();
  });
  return name;
}
