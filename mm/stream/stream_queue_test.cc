// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/stream/stream_queue.h"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu::mm {
namespace {

using testing::ElementsAre;

// Holds a stream up until it is opened.
class Gate {
 public:
  StreamQueue::Task Task() {
    return [this] {
      record_.Await();
      return absl::OkStatus();
    };
  }
  void Open() { record_.Reach(); }

 private:
  EventRecord record_;
};

StreamQueue::Task Failing(absl::Status status) {
  return [status = std::move(status)] { return status; };
}

TEST(StreamQueueTest, RunsTasksInTheirOrder) {
  StreamQueue stream;
  std::vector<int> seen;
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(stream.Enqueue([&seen, i] {
      seen.push_back(i);
      return absl::OkStatus();
    }),
                IsOk());
    stream.CheckInvariants();
  }
  EXPECT_THAT(stream.Synchronize(), IsOk());
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(stream.Query(), StreamProgress::kIdle);
}

TEST(StreamQueueTest, AnEmptyStreamIsIdleAndSynchronizesAtOnce) {
  StreamQueue stream;
  EXPECT_EQ(stream.Query(), StreamProgress::kIdle);
  EXPECT_THAT(stream.Synchronize(), IsOk());
  EXPECT_THAT(stream.End(StreamEnd::kDrain), IsOk());
}

TEST(StreamQueueTest, TheFirstFailureIsToldOnceAndLaterTasksRun) {
  StreamQueue stream;
  bool ran = false;
  ASSERT_THAT(stream.Enqueue(Failing(absl::AbortedError("first"))), IsOk());
  ASSERT_THAT(stream.Enqueue(Failing(absl::InternalError("second"))), IsOk());
  ASSERT_THAT(stream.Enqueue([&] {
    ran = true;
    return absl::OkStatus();
  }),
              IsOk());
  EXPECT_THAT(stream.Synchronize(),
              StatusIs(absl::StatusCode::kAborted, "first"));
  EXPECT_TRUE(ran);
  EXPECT_THAT(stream.Synchronize(), IsOk());
  stream.KeepFailure(absl::UnavailableError("outside"));
  EXPECT_THAT(stream.Synchronize(), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(StreamQueueTest, AbortDropsWhatDidNotBegin) {
  StreamQueue stream;
  Gate gate;
  bool ran = false;
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = held;
  ASSERT_THAT(stream.Enqueue(gate.Task()), IsOk());
  ASSERT_THAT(stream.Enqueue([&ran, held = std::move(held)] {
    ran = *held == 1;
    return absl::OkStatus();
  }),
              IsOk());
  Event event;
  ASSERT_THAT(stream.Record(event), IsOk());
  EXPECT_EQ(event.Query(), EventProgress::kPending);
  // The worker may not have taken the gate yet: then it is dropped, too.
  stream.Abort();
  stream.CheckInvariants();
  EXPECT_TRUE(watched.expired());
  event.Synchronize();  // its waiters are let go
  gate.Open();
  EXPECT_THAT(stream.Synchronize(), IsOk());
  EXPECT_FALSE(ran);
}

TEST(StreamQueueTest, EndDrainsOrAborts) {
  for (const StreamEnd how : {StreamEnd::kDrain, StreamEnd::kAbort}) {
    StreamQueue stream;
    Gate gate;
    std::atomic<bool> begun{false};
    std::atomic<bool> ran{false};
    ASSERT_THAT(stream.Enqueue([&, task = gate.Task()]() mutable {
      begun.store(true);
      return task();
    }),
                IsOk());
    ASSERT_THAT(stream.Enqueue([&] {
      ran.store(true);
      return absl::OkStatus();
    }),
                IsOk());
    while (!begun.load()) std::this_thread::yield();
    // Opens once the stream takes no more: what was to be dropped is then.
    std::thread opener([&] {
      while (stream.WaitFor(Event()).ok()) std::this_thread::yield();
      gate.Open();
    });
    EXPECT_THAT(stream.End(how), IsOk());
    opener.join();
    EXPECT_EQ(ran.load(), how == StreamEnd::kDrain);
    EXPECT_THAT(stream.Enqueue(Failing(absl::OkStatus())),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(stream.End(how), IsOk());  // again
  }
}

TEST(StreamQueueTest, ATaskCannotWaitForItsOwnStream) {
  StreamQueue stream;
  StreamQueue other;
  absl::Status own;
  absl::Status others;
  absl::Status end;
  ASSERT_THAT(stream.Enqueue([&] {
    own = stream.Synchronize();
    others = other.Synchronize();
    end = stream.End(StreamEnd::kDrain);
    EXPECT_EQ(stream.IsInside(), StreamQueue::Inside::kYes);
    EXPECT_EQ(other.IsInside(), StreamQueue::Inside::kNo);
    return absl::OkStatus();
  }),
              IsOk());
  EXPECT_THAT(stream.Synchronize(), IsOk());
  EXPECT_THAT(own, StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(others, IsOk());
  EXPECT_THAT(end, StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(StreamQueue::IsInsideAny(), StreamQueue::Inside::kNo);
}

TEST(StreamQueueTest, ATaskMayEnqueueOnItsOwnStream) {
  StreamQueue stream;
  std::atomic<int> ran{0};
  ASSERT_THAT(stream.Enqueue([&] {
    ++ran;
    return stream.Enqueue([&] {
      ++ran;
      return absl::OkStatus();
    });
  }),
              IsOk());
  EXPECT_THAT(stream.End(StreamEnd::kDrain), IsOk());
  EXPECT_GE(ran.load(), 1);
}

// --- events

TEST(EventTest, AnEventThatWasNeverRecordedIsReached) {
  Event event;
  EXPECT_EQ(event.Query(), EventProgress::kReached);
  event.Synchronize();
  StreamQueue stream;
  EXPECT_THAT(stream.WaitFor(event), IsOk());
  EXPECT_THAT(stream.Synchronize(), IsOk());
}

TEST(EventTest, OneStreamWaitsForAnother) {
  StreamQueue first;
  StreamQueue second;
  Gate gate;
  Event event;
  std::atomic<int> order{0};
  int first_at = 0;
  int second_at = 0;
  ASSERT_THAT(first.Enqueue(gate.Task()), IsOk());
  ASSERT_THAT(first.Enqueue([&] {
    first_at = ++order;
    return absl::OkStatus();
  }),
              IsOk());
  ASSERT_THAT(first.Record(event), IsOk());
  ASSERT_THAT(second.WaitFor(event), IsOk());
  ASSERT_THAT(second.Enqueue([&] {
    second_at = ++order;
    return absl::OkStatus();
  }),
              IsOk());
  EXPECT_EQ(second.Query(), StreamProgress::kBusy);
  gate.Open();
  EXPECT_THAT(second.Synchronize(), IsOk());
  EXPECT_EQ(first_at, 1);
  EXPECT_EQ(second_at, 2);
}

TEST(EventTest, AWaitMeansTheRecordOfItsTime) {
  StreamQueue quick;
  StreamQueue slow;
  StreamQueue waiter;
  Gate gate;
  Event event;
  ASSERT_THAT(quick.Record(event), IsOk());
  ASSERT_THAT(waiter.WaitFor(event), IsOk());
  ASSERT_THAT(slow.Enqueue(gate.Task()), IsOk());
  ASSERT_THAT(slow.Record(event), IsOk());  // the same event, anew
  EXPECT_THAT(waiter.Synchronize(), IsOk());
  EXPECT_EQ(event.Query(), EventProgress::kPending);
  gate.Open();
  event.Synchronize();
}

TEST(EventTest, MayBeDestroyedWhileOthersWait) {
  StreamQueue first;
  StreamQueue second;
  Gate gate;
  ASSERT_THAT(first.Enqueue(gate.Task()), IsOk());
  {
    Event event;
    ASSERT_THAT(first.Record(event), IsOk());
    ASSERT_THAT(second.WaitFor(event), IsOk());
  }
  gate.Open();
  EXPECT_THAT(second.Synchronize(), IsOk());
}

TEST(EventTest, ARecordOnAnEndedStreamHoldsNobodyUp) {
  StreamQueue stream;
  EXPECT_THAT(stream.End(StreamEnd::kDrain), IsOk());
  Event event;
  EXPECT_THAT(stream.Record(event),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  event.Synchronize();
}

TEST(StreamQueueTest, ManyThreadsShareManyStreams) {
  constexpr int kStreams = 4;
  std::vector<std::unique_ptr<StreamQueue>> streams;
  for (int i = 0; i < kStreams; ++i) {
    streams.push_back(std::make_unique<StreamQueue>());
  }
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        StreamQueue& stream = *streams[static_cast<size_t>((t + i) % kStreams)];
        ASSERT_THAT(stream.Enqueue([&] {
          ++ran;
          return absl::OkStatus();
        }),
                    IsOk());
        if (i % 50 == 0) {
          ASSERT_THAT(stream.Synchronize(), IsOk());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& stream : streams) {
    EXPECT_THAT(stream->End(StreamEnd::kDrain), IsOk());
    stream->CheckInvariants();
  }
  EXPECT_EQ(ran.load(), 1200);
}

}  // namespace
}  // namespace npu::mm
