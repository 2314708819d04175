// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/stream_argument.h"

#include "acl_api/arguments.h"
#include "acl_api/handles.h"
#include "hal/base/status_macros.h"

namespace npu::acl {

absl::StatusOr<StreamArgument> StreamArgument::Find(aclrtStream handle) {
  if (handle == nullptr) return StreamArgument(nullptr);
  NPU_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream,
                       FindHandle(Handles::Get().streams, "stream", handle));
  return StreamArgument(std::move(stream));
}

absl::StatusOr<std::shared_ptr<Stream>> StreamArgument::Bind(
    const Session& session) const {
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  if (is_null()) return context->default_stream();
  if (context->Owns(stream_.get())) return stream_;
  return Failure(ACL_ERROR_RT_STREAM_CONTEXT,
                 "stream belongs to another context than the current one");
}

absl::StatusOr<std::shared_ptr<Stream>> FindStream(const Session& session,
                                                   aclrtStream handle) {
  NPU_ASSIGN_OR_RETURN(const StreamArgument argument,
                       StreamArgument::Find(handle));
  return argument.Bind(session);
}

}  // namespace npu::acl
