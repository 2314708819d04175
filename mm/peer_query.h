// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// PeerQuery: what the memory manager must know about peer access.

#ifndef MM_PEER_QUERY_H_
#define MM_PEER_QUERY_H_

#include "hal/api/peer_link.h"

namespace npu::mm {

// What it is: whether a device may reach another one's memory now. Implemented
// where the layers are wired, over p2p; mm and p2p do not know each other.
// Threads: any, the service thread among them: fault path, so neither lock nor
// allocation. Cost: O(1).
class PeerQuery {
 public:
  virtual ~PeerQuery() = default;

  hal::PeerReach MayReach(hal::PeerPair pair) const noexcept {
    return DoMayReach(pair);
  }

 private:
  virtual hal::PeerReach DoMayReach(hal::PeerPair pair) const noexcept = 0;
};

}  // namespace npu::mm

#endif  // MM_PEER_QUERY_H_
