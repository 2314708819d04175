// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The C functions on devices and contexts; those on peers are in api_peer.cc.

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "acl/acl_rt_device.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/device_argument.h"
#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "acl_api/lifecycle.h"
#include "acl_api/session.h"
#include "acl_api/thread_state.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

absl::Status SetDevice(int32_t device) {
  NPU_RETURN_IF_ERROR(Lifecycle::Get().EnsureOn());
  const Session session;
  NPU_ASSIGN_OR_RETURN(Runtime * runtime, session.Started());
  NPU_ASSIGN_OR_RETURN(const DeviceId id,
                       CheckDevice(*runtime, "deviceId", device));
  NPU_ASSIGN_OR_RETURN(const auto context, runtime->devices().Set(id));
  ThreadState::Mine().set_context(context);
  return absl::OkStatus();
}

absl::Status ResetDevice(int32_t device, hal::ResetMode mode) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(Runtime * runtime, session.Started());
  NPU_ASSIGN_OR_RETURN(const DeviceId id,
                       CheckDevice(*runtime, "deviceId", device));
  NPU_RETURN_IF_ERROR(
      CheckMayWaitFor(runtime->devices().StreamsOf(id), "the device"));
  return runtime->devices().Reset(id, mode);
}

absl::Status GetDevice(int32_t* device) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  *device = context->device().value();
  return absl::OkStatus();
}

absl::Status CountDevices(uint32_t* count) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const Runtime* runtime, session.Started());
  *count = static_cast<uint32_t>(runtime->description().device_count);
  return absl::OkStatus();
}

// All streams are waited for; the first error wins, the others are cleared as
// well, since each was due for this wait.
absl::Status SynchronizeDevice() {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  const auto streams =
      session.runtime_or_null()->devices().StreamsOf(context->device());
  NPU_RETURN_IF_ERROR(CheckMayWaitFor(streams, "the device"));
  absl::Status first;
  for (const auto& stream : streams) first.Update(stream->Synchronize());
  return first;
}

absl::Status CreateContext(aclrtContext* out, int32_t device) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(Runtime * runtime, session.Started());
  NPU_ASSIGN_OR_RETURN(const DeviceId id,
                       CheckDevice(*runtime, "deviceId", device));
  NPU_ASSIGN_OR_RETURN(const auto context,
                       runtime->devices().CreateContext(id));
  ThreadState::Mine().set_context(context);
  *out = context->handle();
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Context>> FindContext(aclrtContext handle) {
  auto context = Handles::Get().contexts.Find(handle);
  if (context != nullptr && context->live()) return context;
  return PointerFailure(ACL_ERROR_RT_PARAM_INVALID, "context", handle,
                        "is not a live context");
}

absl::Status DestroyContext(aclrtContext handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, FindContext(handle));
  NPU_RETURN_IF_ERROR(CheckMayWaitFor(context->Streams(), "the context"));
  NPU_RETURN_IF_ERROR(session.Started().status());
  NPU_RETURN_IF_ERROR(session.runtime_or_null()->devices().Remove(context));
  context->Close(StreamEnd::kDrain);
  return absl::OkStatus();
}

absl::Status SetContext(aclrtContext handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, FindContext(handle));
  ThreadState::Mine().set_context(context);
  return absl::OkStatus();
}

absl::Status GetContext(aclrtContext* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  *out = context->handle();
  return absl::OkStatus();
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclrtSetDevice(int32_t deviceId) {
  return Run(__func__, [&] { return SetDevice(deviceId); });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("deviceId", deviceId));
    return GetDevice(deviceId);
  });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return Run(__func__, [&] {
    return ResetDevice(deviceId, npu::hal::ResetMode::kDrain);
  });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return Run(__func__,
             [&] { return ResetDevice(deviceId, npu::hal::ResetMode::kKill); });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("count", count));
    return CountDevices(count);
  });
}

aclError aclrtSynchronizeDevice(void) {
  return Run(__func__, [] { return SynchronizeDevice(); });
}

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("context", context));
    return CreateContext(context, deviceId);
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("context", context));
    return DestroyContext(context);
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("context", context));
    return SetContext(context);
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("context", context));
    return GetContext(context);
  });
}
