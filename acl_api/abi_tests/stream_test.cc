// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Streams, events and host functions, over the library.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "acl_api/abi_tests/world.h"
#include "gtest/gtest.h"

namespace npu::acl::testing {
namespace {

// A host function that waits until it is let go.
class Gate {
 public:
  static void Wait(void* gate) {
    auto* const self = static_cast<Gate*>(gate);
    self->entered_ = true;
    while (!self->open_) std::this_thread::yield();
  }
  void Open() { open_ = true; }
  void AwaitEntered() {
    while (!entered_) std::this_thread::yield();
  }

 private:
  std::atomic<bool> open_{false};
  std::atomic<bool> entered_{false};
};

void Increment(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

class StreamTest : public World {
 protected:
  static aclrtStream Stream() {
    aclrtStream stream = nullptr;
    EXPECT_DONE(aclrtCreateStream(&stream));
    return stream;
  }
  static aclrtEvent Event() {
    aclrtEvent event = nullptr;
    EXPECT_DONE(aclrtCreateEvent(&event));
    return event;
  }
};

TEST_F(StreamTest, TasksRunInOrder) {
  struct Log {
    std::vector<int> seen;
  } log;
  struct Entry {
    Log* log;
    int number;
  };
  std::vector<Entry> entries;
  for (int i = 0; i < 100; ++i) entries.push_back({&log, i});
  const aclrtStream stream = Stream();
  for (Entry& entry : entries) {
    ASSERT_DONE(aclrtLaunchHostFunc(
        stream,
        [](void* args) {
          auto* const self = static_cast<Entry*>(args);
          self->log->seen.push_back(self->number);
        },
        &entry));
  }
  ASSERT_DONE(aclrtSynchronizeStream(stream));
  ASSERT_EQ(log.seen.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(log.seen[static_cast<size_t>(i)], i);
}

TEST_F(StreamTest, QueryTellsWorkFromNone) {
  const aclrtStream stream = Stream();
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_DONE(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  Gate gate;
  ASSERT_DONE(aclrtLaunchHostFunc(stream, &Gate::Wait, &gate));
  EXPECT_DONE(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.Open();
  ASSERT_DONE(aclrtSynchronizeStream(stream));
  EXPECT_DONE(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status",
               aclrtStreamQuery(stream, nullptr));
}

TEST_F(StreamTest, HandlesAreChecked) {
  const aclrtStream dead = Stream();
  ASSERT_DONE(aclrtDestroyStream(dead));
  int local = 0;
  for (void* bad : {dead, static_cast<void*>(&local),
                    reinterpret_cast<void*>(uintptr_t{1}), Event()}) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
                 aclrtSynchronizeStream(bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
                 aclrtStreamQuery(bad, &status));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
                 aclrtDestroyStream(bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
                 aclrtDestroyStreamForce(bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
                 aclrtLaunchHostFunc(bad, &Increment, &local));
    EXPECT_EQ(status, ACL_STREAM_STATUS_RESERVED);
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtCreateStream(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtDestroyStream(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "fn",
               aclrtLaunchHostFunc(nullptr, nullptr, nullptr));
}

TEST_F(StreamTest, AStreamIsOfItsContext) {
  const aclrtStream stream = Stream();
  aclrtContext other = nullptr;
  ASSERT_DONE(aclrtCreateContext(&other, 1));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "stream",
               aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "stream",
               aclrtDestroyStream(stream));
  std::thread([stream] {
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST_F(StreamTest, DestroyWaitsAndForceDrops) {
  std::atomic<int> ran{0};
  const aclrtStream drained = Stream();
  for (int i = 0; i < 10; ++i) {
    ASSERT_DONE(aclrtLaunchHostFunc(drained, &Increment, &ran));
  }
  ASSERT_DONE(aclrtDestroyStream(drained));
  EXPECT_EQ(ran, 10);

  Gate gate;
  const aclrtStream dropped = Stream();
  ASSERT_DONE(aclrtLaunchHostFunc(dropped, &Gate::Wait, &gate));
  for (int i = 0; i < 10; ++i) {
    ASSERT_DONE(aclrtLaunchHostFunc(dropped, &Increment, &ran));
  }
  gate.AwaitEntered();
  std::thread opener([&gate] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.Open();
  });
  ASSERT_DONE(aclrtDestroyStreamForce(dropped));
  opener.join();
  EXPECT_EQ(ran, 10);
}

TEST_F(StreamTest, AFailedTaskIsToldOnceAndLaterTasksRun) {
  const aclrtStream stream = Stream();
  void* const memory = Managed();
  std::atomic<int> ran{0};
  Gate gate;
  ASSERT_DONE(aclrtLaunchHostFunc(stream, &Gate::Wait, &gate));
  ASSERT_DONE(aclrtMemManagedPrefetchAsync(
      memory, kGranuleBytes, {ACL_MEM_LOCATIONTYPE_DEVICE, 0}, 0, stream));
  ASSERT_DONE(aclrtLaunchHostFunc(stream, &Increment, &ran));
  ASSERT_DONE(aclrtFree(memory));
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(ran, 1);
  EXPECT_DONE(aclrtSynchronizeStream(stream));
}

TEST_F(StreamTest, SynchronizeDeviceWaitsForAllStreams) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 5; ++i) {
    ASSERT_DONE(aclrtLaunchHostFunc(Stream(), &Increment, &ran));
  }
  ASSERT_DONE(aclrtLaunchHostFunc(nullptr, &Increment, &ran));
  EXPECT_DONE(aclrtSynchronizeDevice());
  EXPECT_EQ(ran, 6);
}

TEST_F(StreamTest, AWaitForTheOwnStreamIsRefused) {
  struct Seen {
    aclrtStream stream;
    aclrtContext context;
    std::vector<aclError> codes;
  } seen{Stream(), nullptr, {}};
  ASSERT_DONE(aclrtGetCurrentContext(&seen.context));
  ASSERT_DONE(aclrtLaunchHostFunc(
      seen.stream,
      [](void* args) {
        auto* const self = static_cast<Seen*>(args);
        aclrtSetCurrentContext(self->context);
        self->codes = {aclrtSynchronizeStream(self->stream),
                       aclrtDestroyStream(self->stream),
                       aclrtDestroyStreamForce(self->stream),
                       aclrtSynchronizeDevice(),
                       aclrtResetDevice(0),
                       aclrtResetDeviceForce(0),
                       aclFinalize()};
      },
      &seen));
  ASSERT_DONE(aclrtSynchronizeStream(seen.stream));
  ASSERT_EQ(seen.codes.size(), 7u);
  for (const aclError code : seen.codes) {
    EXPECT_EQ(code, ACL_ERROR_RT_PARAM_INVALID);
  }
}

TEST_F(StreamTest, FinalizeDropsWhatIsQueued) {
  Gate gate;
  std::atomic<int> ran{0};
  const aclrtStream stream = Stream();
  ASSERT_DONE(aclrtLaunchHostFunc(stream, &Gate::Wait, &gate));
  ASSERT_DONE(aclrtLaunchHostFunc(stream, &Increment, &ran));
  gate.AwaitEntered();
  aclrtContext context = nullptr;
  ASSERT_DONE(aclrtGetCurrentContext(&context));
  std::atomic<aclError> waited{0};
  std::thread waiter([&] {
    EXPECT_DONE(aclrtSetCurrentContext(context));
    waited = aclrtSynchronizeStream(stream);
  });
  std::thread opener([&gate] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gate.Open();
  });
  EXPECT_DONE(aclFinalize());
  waiter.join();
  opener.join();
  EXPECT_EQ(ran, 0);
  EXPECT_NE(waited, ACL_SUCCESS);
}

// ----------------------------------------------------------------- events --

TEST_F(StreamTest, AnEventStandsForTheWorkBeforeIt) {
  const aclrtStream stream = Stream();
  const aclrtEvent event = Event();
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_DONE(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);  // never recorded
  Gate gate;
  ASSERT_DONE(aclrtLaunchHostFunc(stream, &Gate::Wait, &gate));
  ASSERT_DONE(aclrtRecordEvent(event, stream));
  EXPECT_DONE(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  gate.Open();
  EXPECT_DONE(aclrtSynchronizeEvent(event));
  EXPECT_DONE(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(StreamTest, AStreamWaitsForAnEvent) {
  const aclrtStream first = Stream();
  const aclrtStream second = Stream();
  const aclrtEvent event = Event();
  Gate gate;
  std::atomic<int> ran{0};
  ASSERT_DONE(aclrtLaunchHostFunc(first, &Gate::Wait, &gate));
  ASSERT_DONE(aclrtRecordEvent(event, first));
  ASSERT_DONE(aclrtStreamWaitEvent(second, event));
  ASSERT_DONE(aclrtLaunchHostFunc(second, &Increment, &ran));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ran, 0);
  // The wait holds what the event stood for when it was enqueued.
  EXPECT_DONE(aclrtDestroyEvent(event));
  gate.Open();
  EXPECT_DONE(aclrtSynchronizeStream(second));
  EXPECT_EQ(ran, 1);
}

TEST_F(StreamTest, EventArgumentsAreChecked) {
  const aclrtEvent dead = Event();
  ASSERT_DONE(aclrtDestroyEvent(dead));
  int local = 0;
  for (void* bad : {dead, static_cast<void*>(&local), Stream()}) {
    auto status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", aclrtDestroyEvent(bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event",
                 aclrtRecordEvent(bad, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event",
                 aclrtStreamWaitEvent(nullptr, bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event",
                 aclrtSynchronizeEvent(bad));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event",
                 aclrtQueryEventStatus(bad, &status));
  }
  const aclrtEvent event = Event();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtCreateEvent(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtDestroyEvent(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event",
               aclrtRecordEvent(nullptr, &local));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event",
               aclrtStreamWaitEvent(&local, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
               aclrtRecordEvent(event, &local));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status",
               aclrtQueryEventStatus(event, nullptr));
}

TEST_F(StreamTest, WaitingForAnEventBehindOneselfIsRefused) {
  struct Seen {
    aclrtEvent event;
    std::atomic<bool> recorded{false};
    aclError code = 0;
  } seen;
  seen.event = Event();
  const aclrtStream stream = Stream();
  ASSERT_DONE(aclrtLaunchHostFunc(
      stream,
      [](void* args) {
        auto* const self = static_cast<Seen*>(args);
        while (!self->recorded) std::this_thread::yield();
        self->code = aclrtSynchronizeEvent(self->event);
      },
      &seen));
  ASSERT_DONE(aclrtRecordEvent(seen.event, stream));
  seen.recorded = true;
  EXPECT_DONE(aclrtSynchronizeStream(stream));
  EXPECT_EQ(seen.code, ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace npu::acl::testing
