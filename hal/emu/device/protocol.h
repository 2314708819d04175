// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What the client's process and a device's process share: descriptor numbers,
// the control block with its mailboxes, and the first message.
//
// Plain data and atomics only. The two are always built together.

#ifndef HAL_EMU_DEVICE_PROTOCOL_H_
#define HAL_EMU_DEVICE_PROTOCOL_H_

#include <atomic>
#include <cstdint>

namespace npu::hal::emu {

// Descriptors of a device process at its start.
inline constexpr int kControlFd = 3;
inline constexpr int kSocketFd = 4;
inline constexpr int kClientPidFd = 5;
inline constexpr int kManagedFd = 6;
inline constexpr int kFirstSliceFd = 7;

// Streams that can have a lane in one device.
inline constexpr uint32_t kMaxLanes = 4096;
inline constexpr uint32_t kMaxArguments = 16;
inline constexpr uint32_t kTextBytes = 1024;

enum class Operation : uint32_t {
  kUnmap,      // forget the page-table entries of [address, address + bytes)
  kForbid,     // no access to the range: a touch is SIGSEGV
  kAllow,      // undo kForbid
  kLoad,       // binary `id`; its descriptor comes over the socket
  kFind,       // `text` in binary `id`; answers `address`
  kUnload,     // binary `id`
  kStartLane,  // lane `id`, for good
};

// A request and its answer. The client writes the operands, counts `request` up
// and wakes; the device does it, writes the answer, counts `reply` up to the
// same number and wakes. One request at a time.
struct Mailbox {
  std::atomic<uint32_t> request;
  std::atomic<uint32_t> reply;
  Operation operation;
  int32_t error;  // answer: 0, or an errno
  uint64_t id;
  uint64_t address;
  uint64_t bytes;
  char text[kTextBytes];  // operand, or why it failed
};

// A kernel call; the same handshake.
struct Lane {
  std::atomic<uint32_t> request;
  std::atomic<uint32_t> reply;
  uint64_t function;
  uint32_t blocks;
  uint64_t arguments[kMaxArguments];
};

// In shared memory, zero at first.
struct ControlBlock {
  Mailbox agent;    // used by the service thread: page tables, never waits long
  Mailbox manager;  // used by everybody else, one at a time
  Lane lanes[kMaxLanes];
};

// The first message of a device over its socket. With it come the descriptors
// of its userfaultfd (when faults are watched) and of its process.
struct Hello {
  int32_t error;  // 0, or an errno
  char step[60];  // what failed
};

// Arguments of the device program, all decimal.
enum Argument : int {
  kArgumentProgram,
  kArgumentManagedBase,
  kArgumentManagedBytes,
  kArgumentSlicesBase,
  kArgumentSliceBytes,
  kArgumentSliceCount,
  kArgumentWatched,  // 1: faults are watched
  kArgumentCount,
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_PROTOCOL_H_
