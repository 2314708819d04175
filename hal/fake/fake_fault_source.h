// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// FakeFaultSource: a service thread to which faults are handed by hand.

#ifndef HAL_FAKE_FAKE_FAULT_SOURCE_H_
#define HAL_FAKE_FAKE_FAULT_SOURCE_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "hal/api/fault_source.h"

namespace npu::hal::fake {

// What it is: a real thread, as in production, that does one thing at a time:
// what it was handed, then a piece of posted work. Owns the thread. Threads:
// any.
class FakeFaultSource final : public FaultSource {
 public:
  ~FakeFaultSource() override { DoStop(); }

  // Hands a fault to the sink and waits for the verdict, as the thread that
  // faulted does. kIllegal when the source does not run.
  FaultVerdict Raise(const Fault& fault);
  // The device's process is gone.
  void LoseNode(DeviceId device);

 private:
  absl::Status DoStart(FaultSinks sinks) override;
  void DoStop() override;
  void DoKick() noexcept override;
  void DoAdmit(AddressRange) noexcept override {}
  FaultRung DoRung() const override { return FaultRung::kFull; }

  void Serve();
  // Runs something on the service thread and waits for it.
  void RunThere(std::function<void()> work);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> handed_;
  bool kicked_ = false;
  bool stopping_ = false;
  FaultSinks sinks_;
  std::thread thread_;
};

}  // namespace npu::hal::fake

#endif  // HAL_FAKE_FAKE_FAULT_SOURCE_H_
