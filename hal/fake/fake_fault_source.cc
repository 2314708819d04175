// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/fake/fake_fault_source.h"

#include <utility>

namespace npu::hal::fake {

absl::Status FakeFaultSource::DoStart(FaultSinks sinks) {
  if (thread_.joinable()) {
    return absl::FailedPreconditionError("the source runs");
  }
  sinks_ = sinks;
  stopping_ = false;
  thread_ = std::thread([this] { Serve(); });
  return absl::OkStatus();
}

void FakeFaultSource::DoStop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void FakeFaultSource::DoKick() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  kicked_ = true;
  changed_.notify_all();
}

void FakeFaultSource::Serve() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    if (!handed_.empty()) {
      const std::function<void()> work = std::move(handed_.front());
      handed_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    } else if (kicked_) {
      kicked_ = false;
      lock.unlock();
      const WorkState state = sinks_.managed->OnWork();
      lock.lock();
      if (state == WorkState::kMore) kicked_ = true;
    } else {
      changed_.wait(lock);
    }
  }
}

void FakeFaultSource::RunThere(std::function<void()> work) {
  bool done = false;
  std::unique_lock<std::mutex> lock(mutex_);
  handed_.push_back([&] {
    work();
    const std::lock_guard<std::mutex> finished(mutex_);
    done = true;
    changed_.notify_all();
  });
  changed_.notify_all();
  changed_.wait(lock, [&] { return done; });
}

FaultVerdict FakeFaultSource::Raise(const Fault& fault) {
  FaultVerdict verdict = FaultVerdict::kIllegal;
  RunThere([&] { verdict = sinks_.managed->OnFault(fault); });
  return verdict;
}

void FakeFaultSource::LoseNode(DeviceId device) {
  RunThere([&] { sinks_.managed->OnNodeLost(device); });
}

}  // namespace npu::hal::fake
