// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"
#include "hal/emu/device/futex.h"
#include "hal/emu/device_image.h"
#include "hal/emu/spawn.h"

namespace npu::hal::emu {
namespace {

constexpr int kGreetingMilliseconds = 20000;
constexpr std::chrono::nanoseconds kAgentPatience(20000000);
// Waiters look up now and then, should a wake be lost with the process.
constexpr int64_t kLookNanoseconds = 100000000;

absl::Status Failed(absl::string_view step, int error) {
  return DriverError(
      DriverCode::kNoDevice,
      absl::StrCat("cannot start a device: ", step, ": ", strerror(error)));
}

absl::Status Crashed() {
  return KernelExceptionError("the device's process ended");
}

std::vector<std::string> ArgumentsOf(const AddressSpace& space,
                                     int32_t device_count, Watch watch) {
  const WindowLayout& layout = space.layout();
  return {"npu-device",
          absl::StrCat(layout.managed.begin().value()),
          absl::StrCat(layout.managed.size().bytes()),
          absl::StrCat(layout.devices.begin().value()),
          absl::StrCat(layout.slice.bytes()),
          absl::StrCat(device_count),
          watch == Watch::kWatched ? "1" : "0"};
}

}  // namespace

absl::StatusOr<std::shared_ptr<DeviceProcess>> DeviceProcess::Start(
    const AddressSpace& space, int32_t device_count, Watch watch) {
  std::shared_ptr<DeviceProcess> process(new DeviceProcess());
  const FileDescriptor control(memfd_create("npu-control", MFD_CLOEXEC));
  if (!control.valid() || ftruncate(control.get(), sizeof(ControlBlock)) != 0) {
    return Failed("make the control block", errno);
  }
  void* const block =
      mmap(nullptr, sizeof(ControlBlock), PROT_READ | PROT_WRITE, MAP_SHARED,
           control.get(), 0);
  if (block == MAP_FAILED) return Failed("map the control block", errno);
  madvise(block, sizeof(ControlBlock), MADV_DONTFORK);
  process->control_ = static_cast<ControlBlock*>(block);

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return Failed("make a socket", errno);
  }
  process->socket_ = FileDescriptor(ends[0]);
  const FileDescriptor other_end(ends[1]);
  const FileDescriptor client(
      static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
  if (!client.valid()) return Failed("open a process descriptor", errno);
  NPU_ASSIGN_OR_RETURN(const FileDescriptor image, OpenDeviceImage());

  SpawnPlan plan;
  plan.image = image.get();
  plan.arguments = ArgumentsOf(space, device_count, watch);
  plan.descriptors = {control.get(), other_end.get(), client.get(),
                      space.managed_fd()};
  for (int32_t d = 0; d < device_count; ++d) {
    plan.descriptors.push_back(space.slice_fd(DeviceId(d)));
  }
  NPU_RETURN_IF_ERROR(SpawnDetached(plan));
  NPU_RETURN_IF_ERROR(process->Greet());
  if (watch == Watch::kWatched && !process->userfault_.valid()) {
    return Failed("receive its userfaultfd", EPROTO);
  }
  return process;
}

absl::Status DeviceProcess::Greet() {
  struct pollfd readable = {socket_.get(), POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&readable, 1, kGreetingMilliseconds);
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) return Failed("hear from it", ready == 0 ? ETIMEDOUT : errno);

  int fds[2] = {-1, -1};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(fds))] = {};
  Hello hello = {};
  struct iovec data = {&hello, sizeof(hello)};
  struct msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof(space);
  const ssize_t got = recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC);
  if (got != static_cast<ssize_t>(sizeof(hello))) {
    return Failed("hear from it", got < 0 ? errno : ECONNRESET);
  }
  const struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    memcpy(fds, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  }
  process_ = FileDescriptor(fds[0]);
  userfault_ = Userfault(FileDescriptor(fds[1]));
  hello.step[sizeof(hello.step) - 1] = '\0';
  if (hello.error != 0) return Failed(hello.step, hello.error);
  if (!process_.valid()) return Failed("receive its descriptor", EPROTO);
  return absl::OkStatus();
}

DeviceProcess::~DeviceProcess() {
  Kill();
  if (process_.valid()) {
    // Its memory, which is ours, too, must not be in use any more.
    struct pollfd ended = {process_.get(), POLLIN, 0};
    while (poll(&ended, 1, -1) < 0 && errno == EINTR) {
    }
  }
  if (control_ != nullptr) munmap(control_, sizeof(ControlBlock));
}

void DeviceProcess::Kill() noexcept {
  if (process_.valid()) {
    syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
  }
}

bool DeviceProcess::HasEnded() const noexcept {
  struct pollfd ended = {process_.get(), POLLIN, 0};
  return poll(&ended, 1, 0) > 0;
}

void DeviceProcess::SetGone() noexcept {
  gone_.store(true, std::memory_order_release);
  FutexWakeAll(control_->manager.reply);
  for (Lane& lane : control_->lanes) {
    // Lanes that were never used need no wake; the pages stay untouched.
    if (lane.request.load(std::memory_order_relaxed) == 0) break;
    FutexWakeAll(lane.reply);
  }
}

AgentOutcome DeviceProcess::Order(Operation operation,
                                  AddressRange range) noexcept {
  Mailbox& box = control_->agent;
  const uint32_t last = box.request.load(std::memory_order_relaxed);
  if (box.reply.load(std::memory_order_acquire) != last) {
    return gone() ? AgentOutcome::kGone : AgentOutcome::kLate;
  }
  box.operation = operation;
  box.address = range.begin().value();
  box.bytes = range.size().bytes();
  box.request.store(last + 1, std::memory_order_release);
  FutexWakeAll(box.request);
  const auto deadline = std::chrono::steady_clock::now() + kAgentPatience;
  while (box.reply.load(std::memory_order_acquire) != last + 1) {
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) {
      return HasEnded() ? AgentOutcome::kGone : AgentOutcome::kLate;
    }
    FutexWait(box.reply, last, left.count());
  }
  return AgentOutcome::kDone;
}

bool DeviceProcess::AwaitReply(std::atomic<uint32_t>& reply,
                               uint32_t request) const {
  while (true) {
    const uint32_t now = reply.load(std::memory_order_acquire);
    if (now == request) return true;
    if (gone() || HasEnded()) return false;
    FutexWait(reply, now, kLookNanoseconds);
  }
}

absl::Status DeviceProcess::AskLocked(Operation operation, uint64_t id) {
  Mailbox& box = control_->manager;
  const uint32_t request = box.request.load(std::memory_order_relaxed) + 1;
  // An answer that never came leaves the mailbox to a dead process.
  if (box.reply.load(std::memory_order_acquire) != request - 1) {
    return Crashed();
  }
  box.operation = operation;
  box.id = id;
  box.request.store(request, std::memory_order_release);
  FutexWakeAll(box.request);
  if (!AwaitReply(box.reply, request)) return Crashed();
  if (box.error == 0) return absl::OkStatus();
  box.text[sizeof(box.text) - 1] = '\0';
  return operation == Operation::kFind
             ? absl::NotFoundError(absl::StrCat("no function ", box.text))
             : DriverError(DriverCode::kInvalidValue,
                           operation == Operation::kLoad ? std::string(box.text)
                                                         : strerror(box.error));
}

absl::Status DeviceProcess::SendDescriptor(int fd) {
  char byte = 0;
  struct iovec data = {&byte, 1};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  struct msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof(space);
  struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &fd, sizeof(fd));
  if (sendmsg(socket_.get(), &message, MSG_NOSIGNAL) == 1) {
    return absl::OkStatus();
  }
  return Crashed();
}

absl::Status DeviceProcess::Load(uint64_t binary, int fd) {
  MutexLock lock(mutex_);
  NPU_RETURN_IF_ERROR(SendDescriptor(fd));
  return AskLocked(Operation::kLoad, binary);
}

absl::StatusOr<uint64_t> DeviceProcess::Find(uint64_t binary,
                                             const std::string& name) {
  MutexLock lock(mutex_);
  if (name.size() >= kTextBytes) {
    return absl::NotFoundError("no function of so long a name");
  }
  memcpy(control_->manager.text, name.c_str(), name.size() + 1);
  NPU_RETURN_IF_ERROR(AskLocked(Operation::kFind, binary));
  return control_->manager.address;
}

absl::Status DeviceProcess::Unload(uint64_t binary) {
  MutexLock lock(mutex_);
  return AskLocked(Operation::kUnload, binary);
}

absl::Status DeviceProcess::StartLane(uint32_t lane) {
  MutexLock lock(mutex_);
  absl::Status status = AskLocked(Operation::kStartLane, lane);
  if (status.ok() || IsKernelException(status)) return status;
  return DriverError(
      DriverCode::kNoResources,
      absl::StrCat("no thread in the device: ", status.message()));
}

absl::Status DeviceProcess::Unmap(AddressRange range) {
  MutexLock lock(mutex_);
  control_->manager.address = range.begin().value();
  control_->manager.bytes = range.size().bytes();
  return AskLocked(Operation::kUnmap, 0);
}

absl::Status DeviceProcess::Call(uint32_t lane_number, uint64_t function,
                                 uint32_t blocks, const uint64_t* arguments) {
  Lane& lane = control_->lanes[lane_number];
  lane.function = function;
  lane.blocks = blocks;
  std::copy(arguments, arguments + kMaxArguments, lane.arguments);
  const uint32_t request = lane.request.load(std::memory_order_relaxed) + 1;
  lane.request.store(request, std::memory_order_release);
  FutexWakeAll(lane.request);
  return AwaitReply(lane.reply, request) ? absl::OkStatus() : Crashed();
}

}  // namespace npu::hal::emu
