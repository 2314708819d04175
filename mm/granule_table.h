// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// GranuleTable: the only truth about residency, one entry per granule.

#ifndef MM_GRANULE_TABLE_H_
#define MM_GRANULE_TABLE_H_

#include <atomic>
#include <cstdint>
#include <ostream>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/api/managed_query.h"
#include "hal/base/granule.h"
#include "hal/base/node.h"
#include "hal/base/paged_array.h"
#include "mm/residency.h"

namespace npu::mm {

// What is known of one granule.
struct GranuleState {
  ResidencyState residency = ResidencyState::kUnpopulated;
  NodeId owner;     // whose memory it is; meaningless when unpopulated
  NodeSet holders;  // nodes with a mapping
  hal::ReadMostly read_mostly = hal::ReadMostly::kNo;
  NodeSet accessors;  // by advice

  bool populated() const { return residency != ResidencyState::kUnpopulated; }
  bool is_read_mostly() const { return read_mostly == hal::ReadMostly::kYes; }

  friend bool operator==(const GranuleState& a, const GranuleState& b) {
    return a.residency == b.residency && a.owner == b.owner &&
           a.holders == b.holders && a.read_mostly == b.read_mostly &&
           a.accessors == b.accessors;
  }
  friend std::ostream& operator<<(std::ostream& out, const GranuleState& state);
};

// Whether residency, owner, holders and read mostly can stand together; see
// ResidencyState for what each state promises.
void CheckInvariants(const GranuleState& state);

// What it is: 24 bytes per granule, committed as touched. Owns them. Threads:
// one writer (the pager, on the fault path); any number of readers, who get a
// consistent entry and never hold the writer up. Cost: O(1). Breaks: a second
// writer.
class GranuleTable {
 public:
  // Error: kOutOfMemory.
  static absl::StatusOr<GranuleTable> Make(uint32_t granules);

  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

  // Anybody's reading.
  GranuleState Read(GranuleIndex granule) const;
  // The writer's reading, which cannot be torn.
  GranuleState ReadOwn(GranuleIndex granule) const;
  void Write(GranuleIndex granule, const GranuleState& state);

 private:
  // `word` packs all but the device bits; its upper half is a version that is
  // odd while the entry is being written.
  struct Entry {
    std::atomic<uint64_t> word;
    std::atomic<uint64_t> device_holders;
    std::atomic<uint64_t> device_accessors;
  };

  explicit GranuleTable(PagedArray<Entry> entries)
      : entries_(std::move(entries)) {}

  static GranuleState Unpack(uint64_t word, const Entry& entry);

  PagedArray<Entry> entries_;
};

}  // namespace npu::mm

#endif  // MM_GRANULE_TABLE_H_
