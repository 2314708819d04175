// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/message_pipe.h"

#include <thread>

#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

using Outcome = MessagePipe::Outcome;

CaseResult Message(const std::string& name) {
  CaseResult message;
  message.set_name(name);
  return message;
}

TEST(MessagePipeTest, KeepsTheOrder) {
  MessagePipe pipe;
  pipe.Write(Message("a"));
  pipe.Write(Message("b"));
  CaseResult message;
  ASSERT_EQ(pipe.Read(absl::Seconds(5), &message), Outcome::kMessage);
  EXPECT_EQ(message.name(), "a");
  ASSERT_EQ(pipe.Read(absl::Seconds(5), &message), Outcome::kMessage);
  EXPECT_EQ(message.name(), "b");
}

TEST(MessagePipeTest, AnEmptyMessageIsAMessage) {
  MessagePipe pipe;
  pipe.Write(CaseResult());
  CaseResult message;
  EXPECT_EQ(pipe.Read(absl::Seconds(5), &message), Outcome::kMessage);
}

TEST(MessagePipeTest, SaysWhenNothingCame) {
  MessagePipe pipe;
  CaseResult message;
  EXPECT_EQ(pipe.Read(absl::Milliseconds(10), &message), Outcome::kLate);
}

TEST(MessagePipeTest, SaysWhenTheWriterIsGone) {
  MessagePipe pipe;
  pipe.Write(Message("last"));
  pipe.CloseWriter();
  CaseResult message;
  EXPECT_EQ(pipe.Read(absl::Seconds(5), &message), Outcome::kMessage);
  EXPECT_EQ(pipe.Read(absl::Seconds(5), &message), Outcome::kEnd);
}

// More than a pipe holds: both sides go on in turns.
TEST(MessagePipeTest, CarriesLargeMessages) {
  MessagePipe pipe;
  const std::string text(1 << 20, 'x');
  std::thread writer([&] {
    CaseResult message = Message("large");
    message.set_detail(text);
    pipe.Write(message);
  });
  CaseResult message;
  EXPECT_EQ(pipe.Read(absl::Seconds(30), &message), Outcome::kMessage);
  EXPECT_EQ(message.detail(), text);
  writer.join();
}

}  // namespace
}  // namespace npu::conformance
