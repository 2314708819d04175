// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/message_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/time/clock.h"

namespace npu::conformance {

MessagePipe::MessagePipe() {
  int ends[2] = {-1, -1};
  // Closed by exec: programs that the library starts do not keep the writer.
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  reader_ = ends[0];
  writer_ = ends[1];
}

MessagePipe::~MessagePipe() {
  CloseReader();
  CloseWriter();
}

void MessagePipe::Close(int* descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

void MessagePipe::Write(const CaseResult& message) {
  const std::string body = message.SerializeAsString();
  const uint32_t size = static_cast<uint32_t>(body.size());
  std::string bytes(sizeof(size), '\0');
  std::memcpy(&bytes[0], &size, sizeof(size));
  bytes += body;
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t n =
        write(writer_, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    written += static_cast<size_t>(n);
  }
}

MessagePipe::Outcome MessagePipe::ReadBytes(absl::Time deadline, char* bytes,
                                            size_t count) {
  size_t have = 0;
  while (have < count) {
    const absl::Duration left =
        std::max(deadline - absl::Now(), absl::ZeroDuration());
    pollfd ready = {reader_, POLLIN, 0};
    const int polled =
        poll(&ready, 1, static_cast<int>(absl::ToInt64Milliseconds(left)));
    if (polled < 0 && errno == EINTR) continue;
    if (polled == 0) return Outcome::kLate;
    const ssize_t n = read(reader_, bytes + have, count - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Outcome::kEnd;
    have += static_cast<size_t>(n);
  }
  return Outcome::kMessage;
}

MessagePipe::Outcome MessagePipe::Read(absl::Duration limit,
                                       CaseResult* message) {
  const absl::Time deadline = absl::Now() + limit;
  uint32_t size = 0;
  char prefix[sizeof(size)];
  Outcome outcome = ReadBytes(deadline, prefix, sizeof(prefix));
  if (outcome != Outcome::kMessage) return outcome;
  std::memcpy(&size, prefix, sizeof(size));
  std::string body(size, '\0');
  outcome = ReadBytes(deadline, &body[0], body.size());
  if (outcome != Outcome::kMessage) return outcome;
  return message->ParseFromString(body) ? Outcome::kMessage : Outcome::kEnd;
}

}  // namespace npu::conformance
