// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/kernel_store.h"

#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"
#include "hal/emu/kernel_file.h"

namespace npu::hal::emu {

KernelStore::KernelStore(Fleet& fleet, int32_t device_count) : fleet_(fleet) {
  MutexLock lock(mutex_);
  devices_.resize(static_cast<size_t>(device_count));
}

absl::StatusOr<BinaryId> KernelStore::DoLoad(const std::string& path) {
  NPU_ASSIGN_OR_RETURN(FileDescriptor file, ReadKernelFile(path));
  auto binary = std::make_shared<Binary>();
  binary->file = std::move(file);
  MutexLock lock(mutex_);
  binary->number = next_number_++;
  const BinaryId id(binary->number);
  binaries_[id] = std::move(binary);
  return id;
}

KernelStore::DeviceState* KernelStore::StateFor(DeviceId device,
                                                const Incarnation& now) {
  DeviceState& state = devices_[static_cast<size_t>(device.value())];
  // Another thread knows a later process: what it started there must stay.
  if (now.number < state.incarnation) return nullptr;
  if (now.number > state.incarnation) {
    state = DeviceState();  // a new process knows nothing
    state.incarnation = now.number;
    state.process = now.process;
  }
  return &state;
}

absl::StatusOr<uint64_t> KernelStore::AddressIn(DeviceState& state,
                                                DeviceProcess& process,
                                                const Function& function) {
  const uint64_t binary = function.binary->number;
  const auto known = state.addresses.find({binary, function.name});
  if (known != state.addresses.end()) return known->second;
  if (state.loaded.count(binary) == 0) {
    NPU_RETURN_IF_ERROR(process.Load(binary, function.binary->file.get()));
    state.loaded[binary] = true;
  }
  NPU_ASSIGN_OR_RETURN(const uint64_t address,
                       process.Find(binary, function.name));
  state.addresses[{binary, function.name}] = address;
  return address;
}

absl::StatusOr<FunctionId> KernelStore::DoFind(BinaryId binary,
                                               const std::string& name,
                                               DeviceId device) {
  while (true) {
    NPU_ASSIGN_OR_RETURN(const Incarnation now, fleet_.Ready(device));
    MutexLock lock(mutex_);
    const auto found = binaries_.find(binary);
    if (found == binaries_.end() || found->second->unloading) {
      return DriverError(DriverCode::kInvalidHandle,
                         "the kernel binary is not loaded");
    }
    DeviceState* const state = StateFor(device, now);
    if (state == nullptr) continue;
    const Function function = {found->second, name};
    NPU_RETURN_IF_ERROR(AddressIn(*state, *now.process, function).status());
    const FunctionId id(next_number_++);
    functions_[id] = function;
    return id;
  }
}

absl::StatusOr<uint32_t> KernelStore::LaneIn(DeviceState& state,
                                             DeviceProcess& process,
                                             LaneId lane) {
  const auto known = state.lanes.find(lane);
  if (known != state.lanes.end()) return known->second;
  uint32_t number = state.lanes_started;
  if (!state.idle_lanes.empty()) {
    number = state.idle_lanes.back();
    state.idle_lanes.pop_back();
  } else {
    if (number >= kMaxLanes) {
      return DriverError(DriverCode::kNoResources,
                         "the device has no lane left");
    }
    NPU_RETURN_IF_ERROR(process.StartLane(number));
    ++state.lanes_started;
  }
  state.lanes[lane] = number;
  return number;
}

absl::StatusOr<KernelStore::Run> KernelStore::Prepare(const KernelCall& call,
                                                      const Incarnation& now) {
  MutexLock lock(mutex_);
  const auto found = functions_.find(call.function);
  if (found == functions_.end() || found->second.binary->unloading) {
    return DriverError(DriverCode::kInvalidHandle,
                       "the function's binary is not loaded");
  }
  DeviceState* const state = StateFor(call.device, now);
  if (state == nullptr) return Run();
  Run run;
  NPU_ASSIGN_OR_RETURN(run.address,
                       AddressIn(*state, *now.process, found->second));
  NPU_ASSIGN_OR_RETURN(run.lane, LaneIn(*state, *now.process, call.lane));
  run.process = now.process;
  run.binary = found->second.binary;
  ++run.binary->running;
  return run;
}

absl::Status KernelStore::DoLaunch(const KernelCall& call) {
  Run run;
  while (run.process == nullptr) {
    NPU_ASSIGN_OR_RETURN(const Incarnation now, fleet_.Ready(call.device));
    NPU_ASSIGN_OR_RETURN(run, Prepare(call, now));
  }
  absl::Status status = run.process->Call(run.lane, run.address, call.blocks,
                                          call.arguments.words.data());
  MutexLock lock(mutex_);
  --run.binary->running;
  changed_.notify_all();
  return status;
}

absl::Status KernelStore::DoUnload(BinaryId id) {
  MutexLock lock(mutex_);
  const auto found = binaries_.find(id);
  if (found == binaries_.end() || found->second->unloading) {
    return DriverError(DriverCode::kInvalidHandle,
                       "the kernel binary is not loaded");
  }
  const std::shared_ptr<Binary> binary = found->second;
  binary->unloading = true;
  while (binary->running > 0) lock.Wait(changed_);
  for (auto function = functions_.begin(); function != functions_.end();) {
    function = function->second.binary == binary ? functions_.erase(function)
                                                 : std::next(function);
  }
  binaries_.erase(id);
  for (DeviceState& state : devices_) {
    if (state.loaded.erase(binary->number) == 0) continue;
    for (auto address = state.addresses.begin();
         address != state.addresses.end();) {
      address = address->first.first == binary->number
                    ? state.addresses.erase(address)
                    : std::next(address);
    }
    // A process that died meanwhile has forgotten it, too.
    const std::shared_ptr<DeviceProcess> process = state.process.lock();
    if (process != nullptr) process->Unload(binary->number).IgnoreError();
  }
  return absl::OkStatus();
}

void KernelStore::DoReleaseLane(DeviceId device, LaneId lane) {
  MutexLock lock(mutex_);
  DeviceState& state = devices_[static_cast<size_t>(device.value())];
  const auto known = state.lanes.find(lane);
  if (known == state.lanes.end()) return;
  state.idle_lanes.push_back(known->second);
  state.lanes.erase(known);
}

}  // namespace npu::hal::emu
