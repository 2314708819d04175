// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The C functions on streams and events.

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "acl/acl_rt_stream.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/error_code.h"
#include "acl_api/event.h"
#include "acl_api/handles.h"
#include "acl_api/session.h"
#include "acl_api/stream_argument.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

// ---------------------------------------------------------------- streams --

absl::Status CreateStream(aclrtStream* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  NPU_ASSIGN_OR_RETURN(
      auto stream, session.runtime_or_null()->MakeStream(context->device()));
  NPU_ASSIGN_OR_RETURN(void* const handle,
                       NewHandle(Handles::Get().streams, stream));
  stream->set_handle(handle);
  const absl::Status added = context->Add(stream);
  if (!added.ok()) {
    stream->End(StreamEnd::kAbort);
    return added;
  }
  *out = handle;
  return absl::OkStatus();
}

absl::Status DestroyStream(aclrtStream handle, StreamEnd end) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, handle));
  NPU_RETURN_IF_ERROR(CheckMayWaitFor({stream}, "the stream"));
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  if (!context->Remove(stream.get())) {
    return PointerFailure(ACL_ERROR_RT_INVALID_HANDLE, "stream", handle,
                          "is being destroyed already");
  }
  stream->End(end);
  return absl::OkStatus();
}

absl::Status SynchronizeStream(aclrtStream handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, handle));
  NPU_RETURN_IF_ERROR(CheckMayWaitFor({stream}, "the stream"));
  return stream->Synchronize();
}

absl::Status QueryStream(aclrtStream handle, aclrtStreamStatus* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, handle));
  *out = stream->IsIdle() ? ACL_STREAM_STATUS_COMPLETE
                          : ACL_STREAM_STATUS_NOT_READY;
  return absl::OkStatus();
}

absl::Status LaunchHostFunc(aclrtStream handle, aclrtHostFunc fn, void* args) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, handle));
  return stream->Enqueue([fn, args] {
    fn(args);
    return absl::OkStatus();
  });
}

// ----------------------------------------------------------------- events --

absl::Status CreateEvent(aclrtEvent* out) {
  const Session session;
  NPU_RETURN_IF_ERROR(session.CurrentContext().status());
  NPU_ASSIGN_OR_RETURN(
      *out, NewHandle(Handles::Get().events, std::make_shared<Event>()));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Event>> FindEvent(aclrtEvent handle) {
  return FindHandle(Handles::Get().events, "event", handle);
}

absl::Status DestroyEvent(aclrtEvent handle) {
  const Session session;
  if (Handles::Get().events.Remove(handle) != nullptr) return absl::OkStatus();
  return FindEvent(handle).status();
}

// What a record and a wait have in common.
using StreamAction = absl::Status (Event::*)(const std::shared_ptr<Stream>&);

absl::Status OnEvent(aclrtEvent event_handle, aclrtStream stream_handle,
                     StreamAction action) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto event, FindEvent(event_handle));
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, stream_handle));
  return ((*event).*action)(stream);
}

absl::Status SynchronizeEvent(aclrtEvent handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto event, FindEvent(handle));
  return event->Synchronize();
}

absl::Status QueryEvent(aclrtEvent handle, aclrtEventRecordedStatus* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto event, FindEvent(handle));
  *out = event->IsComplete() ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                             : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return absl::OkStatus();
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclrtCreateStream(aclrtStream* stream) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("stream", stream));
    return CreateStream(stream);
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("stream", stream));
    return DestroyStream(stream, StreamEnd::kDrain);
  });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("stream", stream));
    return DestroyStream(stream, StreamEnd::kAbort);
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return Run(__func__, [&] { return SynchronizeStream(stream); });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("status", status));
    return QueryStream(stream, status);
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return Run(__func__, [&]() -> absl::Status {
    if (fn == nullptr) {
      return Failure(ACL_ERROR_RT_PARAM_INVALID, "fn = NULL: must not be NULL");
    }
    return LaunchHostFunc(stream, fn, args);
  });
}

aclError aclrtCreateEvent(aclrtEvent* event) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("event", event));
    return CreateEvent(event);
  });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("event", event));
    return DestroyEvent(event);
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("event", event));
    return OnEvent(event, stream, &Event::Record);
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("event", event));
    return SynchronizeEvent(event);
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("event", event));
    return OnEvent(event, stream, &Event::MakeWait);
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event,
                               aclrtEventRecordedStatus* status) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("event", event));
    NPU_RETURN_IF_ERROR(NotNull("status", status));
    return QueryEvent(event, status);
  });
}
