// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// A pipe of length-prefixed CaseResults between two processes.
#ifndef CONFORMANCE_RUNNER_MESSAGE_PIPE_H_
#define CONFORMANCE_RUNNER_MESSAGE_PIPE_H_

#include "absl/time/time.h"
#include "conformance/runner/report.pb.h"

namespace npu::conformance {

// Owns both ends; after a fork each side closes the one it does not use. One
// reader and one writer, each of one thread.
class MessagePipe {
 public:
  enum class Outcome {
    kMessage,
    kLate,  // nothing came in time
    kEnd,   // the writer is gone
  };

  MessagePipe();
  ~MessagePipe();
  MessagePipe(const MessagePipe&) = delete;
  MessagePipe& operator=(const MessagePipe&) = delete;

  void CloseReader() { Close(&reader_); }
  void CloseWriter() { Close(&writer_); }

  // A write that fails is dropped: the reader sees the end of the pipe.
  void Write(const CaseResult& message);

  // Waits up to `limit` for the whole message.
  Outcome Read(absl::Duration limit, CaseResult* message);

 private:
  static void Close(int* descriptor);
  Outcome ReadBytes(absl::Time deadline, char* bytes, size_t count);

  int reader_ = -1;
  int writer_ = -1;
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_RUNNER_MESSAGE_PIPE_H_
