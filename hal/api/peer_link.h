// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PeerLink: the ways between devices.

#ifndef HAL_API_PEER_LINK_H_
#define HAL_API_PEER_LINK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "hal/base/address_range.h"
#include "hal/base/node.h"

namespace npu::hal {

// One direction: the memory of `owner`, reached by `accessor`.
struct PeerPair {
  DeviceId owner;
  DeviceId accessor;
};

enum class PeerReach : uint8_t { kUnreachable, kReachable };

// What it is: the topology and the switches of peer access. p2p keeps the table
// of what is enabled; this turns it into page tables. Threads: any. Cost: Reach
// is O(1), Map and Unmap are O(pages). Breaks: both devices exist and differ
// (checked by p2p).
class PeerLink {
 public:
  virtual ~PeerLink() = default;

  PeerReach Reach(PeerPair pair) const { return DoReach(pair); }

  // Switches a direction on. Errors: kNotSupported when there is no way between
  // the two; kOverLimit when the owner has let in as many peers as it can.
  absl::Status Enable(PeerPair pair);

  // Switches it off and drops the accessor's mappings of the owner's memory.
  absl::Status Disable(PeerPair pair) { return DoDisable(pair); }

  // Maps a range inside one live block of the owner at the accessor, so that
  // its first access does not fault. Errors: kInvalidValue when the range is
  // not inside a live block of the owner.
  absl::Status Map(PeerPair pair, AddressRange range) {
    return DoMap(pair, range);
  }

 private:
  virtual PeerReach DoReach(PeerPair pair) const = 0;
  virtual absl::Status DoEnable(PeerPair pair) = 0;
  virtual absl::Status DoDisable(PeerPair pair) = 0;
  virtual absl::Status DoMap(PeerPair pair, AddressRange range) = 0;
};

}  // namespace npu::hal

#endif  // HAL_API_PEER_LINK_H_
