// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/devices.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "hal/base/check.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
absl::StatusOr<Devices::Entry*> Devices::Await(DeviceId device,
                                               MutexLock& lock) {
  Entry& entry = At(device);
  if (entry.state == State::kResetting && IsInsideAnyStream()) {
    return Failure(ACL_ERROR_RT_PARAM_INVALID,
                   "called by a host function while the device is reset");
  }
  while (entry.state == State::kResetting) lock.Wait(changed_);
  return &entry;
}

absl::StatusOr<std::shared_ptr<Context>> Devices::MakeContext(
    DeviceId device, ContextKind kind) {
  NPU_RETURN_IF_ERROR(hooks_.open(device));
  NPU_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream,
                       hooks_.make_stream(device));
  auto context = std::make_shared<Context>(device, kind, std::move(stream));
  NPU_ASSIGN_OR_RETURN(void* const handle,
                       NewHandle(Handles::Get().contexts, context));
  context->set_handle(handle);
  return context;
}

absl::StatusOr<std::shared_ptr<Context>> Devices::Set(DeviceId device) {
  MutexLock lock(mutex_);
  NPU_ASSIGN_OR_RETURN(Entry * entry, Await(device, lock));
  if (entry->set_count == 0) {
    NPU_ASSIGN_OR_RETURN(entry->default_context,
                         MakeContext(device, ContextKind::kDefault));
  }
  ++entry->set_count;
  return entry->default_context;
}

absl::StatusOr<std::shared_ptr<Context>> Devices::CreateContext(
    DeviceId device) {
  MutexLock lock(mutex_);
  NPU_ASSIGN_OR_RETURN(Entry * entry, Await(device, lock));
  NPU_ASSIGN_OR_RETURN(std::shared_ptr<Context> context,
                       MakeContext(device, ContextKind::kExplicit));
  entry->explicit_contexts.push_back(context);
  return context;
}

absl::Status Devices::Remove(const std::shared_ptr<Context>& context) {
  if (context->kind() == ContextKind::kDefault) {
    return Failure(ACL_ERROR_RT_PARAM_INVALID,
                   "context is a default context, which ends with "
                   "aclrtResetDevice");
  }
  MutexLock lock(mutex_);
  auto& contexts = At(context->device()).explicit_contexts;
  const auto at = std::find(contexts.begin(), contexts.end(), context);
  if (at == contexts.end()) {
    return Failure(ACL_ERROR_RT_PARAM_INVALID, "context is gone already");
  }
  contexts.erase(at);
  return absl::OkStatus();
}

absl::Status Devices::Reset(DeviceId device, hal::ResetMode mode) {
  {
    MutexLock lock(mutex_);
    NPU_ASSIGN_OR_RETURN(Entry * entry, Await(device, lock));
    if (entry->set_count == 0) {
      return Failure(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
                     absl::StrCat("deviceId = ", device.value(),
                                  ": not set, or reset already"));
    }
    if (mode == hal::ResetMode::kDrain && entry->set_count > 1) {
      --entry->set_count;
      return absl::OkStatus();
    }
    entry->state = State::kResetting;
  }
  const absl::Status status =
      mode == hal::ResetMode::kDrain ? Drain(device) : Kill(device);
  MutexLock lock(mutex_);
  Entry& entry = At(device);
  // Without its contexts the device is reset, whatever else went wrong.
  if (entry.default_context == nullptr) entry.set_count = 0;
  entry.state = State::kReady;
  changed_.notify_all();
  return status;
}

absl::Status Devices::Drain(DeviceId device) {
  for (const auto& stream : StreamsOf(device)) stream->AwaitIdle();
  NPU_RETURN_IF_ERROR(hooks_.evacuate(device));
  for (const auto& context : TakeContexts(device)) {
    context->Close(StreamEnd::kDrain);
  }
  // What tasks touched that came after the first look.
  NPU_RETURN_IF_ERROR(hooks_.evacuate(device));
  return hooks_.reset(device, hal::ResetMode::kDrain);
}

absl::Status Devices::Kill(DeviceId device) {
  NPU_RETURN_IF_ERROR(hooks_.evacuate(device));
  for (const auto& stream : StreamsOf(device)) stream->DropPending();
  // Before the streams end: a kernel that runs for ever keeps its stream.
  const absl::Status reset = hooks_.reset(device, hal::ResetMode::kKill);
  for (const auto& context : TakeContexts(device)) {
    context->Close(StreamEnd::kAbort);
  }
  NPU_RETURN_IF_ERROR(reset);
  return hooks_.evacuate(device);
}

std::vector<std::shared_ptr<Context>> Devices::TakeContexts(DeviceId device) {
  MutexLock lock(mutex_);
  Entry& entry = At(device);
  auto taken = std::exchange(entry.explicit_contexts, {});
  if (entry.default_context != nullptr) {
    taken.push_back(std::exchange(entry.default_context, nullptr));
  }
  return taken;
}

std::vector<std::shared_ptr<Stream>> Devices::StreamsOf(DeviceId device) const {
  std::vector<std::shared_ptr<Context>> contexts;
  {
    MutexLock lock(mutex_);
    const Entry& entry = At(device);
    contexts = entry.explicit_contexts;
    if (entry.default_context) contexts.push_back(entry.default_context);
  }
  std::vector<std::shared_ptr<Stream>> streams;
  for (const auto& context : contexts) {
    for (auto& stream : context->Streams()) streams.push_back(stream);
  }
  return streams;
}

std::vector<std::shared_ptr<Context>> Devices::RemoveAll() {
  std::vector<std::shared_ptr<Context>> all;
  for (int32_t i = 0; i < kMaxDevices; ++i) {
    for (auto& context : TakeContexts(DeviceId(i))) all.push_back(context);
  }
  return all;
}

void Devices::CheckInvariants() const {
  MutexLock lock(mutex_);
  for (int32_t i = 0; i < kMaxDevices; ++i) {
    const Entry& entry = At(DeviceId(i));
    if (entry.state == State::kResetting) continue;
    NPU_CHECK((entry.set_count > 0) == (entry.default_context != nullptr));
    for (const auto& context : entry.explicit_contexts) {
      NPU_CHECK(context->device() == DeviceId(i));
      NPU_CHECK(context->kind() == ContextKind::kExplicit);
    }
  }
}

}  // namespace npu::acl
