// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// KernelStore: kernel binaries, their functions and their lanes, over processes
// that come and go.

#ifndef HAL_EMU_KERNEL_STORE_H_
#define HAL_EMU_KERNEL_STORE_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/ranked_mutex.h"
#include "hal/emu/file_descriptor.h"
#include "hal/emu/fleet.h"

namespace npu::hal::emu {

// What it is: the launcher. Owns sealed copies of the binaries, so that a new
// process of a device gets them, whatever became of the files. Threads: any;
// one mutex over the tables, also held while a device loads a binary, looks a
// name up or starts a lane, but not while a kernel runs. Cost: a call is a hop
// between processes; what a device has to be told first, another one each.
class KernelStore final : public KernelLauncher {
 public:
  KernelStore(Fleet& fleet, int32_t device_count);

 private:
  struct Binary {
    uint64_t number;
    FileDescriptor file;
    int running = 0;         // calls, guarded by mutex_
    bool unloading = false;  // guarded by mutex_
  };
  struct Function {
    std::shared_ptr<Binary> binary;
    std::string name;
  };
  // What one incarnation of a device knows.
  struct DeviceState {
    uint64_t incarnation = 0;
    std::weak_ptr<DeviceProcess> process;
    std::map<uint64_t, bool> loaded;  // binaries
    std::map<std::pair<uint64_t, std::string>, uint64_t> addresses;
    std::map<LaneId, uint32_t> lanes;
    std::vector<uint32_t> idle_lanes;  // started, of nobody
    uint32_t lanes_started = 0;
  };
  // A call that can begin.
  struct Run {
    std::shared_ptr<DeviceProcess> process;
    std::shared_ptr<Binary> binary;
    uint64_t address = 0;
    uint32_t lane = 0;
  };

  absl::StatusOr<BinaryId> DoLoad(const std::string& path) override;
  absl::StatusOr<FunctionId> DoFind(BinaryId binary, const std::string& name,
                                    DeviceId device) override;
  absl::Status DoLaunch(const KernelCall& call) override;
  absl::Status DoUnload(BinaryId binary) override;
  void DoReleaseLane(DeviceId device, LaneId lane) override;

  // What the process knows; null when it is not the latest one.
  DeviceState* StateFor(DeviceId device, const Incarnation& now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<uint64_t> AddressIn(DeviceState& state, DeviceProcess& process,
                                     const Function& function)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<uint32_t> LaneIn(DeviceState& state, DeviceProcess& process,
                                  LaneId lane)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A run that has no process when `now` is not the latest one.
  absl::StatusOr<Run> Prepare(const KernelCall& call, const Incarnation& now);

  Fleet& fleet_;
  RankedMutex mutex_{LockRank::kKernels};
  std::condition_variable changed_;
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  std::map<BinaryId, std::shared_ptr<Binary>> binaries_ ABSL_GUARDED_BY(mutex_);
  std::map<FunctionId, Function> functions_ ABSL_GUARDED_BY(mutex_);
  std::vector<DeviceState> devices_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_KERNEL_STORE_H_
