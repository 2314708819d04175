// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/base/address_range.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace npu {
namespace {

std::string Hex(Address address) {
  return absl::StrCat("0x", absl::Hex(address.value()));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Address address) {
  return out << Hex(address);
}

std::ostream& operator<<(std::ostream& out, AddressRange range) {
  return out << "[" << Hex(range.begin()) << ", " << Hex(range.end()) << ")";
}

absl::StatusOr<AddressRange> AddressRange::Make(Address begin, ByteSize size) {
  if (size.zero()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the range at ", Hex(begin), " is empty"));
  }
  if (begin.value() + size.bytes() < begin.value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the range at ", Hex(begin), " of ", size.bytes(),
                     " bytes does not fit in 64 bits"));
  }
  return AddressRange(begin, size);
}

}  // namespace npu
