// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Streams, events and contexts, without a driver.

#include "acl_api/stream.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "acl_api/context.h"
#include "acl_api/error_code.h"
#include "acl_api/event.h"
#include "acl_api/handles.h"
#include "gtest/gtest.h"

namespace npu::acl {
namespace {

class StreamParts : public testing::Test {
 protected:
  std::shared_ptr<Stream> Make() {
    auto place = budget_.Take(DeviceId(0));
    EXPECT_TRUE(place.ok());
    return std::make_shared<Stream>(DeviceId(0), *std::move(place), nullptr);
  }

  // A stream whose worker is kept busy until Release.
  std::shared_ptr<Stream> MakeBusy() {
    auto stream = Make();
    EXPECT_TRUE(stream
                    ->Enqueue([this] {
                      while (!released_) std::this_thread::yield();
                      return absl::OkStatus();
                    })
                    .ok());
    return stream;
  }
  void Release() { released_ = true; }
  void TearDown() override {
    Release();
    budget_.CheckInvariants();
  }

  StreamBudget budget_{100};
  std::atomic<bool> released_{false};
};

TEST_F(StreamParts, LanesDiffer) { EXPECT_NE(Make()->lane(), Make()->lane()); }

TEST_F(StreamParts, AFailureIsTakenOnce) {
  const auto stream = Make();
  ASSERT_TRUE(stream->Enqueue([] { return Failure(107000, "x"); }).ok());
  stream->AwaitIdle();  // leaves it where it is
  EXPECT_EQ(CodeOf(stream->Synchronize()), 107000);
  EXPECT_TRUE(stream->Synchronize().ok());
}

TEST_F(StreamParts, ATaskWithoutMemoryIsAFailure) {
  const auto stream = Make();
  ASSERT_TRUE(
      stream->Enqueue([]() -> absl::Status { throw std::bad_alloc(); }).ok());
  EXPECT_EQ(CodeOf(stream->Synchronize()), 200000);
}

TEST_F(StreamParts, EnqueueAndAwaitReturnsWhenTheTaskHasRun) {
  const auto stream = Make();
  bool ran = false;
  ASSERT_TRUE(stream
                  ->EnqueueAndAwait([&ran] {
                    ran = true;
                    return Failure(207001, "kept");
                  })
                  .ok());
  EXPECT_TRUE(ran);
  EXPECT_EQ(CodeOf(stream->Synchronize()), 207001);
}

TEST_F(StreamParts, EnqueueAndAwaitReturnsWhenTheTaskIsDropped) {
  const auto stream = MakeBusy();
  std::thread waiter([&stream] {
    stream->EnqueueAndAwait([] { return absl::OkStatus(); }).IgnoreError();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  stream->Abort();
  Release();
  waiter.join();
}

TEST_F(StreamParts, AnAbortedStreamTakesNoMore) {
  const auto stream = MakeBusy();
  std::atomic<aclError> code{0};
  std::thread waiter([&] { code = CodeOf(stream->Synchronize()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  stream->Abort();
  EXPECT_EQ(CodeOf(stream->Enqueue([] { return absl::OkStatus(); })), 107017);
  Release();
  waiter.join();
  EXPECT_EQ(code, ACL_ERROR_RT_STREAM_ABORT);
}

TEST_F(StreamParts, TheEndKillsTheHandleAndGivesThePlaceBack) {
  auto stream = Make();
  void* const handle = Handles::Get().streams.Insert(stream);
  stream->set_handle(handle);
  EXPECT_EQ(Handles::Get().streams.Find(handle), stream);
  stream->End(StreamEnd::kDrain);
  EXPECT_EQ(Handles::Get().streams.Find(handle), nullptr);
  EXPECT_EQ(CodeOf(stream->Enqueue([] { return absl::OkStatus(); })), 107017);
  stream->End(StreamEnd::kAbort);  // again: nothing
}

TEST_F(StreamParts, OnlyTheOwnTaskIsInside) {
  const auto stream = Make();
  const auto other = Make();
  aclError own = 0;
  aclError others = 0;
  ASSERT_TRUE(stream
                  ->Enqueue([&] {
                    own = CodeOf(CheckMayWaitFor({other, stream}, "it"));
                    others = CodeOf(CheckMayWaitFor({other}, "it"));
                    return absl::OkStatus();
                  })
                  .ok());
  ASSERT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(own, 107000);
  EXPECT_EQ(others, 0);
  EXPECT_TRUE(CheckMayWaitFor({stream, other}, "it").ok());
}

TEST_F(StreamParts, AnEventFollowsItsRecords) {
  Event event;
  EXPECT_TRUE(event.IsComplete());
  const auto busy = MakeBusy();
  ASSERT_TRUE(event.Record(busy).ok());
  EXPECT_FALSE(event.IsComplete());
  const auto other = Make();
  std::atomic<bool> ran{false};
  ASSERT_TRUE(event.MakeWait(other).ok());
  ASSERT_TRUE(other
                  ->Enqueue([&ran] {
                    ran = true;
                    return absl::OkStatus();
                  })
                  .ok());
  EXPECT_FALSE(ran);
  Release();
  EXPECT_TRUE(event.Synchronize().ok());
  EXPECT_TRUE(event.IsComplete());
  EXPECT_TRUE(other->Synchronize().ok());
  EXPECT_TRUE(ran);
}

TEST_F(StreamParts, AnEventOfAnEndedStreamIsOver) {
  Event event;
  auto stream = MakeBusy();
  ASSERT_TRUE(event.Record(stream).ok());
  Release();
  stream->End(StreamEnd::kAbort);
  stream.reset();
  EXPECT_TRUE(event.Synchronize().ok());
  EXPECT_TRUE(event.IsComplete());
}

// ---------------------------------------------------------------- contexts --

TEST_F(StreamParts, AContextOwnsItsStreams) {
  Context context(DeviceId(0), ContextKind::kExplicit, Make());
  const auto stream = Make();
  const auto foreign = Make();
  ASSERT_TRUE(context.Add(stream).ok());
  context.CheckInvariants();
  EXPECT_TRUE(context.Owns(stream.get()));
  EXPECT_TRUE(context.Owns(context.default_stream().get()));
  EXPECT_FALSE(context.Owns(foreign.get()));
  EXPECT_EQ(context.Streams().size(), 2u);
  EXPECT_FALSE(context.Remove(context.default_stream().get()));
  EXPECT_TRUE(context.Remove(stream.get()));
  EXPECT_FALSE(context.Remove(stream.get()));
  context.CheckInvariants();
}

TEST_F(StreamParts, AClosedContextTakesNothing) {
  Context context(DeviceId(0), ContextKind::kExplicit, Make());
  const auto stream = Make();
  ASSERT_TRUE(context.Add(stream).ok());
  EXPECT_TRUE(context.live());
  context.Close(StreamEnd::kDrain);
  context.CheckInvariants();
  EXPECT_FALSE(context.live());
  EXPECT_EQ(CodeOf(context.Add(Make())), 107000);
  EXPECT_EQ(CodeOf(stream->Enqueue([] { return absl::OkStatus(); })), 107017);
}

}  // namespace
}  // namespace npu::acl
