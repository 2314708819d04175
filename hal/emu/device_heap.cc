// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device_heap.h"

#include <fcntl.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"

namespace npu::hal::emu {
namespace {

constexpr ByteSize kPage = KiB(4);
constexpr ByteSize kPiece = KiB(64);

// Large blocks lie and count in large pages, as on a device.
ByteSize PageSizeOf(ByteSize size) {
  return size < kGranule ? kPage : kGranule;
}

uint64_t AlignUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceHeap>> DeviceHeap::Make(
    const AddressSpace& space, int32_t device_count, Ledger& ledger) {
  const uint64_t pages = space.layout().devices.size().bytes() / kPage.bytes();
  NPU_ASSIGN_OR_RETURN(auto live,
                       PagedArray<std::atomic<uint64_t>>::Make(pages / 64 + 1));
  auto heap = std::unique_ptr<DeviceHeap>(
      new DeviceHeap(space, ledger, std::move(live)));
  MutexLock lock(heap->mutex_);
  heap->slices_.resize(static_cast<size_t>(device_count));
  for (Slice& slice : heap->slices_) {
    slice.free[0] = space.layout().slice.bytes();
  }
  return heap;
}

bool DeviceHeap::IsLive(Address address) const noexcept {
  const uint64_t page =
      (address - space_.layout().devices.begin()).bytes() / kPage.bytes();
  const uint64_t word = live_[page / 64].load(std::memory_order_acquire);
  return (word >> (page % 64) & 1) != 0;
}

AddressRange DeviceHeap::LivePiece(Address address) const noexcept {
  const Address page = address.AlignDown(kPage);
  const Address piece = address.AlignDown(kPiece);
  Address begin = page;
  while (begin > piece && IsLive(Address(begin.value() - kPage.bytes()))) {
    begin = Address(begin.value() - kPage.bytes());
  }
  Address end = page + kPage;
  while (end < piece + kPiece && IsLive(end)) end = end + kPage;
  return AddressRange::Of(begin, end - begin);
}

std::optional<uint64_t> DeviceHeap::Take(Offsets& free, uint64_t size,
                                         uint64_t alignment) {
  for (auto hole = free.begin(); hole != free.end(); ++hole) {
    const uint64_t hole_end = hole->first + hole->second;
    const uint64_t begin = AlignUp(hole->first, alignment);
    if (begin > hole_end || hole_end - begin < size) continue;
    const uint64_t before = begin - hole->first;
    const uint64_t after = hole_end - begin - size;
    if (after > 0) free[begin + size] = after;
    if (before > 0) {
      hole->second = before;
    } else {
      free.erase(hole);
    }
    return begin;
  }
  return std::nullopt;
}

void DeviceHeap::GiveBack(Offsets& free, uint64_t begin, uint64_t size) {
  auto hole = free.emplace(begin, size).first;
  const auto next = std::next(hole);
  if (next != free.end() && hole->first + hole->second == next->first) {
    hole->second += next->second;
    free.erase(next);
  }
  if (hole == free.begin()) return;
  const auto previous = std::prev(hole);
  if (previous->first + previous->second == hole->first) {
    previous->second += hole->second;
    free.erase(hole);
  }
}

void DeviceHeap::Mark(AddressRange range, Life life) {
  const Address base = space_.layout().devices.begin();
  uint64_t page = (range.begin() - base).bytes() / kPage.bytes();
  const uint64_t end = page + range.size().bytes() / kPage.bytes();
  while (page < end) {
    const uint64_t stop = std::min(end, (page / 64 + 1) * 64);
    const uint64_t mask = (~uint64_t{0} >> (64 - (stop - page))) << (page % 64);
    if (life == Life::kLive) {
      live_[page / 64].fetch_or(mask, std::memory_order_release);
    } else {
      live_[page / 64].fetch_and(~mask, std::memory_order_release);
    }
    page = stop;
  }
}

absl::StatusOr<AddressRange> DeviceHeap::DoAllocate(DeviceId device,
                                                    ByteSize size) {
  const auto refuse = [&](absl::string_view why) {
    return DriverError(DriverCode::kOutOfMemory,
                       absl::StrCat("device ", device.value(), " has no ",
                                    size.bytes(), " bytes: ", why));
  };
  const ByteSize page = PageSizeOf(size);
  const std::optional<ByteSize> rounded = RoundUp(size, page);
  if (!rounded) return refuse("the size does not fit in 64 bits");
  MutexLock lock(mutex_);
  if (device.value() < 0 ||
      static_cast<size_t>(device.value()) >= slices_.size()) {
    return DriverError(DriverCode::kInvalidDevice, "no such device");
  }
  if (ledger_.physical().Add(*rounded) == Charge::kRefused) {
    return refuse("the physical budget (host_memory_bytes) is used up");
  }
  const NodeId node = NodeId::Device(device);
  std::optional<uint64_t> begin;
  const bool charged = ledger_.Add(node, *rounded) == Charge::kDone;
  Slice& slice = slices_[static_cast<size_t>(device.value())];
  if (charged) begin = Take(slice.free, rounded->bytes(), page.bytes());
  if (!begin) {
    if (charged) ledger_.Remove(node, *rounded);
    ledger_.physical().Remove(*rounded);
    return refuse("its memory is used up");
  }
  PunchOut(device, *begin, rounded->bytes());
  slice.live[*begin] = {rounded->bytes(), next_number_++};
  const AddressRange range = AddressRange::Of(
      space_.slice(device).begin() + ByteSize(*begin), *rounded);
  Mark(range, Life::kLive);
  return AddressRange::Of(range.begin(), size);
}

// Takes the pages out of the file and out of every process's table.
void DeviceHeap::PunchOut(DeviceId device, uint64_t begin, uint64_t size) {
  fallocate(space_.slice_fd(device), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(begin), static_cast<off_t>(size));
}

void DeviceHeap::FreeLocked(DeviceId device, Blocks::iterator block) {
  const uint64_t begin = block->first;
  const ByteSize size(block->second.size);
  Slice& slice = slices_[static_cast<size_t>(device.value())];
  // Dead first: a fault that comes now is illegal, then the pages go from every
  // process at once.
  Mark(AddressRange::Of(space_.slice(device).begin() + ByteSize(begin), size),
       Life::kDead);
  PunchOut(device, begin, size.bytes());
  ledger_.Remove(NodeId::Device(device), size);
  ledger_.physical().Remove(size);
  slice.live.erase(block);
  GiveBack(slice.free, begin, size.bytes());
}

absl::Status DeviceHeap::DoFree(Address begin) {
  MutexLock lock(mutex_);
  const std::optional<DeviceId> device = space_.SliceOf(begin);
  if (device) {
    Slice& slice = slices_[static_cast<size_t>(device->value())];
    const auto block =
        slice.live.find((begin - space_.slice(*device).begin()).bytes());
    if (block != slice.live.end()) {
      FreeLocked(*device, block);
      return absl::OkStatus();
    }
  }
  return DriverError(
      DriverCode::kInvalidValue,
      absl::StrCat("no device memory begins at 0x", absl::Hex(begin.value())));
}

void DeviceHeap::FreeAll(DeviceId device) {
  MutexLock lock(mutex_);
  Blocks& live = slices_[static_cast<size_t>(device.value())].live;
  while (!live.empty()) FreeLocked(device, live.begin());
}

DeviceHeap::Blocks::const_iterator DeviceHeap::FindLocked(
    DeviceId device, Address address) const {
  const Blocks& live = slices_[static_cast<size_t>(device.value())].live;
  const uint64_t offset = (address - space_.slice(device).begin()).bytes();
  auto block = live.upper_bound(offset);
  if (block == live.begin()) return live.end();
  --block;
  return offset - block->first < block->second.size ? block : live.end();
}

std::optional<DeviceBlock> DeviceHeap::DoLocate(Address address) const {
  const std::optional<DeviceId> device = space_.SliceOf(address);
  if (!device) return std::nullopt;
  MutexLock lock(mutex_);
  const auto block = FindLocked(*device, address);
  if (block == slices_[static_cast<size_t>(device->value())].live.end()) {
    return std::nullopt;
  }
  const ByteSize size(block->second.size);
  const Address begin = space_.slice(*device).begin() + ByteSize(block->first);
  return DeviceBlock{*device, AddressRange::Of(begin, size), PageSizeOf(size)};
}

uint64_t DeviceHeap::NumberOf(Address address) const {
  const std::optional<DeviceId> device = space_.SliceOf(address);
  if (!device) return 0;
  MutexLock lock(mutex_);
  const auto block = FindLocked(*device, address);
  return block == slices_[static_cast<size_t>(device->value())].live.end()
             ? 0
             : block->second.number;
}

MemoryCapacity DeviceHeap::DoCapacity(DeviceId device) const noexcept {
  return ledger_.Read(device);
}

void DeviceHeap::CheckInvariants() const {
  MutexLock lock(mutex_);
  for (const Slice& slice : slices_) {
    Offsets all = slice.free;
    uint64_t total = 0;
    for (const auto& [begin, block] : slice.live) {
      NPU_CHECK(all.emplace(begin, block.size).second);
      NPU_CHECK(block.number > 0 && block.number < next_number_);
    }
    for (const auto& [begin, size] : all) {
      NPU_CHECK(begin == total);  // neither a gap nor an overlap
      total += size;
    }
    NPU_CHECK(total == space_.layout().slice.bytes());
  }
}

}  // namespace npu::hal::emu
