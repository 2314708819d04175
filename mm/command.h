// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Command: what API threads and stream workers ask of the pager.

#ifndef MM_COMMAND_H_
#define MM_COMMAND_H_

#include <cstdint>

#include "hal/api/location.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"

namespace npu::mm {

enum class CommandKind : uint8_t {
  kSetReadMostly,
  kUnsetReadMostly,  // location: where the copy stays
  kSetPreferred,     // location
  kUnsetPreferred,
  kSetAccessedBy,    // location
  kUnsetAccessedBy,  // location
  kNotePrefetch,     // location: the attribute only
  kPrefetch,         // location, generation
  kPrepareRead,      // location: where untouched granules go
  kPrepareWrite,     // location, and read mostly ends
  kAdmit,            // a new allocation, before anybody has its address
  kDiscard,          // a dead allocation
  kEvacuate,         // location: the device; the whole window
  kForgetPeer,       // location: the accessor; owner: whose memory
};

// Whether the range must still be the allocation it was when the command was
// made.
inline constexpr uint64_t kAnyGeneration = 0;

struct Command {
  CommandKind kind;
  GranuleRange range;
  hal::Location location = hal::Location::None();
  uint64_t generation = kAnyGeneration;
  NodeId owner = NodeId::Host();
};

enum class CommandResult : uint8_t {
  kDone,
  kDead,      // an allocation of the range was freed
  kRefused,   // the rules of the advice forbid it: nothing was changed
  kNoMemory,  // no room, in the budget or at the node
  kFailed,    // the driver refused
  kStopped,   // the pager does not run
};

}  // namespace npu::mm

#endif  // MM_COMMAND_H_
