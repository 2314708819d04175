// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device/servants.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "hal/emu/device/binaries.h"
#include "hal/emu/device/executor.h"
#include "hal/emu/device/futex.h"

namespace npu::hal::emu {
namespace {

// Serves one mailbox for ever.
template <typename Serve>
void ServeMailbox(Mailbox& box, Serve&& serve) {
  uint32_t served = 0;
  while (true) {
    const uint32_t request = box.request.load(std::memory_order_acquire);
    if (request == served) {
      FutexWait(box.request, served);
      continue;
    }
    box.error = serve(box);
    served = request;
    box.reply.store(request, std::memory_order_release);
    FutexWakeAll(box.reply);
  }
}

void* RangeOf(const Mailbox& box) {
  return reinterpret_cast<void*>(box.address);
}

int Unmap(const Mailbox& box) {
  return madvise(RangeOf(box), box.bytes, MADV_DONTNEED) == 0 ? 0 : errno;
}

int Protect(const Mailbox& box, int protection) {
  return mprotect(RangeOf(box), box.bytes, protection) == 0 ? 0 : errno;
}

int ServeAgent(const Mailbox& box) {
  switch (box.operation) {
    case Operation::kUnmap:
      return Unmap(box);
    case Operation::kForbid:
      return Protect(box, PROT_NONE);
    case Operation::kAllow:
      return Protect(box, PROT_READ | PROT_WRITE);
    default:
      return ENOSYS;
  }
}

void* RunAgent(void* argument) {
  ServeMailbox(static_cast<ControlBlock*>(argument)->agent, ServeAgent);
  return nullptr;
}

// The descriptor that comes with a kLoad; -1 when none does.
int ReceiveDescriptor() {
  char byte = 0;
  struct iovec data = {&byte, 1};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  struct msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof(space);
  if (recvmsg(kSocketFd, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  const struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int fd = -1;
  memcpy(&fd, CMSG_DATA(header), sizeof(fd));
  return fd;
}

int Load(Binaries& binaries, Mailbox& box) {
  const std::string why = binaries.Load(box.id, ReceiveDescriptor());
  if (why.empty()) return 0;
  strncpy(box.text, why.c_str(), sizeof(box.text) - 1);
  return ENOEXEC;
}

int ServeManager(ControlBlock& control, Binaries& binaries, Mailbox& box) {
  switch (box.operation) {
    case Operation::kUnmap:
      return Unmap(box);
    case Operation::kLoad:
      return Load(binaries, box);
    case Operation::kFind:
      box.address = binaries.Find(box.id, box.text);
      return box.address != 0 ? 0 : ENOENT;
    case Operation::kUnload:
      binaries.Unload(box.id);
      return 0;
    case Operation::kStartLane:
      return StartLane(control.lanes[box.id % kMaxLanes]);
    default:
      return ENOSYS;
  }
}

void* RunManager(void* argument) {
  ControlBlock& control = *static_cast<ControlBlock*>(argument);
  Binaries binaries;
  ServeMailbox(control.manager, [&](Mailbox& box) {
    return ServeManager(control, binaries, box);
  });
  return nullptr;
}

// A descriptor of a process is readable when the process has ended; the socket
// hangs up when it has begun another program.
void* RunWatcher(void*) {
  struct pollfd client[] = {{kClientPidFd, POLLIN, 0}, {kSocketFd, 0, 0}};
  while (poll(client, 2, -1) < 0 && errno == EINTR) {
  }
  _exit(0);
}

}  // namespace

int StartServants(ControlBlock& control) {
  for (void* (*const entry)(void*) : {RunWatcher, RunAgent, RunManager}) {
    const int error = StartThread(entry, &control);
    if (error != 0) return error;
  }
  return 0;
}

}  // namespace npu::hal::emu
