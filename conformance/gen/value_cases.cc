// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <limits>
#include <set>

#include "absl/strings/str_cat.h"
#include "conformance/gen/row_cases.h"

namespace npu::conformance {
namespace {

void NonNull(RowContext* c) {
  c->Refused("null", {absl::StrCat(c->argument(), " = nullptr;")});
  c->Accepted("kept", {});
}

void NonZero(RowContext* c) {
  c->Refused("zero", {absl::StrCat(c->argument(), " = 0;")});
  c->Accepted("kept", {});
}

void FixedValue(RowContext* c) {
  const uint64_t fixed = c->row().fixed_value();
  const bool is_wide = c->parameter().carrier() == U64;
  std::set<uint64_t> values = {
      0,          1, 2, 3, 7, fixed | 256, fixed | 65536, fixed | 0x80000000u,
      0xFFFFFFFFu};
  if (is_wide) {
    // The upper half only: what a narrowing to 32 bits would not see.
    values.insert(fixed | uint64_t{1} << 32);
    values.insert(fixed | uint64_t{1} << 63);
    values.insert(std::numeric_limits<uint64_t>::max());
  }
  values.erase(fixed);
  for (uint64_t value : values) {
    const std::string literal = HexLiteral(value);
    c->Refused(literal, {absl::StrCat(c->argument(), " = ", literal, ";")});
  }
  c->Accepted("kept", {});
}

void MultipleOf(RowContext* c) {
  const std::string size = c->argument();
  const uint64_t unit = c->row().multiple();
  c->Refused("plus_1", {absl::StrCat(size, " = ", unit, " + 1;")});
  c->Refused("minus_1", {absl::StrCat(size, " = ", unit, " - 1;")});
  c->Refused("half", {absl::StrCat(size, " = ", unit / 2, ";")});
  c->Refused("one_and_a_half",
             {absl::StrCat(size, " = ", unit + unit / 2, ";")});
  c->Refused("1", {absl::StrCat(size, " = 1;")});
  c->Accepted("once", {absl::StrCat(size, " = ", unit, ";")});
  c->Accepted("twice", {absl::StrCat(size, " = ", 2 * unit, ";")});
}

void EnumDomain(RowContext* c) {
  const auto assign = [&](int64_t value) {
    return absl::StrCat(c->argument(), " = ", c->parameter().c_type(), "(",
                        Int32Literal(value), ");");
  };
  for (int64_t value : OutsideOfEnum(c->row())) {
    c->Refused(NameOfNumber(value), {assign(value)});
  }
  for (int64_t value : c->row().enum_values()) {
    c->Accepted(NameOfNumber(value), {assign(value)});
  }
}

// "call.dstDevId = X;" or "call.location = DeviceLocation(X);".
std::string AssignDevice(const RowContext& c, const std::string& id) {
  if (c.parameter().carrier() == I32) {
    return absl::StrCat(c.argument(), " = ", id, ";");
  }
  return absl::StrCat(c.argument(), " = DeviceLocation(", id, ");");
}

// The same violation with each value of the enumeration that the row names as
// `other`: the rule holds whatever that is.
void WithEachOther(RowContext* c, const std::string& variant,
                   const std::string& violation) {
  for (const Row& row : c->spec().rows()) {
    if (row.kind() != ENUM_DOMAIN || row.parameter() != c->row().other()) {
      continue;
    }
    const RowContext other(c->spec(), row);
    for (int64_t value : row.enum_values()) {
      c->Refused(absl::StrCat(variant, "_with_", row.parameter(), "_", value),
                 {absl::StrCat(other.argument(), " = ",
                               other.parameter().c_type(), "(", value, ");"),
                  violation});
    }
  }
}

void DeviceId(RowContext* c) {
  c->Refused("count", {AssignDevice(*c, "world().device_count()")});
  c->Refused("count_plus_1", {AssignDevice(*c, "world().device_count() + 1")});
  c->Refused("count_plus_100",
             {AssignDevice(*c, "world().device_count() + 100")});
  for (int64_t id : {int64_t{-1}, int64_t{-2}, int64_t{65536}, int64_t{65537},
                     int64_t{256}, int64_t{INT32_MIN}, int64_t{INT32_MAX}}) {
    c->Refused(NameOfNumber(id), {AssignDevice(*c, Int32Literal(id))});
  }
  c->Accepted("last", {AssignDevice(*c, "world().device_count() - 1")});
  if (c->parameter().carrier() == LOCATION) {
    c->Accepted("first", {AssignDevice(*c, "0")});
  }
  WithEachOther(c, "count", AssignDevice(*c, "world().device_count()"));
}

void LocationType(RowContext* c) {
  const auto assign = [&](int64_t type) {
    return absl::StrCat(c->argument(), " = Location(", Int32Literal(type),
                        ", 0);");
  };
  if (!c->row().other().empty()) {
    WithEachOther(c, "5", assign(5));
    WithEachOther(c, "minus_1", assign(-1));
    return c->Accepted("kept", {});
  }
  for (int64_t type : OutsideOfEnum(c->row())) {
    c->Refused(NameOfNumber(type), {assign(type)});
  }
  for (int64_t type : c->row().enum_values()) {
    c->Accepted(NameOfNumber(type), {assign(type)});
  }
}

void NumaId(RowContext* c) {
  const auto assign = [&](const std::string& id) {
    return absl::StrCat(c->argument(), " = NumaLocation(", id, ");");
  };
  c->Refused("count", {assign("world().numa_nodes()")});
  for (int64_t id :
       {int64_t{-1}, int64_t{65536}, int64_t{INT32_MIN}, int64_t{INT32_MAX}}) {
    c->Refused(NameOfNumber(id), {assign(Int32Literal(id))});
  }
  c->Accepted("0", {assign("0")});
}

void DataSize(RowContext* c) {
  const auto assign = [&](uint64_t size) {
    return absl::StrCat(c->argument(), " = ", size, ";");
  };
  const std::string list =
      "call.attribute = ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;";
  const uint64_t wide = (uint64_t{1} << 32) + 4;
  for (uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{3}, uint64_t{5},
                        uint64_t{8}, uint64_t{64}, wide}) {
    c->Refused(absl::StrCat(size), {assign(size)});
  }
  for (uint64_t size : {0, 1, 2, 3, 5, 6, 7, 63}) {
    c->Refused(absl::StrCat("of_the_list_", size), {list, assign(size)});
  }
  c->Accepted("4", {assign(4)});
  for (uint64_t size : {4, 8, 64}) {
    c->Accepted(absl::StrCat("of_the_list_", size), {list, assign(size)});
  }
}

}  // namespace

void BuildValueCases(RowContext* context) {
  switch (context->row().kind()) {
    case NON_NULL:
      return NonNull(context);
    case NON_ZERO:
      return NonZero(context);
    case FIXED_VALUE:
      return FixedValue(context);
    case MULTIPLE_OF:
      return MultipleOf(context);
    case ENUM_DOMAIN:
      return EnumDomain(context);
    case DEVICE_ID:
      return DeviceId(context);
    case LOCATION_TYPE:
      return LocationType(context);
    case NUMA_ID:
      return NumaId(context);
    case DATA_SIZE:
      return DataSize(context);
    default:
      return;
  }
}

}  // namespace npu::conformance
