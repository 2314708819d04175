// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/fake/fake_residency.h"

#include <sstream>
#include <utility>

namespace npu::hal::fake {

FakeResidency::FakeResidency(GranuleWindow window, int32_t device_count,
                             FakeCapacity capacity)
    : PageResidency(window),
      device_count_(device_count),
      capacity_(capacity),
      granules_(window.granule_count()) {}

void FakeResidency::Expect(bool holds, const char* rule, GranuleIndex granule) {
  if (holds) return;
  std::ostringstream text;
  text << "granule " << granule << ": " << rule;
  violations_.push_back(text.str());
}

PageOutcome FakeResidency::Enter(const char* method, GranuleIndex granule) {
  Hook hook;
  uint64_t number = 0;
  PageOutcome outcome = PageOutcome::kDone;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    number = ++calls_[method];
    hook = hook_;
    for (const FakeFailure& failure : failures_) {
      if (failure.method == method && number >= failure.first &&
          number - failure.first < failure.count) {
        outcome = failure.outcome;
      }
    }
  }
  if (hook) hook(method, granule);
  return outcome;
}

uint64_t FakeResidency::UsedBy(NodeId node) const {
  uint64_t used = 0;
  for (const Granule& granule : granules_) {
    if (CellOf(granule, node).charged) used += kGranule.bytes();
  }
  return used;
}

PageOutcome FakeResidency::Charge(Granule& granule, NodeId node) {
  Cell& cell = CellOf(granule, node);
  if (!cell.charged && node.is_device() &&
      UsedBy(node) + kGranule.bytes() > capacity_.device.bytes()) {
    return PageOutcome::kNoSpace;
  }
  cell.charged = true;
  return PageOutcome::kDone;
}

PageOutcome FakeResidency::DoPopulate(GranuleIndex index,
                                      NodeId node) noexcept {
  const PageOutcome ordered = Enter("Populate", index);
  if (ordered != PageOutcome::kDone) return ordered;
  const MemoryCapacity physical = PhysicalCapacity();
  const std::lock_guard<std::mutex> lock(mutex_);
  Granule& granule = At(index);
  Expect(!granule.populated, "Populate of a populated granule", index);
  if (physical.free < kGranule) return PageOutcome::kNoMemory;
  const PageOutcome charged = Charge(granule, node);
  if (charged != PageOutcome::kDone) return charged;
  granule.populated = true;
  granule.owner = node;
  CellOf(granule, node).word = 0;
  CellOf(granule, node).rights = Rights::kWrite;
  return PageOutcome::kDone;
}

PageOutcome FakeResidency::MakeOnlyCopy(GranuleIndex index, NodeId node) {
  Granule& granule = At(index);
  Expect(granule.populated, "a move of an unpopulated granule", index);
  const PageOutcome charged = Charge(granule, node);
  if (charged != PageOutcome::kDone) return charged;
  const uint64_t word = CellOf(granule, granule.owner).word;
  for (Cell& cell : granule.cells) {
    const bool keeps = &cell == &CellOf(granule, node);
    if (!keeps) cell = Cell();
  }
  Cell& cell = CellOf(granule, node);
  cell.word = word;
  cell.rights = Rights::kWrite;
  cell.remote = false;
  granule.owner = node;
  return PageOutcome::kDone;
}

PageOutcome FakeResidency::DoTransfer(GranuleIndex index,
                                      NodeId node) noexcept {
  const PageOutcome ordered = Enter("Transfer", index);
  if (ordered != PageOutcome::kDone) return ordered;
  const std::lock_guard<std::mutex> lock(mutex_);
  return MakeOnlyCopy(index, node);
}

PageOutcome FakeResidency::DoCollapse(GranuleIndex index,
                                      NodeId node) noexcept {
  const PageOutcome ordered = Enter("Collapse", index);
  if (ordered != PageOutcome::kDone) return ordered;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Cell& cell : At(index).cells) {
    Expect(cell.rights != Rights::kWrite, "Collapse of writable copies", index);
  }
  return MakeOnlyCopy(index, node);
}

PageOutcome FakeResidency::DoDuplicate(GranuleIndex index,
                                       NodeId node) noexcept {
  const PageOutcome ordered = Enter("Duplicate", index);
  if (ordered != PageOutcome::kDone) return ordered;
  const std::lock_guard<std::mutex> lock(mutex_);
  Granule& granule = At(index);
  Expect(granule.populated, "Duplicate of an unpopulated granule", index);
  const PageOutcome charged = Charge(granule, node);
  if (charged != PageOutcome::kDone) return charged;
  for (Cell& cell : granule.cells) {
    Expect(!cell.remote, "Duplicate beside a remote mapping", index);
    if (cell.rights == Rights::kWrite) cell.rights = Rights::kRead;
  }
  Cell& cell = CellOf(granule, node);
  cell.word = CellOf(granule, granule.owner).word;
  cell.rights = Rights::kRead;
  return PageOutcome::kDone;
}

PageOutcome FakeResidency::DoMapRemote(GranuleIndex index,
                                       NodeId node) noexcept {
  const PageOutcome ordered = Enter("MapRemote", index);
  if (ordered != PageOutcome::kDone) return ordered;
  const std::lock_guard<std::mutex> lock(mutex_);
  Granule& granule = At(index);
  Expect(granule.populated, "MapRemote of an unpopulated granule", index);
  Expect(node != granule.owner, "MapRemote of the owner", index);
  Cell& cell = CellOf(granule, node);
  Expect(!cell.charged, "MapRemote of a node with a copy", index);
  cell.rights = Rights::kWrite;
  cell.remote = true;
  return PageOutcome::kDone;
}

void FakeResidency::DoDiscard(GranuleIndex index) noexcept {
  Enter("Discard", index);
  const std::lock_guard<std::mutex> lock(mutex_);
  At(index) = Granule();
}

std::optional<uint64_t> FakeResidency::Read(NodeId node,
                                            GranuleIndex index) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Granule& granule = granules_[index.value()];
  const Cell& cell = CellOf(granule, node);
  if (cell.rights == Rights::kNone) return std::nullopt;
  return cell.remote ? CellOf(granule, granule.owner).word : cell.word;
}

FakeResidency::Store FakeResidency::Write(NodeId node, GranuleIndex index,
                                          uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Granule& granule = At(index);
  Cell& cell = CellOf(granule, node);
  if (cell.rights != Rights::kWrite) return Store::kFaults;
  CellOf(granule, cell.remote ? granule.owner : node).word = value;
  return Store::kDone;
}

uint64_t FakeResidency::ReadPhysical(GranuleIndex index) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Granule& granule = granules_[index.value()];
  return granule.populated ? CellOf(granule, granule.owner).word : kDropped;
}

void FakeResidency::WritePhysical(GranuleIndex index, uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Granule& granule = At(index);
  Expect(granule.populated, "a physical write to nothing", index);
  CellOf(granule, granule.owner).word = value;
}

NodeSet FakeResidency::HoldersOf(GranuleIndex index) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  NodeSet holders;
  const Granule& granule = granules_[index.value()];
  if (CellOf(granule, NodeId::Host()).rights != Rights::kNone) {
    holders.Add(NodeId::Host());
  }
  for (int32_t d = 0; d < device_count_; ++d) {
    const NodeId node = NodeId::Device(DeviceId(d));
    if (CellOf(granule, node).rights != Rights::kNone) holders.Add(node);
  }
  return holders;
}

bool FakeResidency::IsCharged(NodeId node, GranuleIndex index) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return CellOf(granules_[index.value()], node).charged;
}

MemoryCapacity FakeResidency::DeviceCapacity(DeviceId device) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {capacity_.device,
          capacity_.device - ByteSize(UsedBy(NodeId::Device(device)))};
}

MemoryCapacity FakeResidency::PhysicalCapacity() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  uint64_t used = 0;
  for (const Granule& granule : granules_) {
    if (granule.populated) used += kGranule.bytes();
  }
  return {capacity_.physical, capacity_.physical - ByteSize(used)};
}

void FakeResidency::LoseMappings(DeviceId device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Granule& granule : granules_) {
    Cell& cell = CellOf(granule, NodeId::Device(device));
    cell.rights = Rights::kNone;
    cell.remote = false;
  }
}

void FakeResidency::Fail(const FakeFailure& failure) {
  const std::lock_guard<std::mutex> lock(mutex_);
  FakeFailure ordered = failure;
  ordered.first += calls_[failure.method];  // counted from now
  failures_.push_back(ordered);
}

uint64_t FakeResidency::Calls(const std::string& method) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = calls_.find(method);
  return found == calls_.end() ? 0 : found->second;
}

void FakeResidency::SetHook(Hook hook) {
  const std::lock_guard<std::mutex> lock(mutex_);
  hook_ = std::move(hook);
}

std::vector<std::string> FakeResidency::Violations() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return violations_;
}

}  // namespace npu::hal::fake
