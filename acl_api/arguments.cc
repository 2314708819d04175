// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/arguments.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"

namespace npu::acl {
namespace {

absl::Status Failed(aclError code, absl::string_view name,
                    const absl::AlphaNum& value, absl::string_view rule) {
  return Failure(code, absl::StrCat(name, " = ", value, ": ", rule));
}

std::string HexOf(const void* value) {
  return absl::StrCat("0x", absl::Hex(reinterpret_cast<uintptr_t>(value)));
}

// The payloads carry the code.
absl::Status About(absl::string_view name, const absl::AlphaNum& value,
                   const absl::Status& status) {
  if (status.ok()) return status;
  absl::Status about(status.code(),
                     absl::StrCat(name, " = ", value, ": ", status.message()));
  status.ForEachPayload(
      [&about](absl::string_view url, const absl::Cord& payload) {
        about.SetPayload(url, payload);
      });
  return about;
}

}  // namespace

absl::Status ValueFailure(aclError code, absl::string_view name, int64_t value,
                          absl::string_view rule) {
  return Failed(code, name, value, rule);
}

absl::Status SizeFailure(aclError code, absl::string_view name, uint64_t value,
                         absl::string_view rule) {
  return Failed(code, name, value, rule);
}

absl::Status PointerFailure(aclError code, absl::string_view name,
                            const void* value, absl::string_view rule) {
  if (value == nullptr) return Failed(code, name, "NULL", rule);
  return Failed(code, name, HexOf(value), rule);
}

absl::Status NotNull(absl::string_view name, const void* value, aclError code) {
  if (value != nullptr) return absl::OkStatus();
  return PointerFailure(code, name, value, "must not be NULL");
}

absl::Status NotZero(absl::string_view name, uint64_t value, aclError code) {
  if (value != 0) return absl::OkStatus();
  return SizeFailure(code, name, value, "must not be 0");
}

absl::Status Reserved(absl::string_view name, uint64_t value, aclError code) {
  if (value == 0) return absl::OkStatus();
  return SizeFailure(code, name, value, "is reserved and must be 0");
}

absl::Status InInterval(absl::string_view name, int64_t value,
                        Interval interval, aclError code) {
  if (value >= interval.least && value <= interval.most) {
    return absl::OkStatus();
  }
  return ValueFailure(
      code, name, value,
      absl::StrCat("must be in ", interval.least, "..", interval.most));
}

absl::Status NotAbove(absl::string_view name, uint64_t value, Limit limit,
                      aclError code) {
  if (value <= limit.value) return absl::OkStatus();
  return SizeFailure(
      code, name, value,
      absl::StrCat("must not be above ", limit.name, " = ", limit.value));
}

absl::Status AboutSize(absl::string_view name, uint64_t value,
                       const absl::Status& status) {
  return About(name, value, status);
}

absl::Status AboutId(absl::string_view name, int64_t value,
                     const absl::Status& status) {
  return About(name, value, status);
}

absl::Status AboutText(absl::string_view name, absl::string_view value,
                       const absl::Status& status) {
  return About(name, value, status);
}

absl::Status AboutPointer(absl::string_view name, const void* value,
                          const absl::Status& status) {
  return About(name, HexOf(value), status);
}

}  // namespace npu::acl
