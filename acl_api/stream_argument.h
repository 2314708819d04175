// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// StreamArgument: a stream as a caller names it.

#ifndef ACL_API_STREAM_ARGUMENT_H_
#define ACL_API_STREAM_ARGUMENT_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "acl/acl_rt_types.h"
#include "acl_api/session.h"
#include "acl_api/stream.h"

namespace npu::acl {

// What it is: the stream of a handle, or the wish for the default stream. In
// two steps, since some functions test other arguments in between. A value;
// O(1).
class StreamArgument {
 public:
  // Error: 107017, not NULL and not a live stream.
  static absl::StatusOr<StreamArgument> Find(aclrtStream handle);

  // NULL was given.
  bool is_null() const { return stream_ == nullptr; }

  // The stream to use. Errors: 107002 no current context; 107003 the stream is
  // of another one.
  absl::StatusOr<std::shared_ptr<Stream>> Bind(const Session& session) const;

 private:
  explicit StreamArgument(std::shared_ptr<Stream> stream)
      : stream_(std::move(stream)) {}

  std::shared_ptr<Stream> stream_;
};

// Both steps at once: 107017, 107002, 107003.
absl::StatusOr<std::shared_ptr<Stream>> FindStream(const Session& session,
                                                   aclrtStream handle);

}  // namespace npu::acl

#endif  // ACL_API_STREAM_ARGUMENT_H_
