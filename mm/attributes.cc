// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/attributes.h"

#include <utility>

#include "hal/base/check.h"
#include "hal/base/status_macros.h"
#include "mm/location_code.h"

namespace npu::mm {
namespace {

uint64_t AccessorBit(hal::Location location) {
  switch (location.kind()) {
    case hal::Location::Kind::kDevice:
      return uint64_t{1} << location.number();
    case hal::Location::Kind::kHost:
      return 1;
    case hal::Location::Kind::kNuma:
      NPU_CHECK(location.number() < kMaxNumaNodes);
      return uint64_t{2} << location.number();
    case hal::Location::Kind::kNone:
      break;
  }
  NPU_CHECK(false);
  return 0;
}

}  // namespace

absl::StatusOr<Attributes> Attributes::Make(uint32_t granules) {
  NPU_ASSIGN_OR_RETURN(AttributeMap read_mostly, AttributeMap::Make(granules));
  NPU_ASSIGN_OR_RETURN(AttributeMap preferred, AttributeMap::Make(granules));
  NPU_ASSIGN_OR_RETURN(AttributeMap prefetch, AttributeMap::Make(granules));
  NPU_ASSIGN_OR_RETURN(AttributeMap devices, AttributeMap::Make(granules));
  NPU_ASSIGN_OR_RETURN(AttributeMap host, AttributeMap::Make(granules));
  return Attributes(std::move(read_mostly), std::move(preferred),
                    std::move(prefetch), std::move(devices), std::move(host));
}

Attributes::Attributes(AttributeMap read_mostly, AttributeMap preferred,
                       AttributeMap last_prefetch,
                       AttributeMap device_accessors,
                       AttributeMap host_accessors)
    : read_mostly_(std::move(read_mostly)),
      preferred_(std::move(preferred)),
      last_prefetch_(std::move(last_prefetch)),
      device_accessors_(std::move(device_accessors)),
      host_accessors_(std::move(host_accessors)) {}

hal::ReadMostly Attributes::ReadMostlyOf(GranuleRange range) const {
  return read_mostly_.All(range) != 0 ? hal::ReadMostly::kYes
                                      : hal::ReadMostly::kNo;
}

hal::Location Attributes::PreferredOf(GranuleRange range) const {
  return DecodeLocation(preferred_.Uniform(range).value_or(0));
}

hal::Location Attributes::LastPrefetchOf(GranuleRange range) const {
  return DecodeLocation(last_prefetch_.Uniform(range).value_or(0));
}

std::vector<hal::Location> Attributes::AccessorsOf(GranuleRange range) const {
  std::vector<hal::Location> out;
  for (uint64_t rest = device_accessors_.All(range); rest != 0;
       rest &= rest - 1) {
    out.push_back(hal::Location::Device(DeviceId(__builtin_ctzll(rest))));
  }
  const uint64_t host = host_accessors_.All(range);
  if ((host & 1) != 0) out.push_back(hal::Location::Host());
  for (uint64_t rest = host >> 1; rest != 0; rest &= rest - 1) {
    out.push_back(hal::Location::Numa(hal::NumaNode(__builtin_ctzll(rest))));
  }
  return out;
}

void Attributes::SetReadMostly(GranuleRange range, hal::ReadMostly value) {
  read_mostly_.Set(range, value == hal::ReadMostly::kYes ? 1 : 0);
}

void Attributes::SetPreferred(GranuleRange range, hal::Location location) {
  preferred_.Set(range, EncodeLocation(location));
}

void Attributes::SetLastPrefetch(GranuleRange range, hal::Location location) {
  last_prefetch_.Set(range, EncodeLocation(location));
}

void Attributes::AddAccessor(GranuleIndex granule, hal::Location location) {
  AttributeMap& map = MapOf(location);
  map.Set(granule, map.Get(granule) | AccessorBit(location));
}

void Attributes::RemoveAccessor(GranuleIndex granule, hal::Location location) {
  AttributeMap& map = MapOf(location);
  map.Set(granule, map.Get(granule) & ~AccessorBit(location));
}

void Attributes::Clear(GranuleRange range) {
  for (AttributeMap* map : {&read_mostly_, &preferred_, &last_prefetch_,
                            &device_accessors_, &host_accessors_}) {
    map->Set(range, 0);
  }
}

void Attributes::CheckInvariants() const {
  for (const AttributeMap* map : {&read_mostly_, &preferred_, &last_prefetch_,
                                  &device_accessors_, &host_accessors_}) {
    map->CheckInvariants();
  }
}

}  // namespace npu::mm
