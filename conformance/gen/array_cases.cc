// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "conformance/gen/row_cases.h"

namespace npu::conformance {
namespace {

std::string At(absl::string_view what, int i) {
  return absl::StrCat(what, "_at_", i);
}

void FirstZero(RowContext* c) {
  const auto assign = [&](const char* value) {
    return absl::StrCat(c->element(0), " = ", value, ";");
  };
  c->Refused("1", {assign("1")});
  c->Refused("2", {assign("2")});
  c->Refused("count", {assign("call.count")});
  c->Refused("upper_half", {assign("uint64_t{1} << 32")});
  c->Refused("top_bit", {assign("uint64_t{1} << 63")});
  c->Refused("all_bits", {assign("UINT64_MAX")});
  c->Accepted("kept", {});
}

void Increasing(RowContext* c) {
  for (int i = 1; i < c->array_length(); ++i) {
    const std::string before = c->element(i - 1);
    c->Refused(At("equal", i),
               {absl::StrCat(c->element(i), " = ", before, ";")});
    c->Refused(At("zero", i), {absl::StrCat(c->element(i), " = 0;")});
    if (i == 1) continue;
    c->Refused(At("less", i),
               {absl::StrCat(c->element(i), " = ", before, " - 1;")});
  }
  c->Accepted("by_one", {absl::StrCat(c->element(1), " = 1;"),
                         absl::StrCat(c->element(2), " = 2;")});
}

void BelowCount(RowContext* c) {
  const std::string count = absl::StrCat("call.", c->row().other());
  for (int i = 1; i < c->array_length(); ++i) {
    const std::string element = c->element(i);
    c->Refused(At("count", i), {absl::StrCat(element, " = ", count, ";")});
    c->Refused(At("count_plus_1", i),
               {absl::StrCat(element, " = ", count, " + 1;")});
    c->Refused(At("upper_half", i),
               {absl::StrCat(element, " = (uint64_t{1} << 32) + ", i, ";")});
    c->Refused(At("all_bits", i), {absl::StrCat(element, " = UINT64_MAX;")});
  }
  c->Accepted("last", {absl::StrCat(c->element(c->array_length() - 1), " = ",
                                    count, " - 1;")});
}

// The parameter whose elements must be increasing: with fewer ranges its
// indices have to fit again.
std::string IncreasingArray(const FunctionSpec& spec) {
  for (const Row& row : spec.rows()) {
    if (row.kind() == ARRAY_INCREASING) return row.parameter();
  }
  return "";
}

void CountAtLeast(RowContext* c) {
  const std::string count = c->argument();
  const std::string other = absl::StrCat("call.", c->row().other());
  c->Refused("one_less", {absl::StrCat(count, " = ", other, " - 1;")});
  c->Refused("1", {absl::StrCat(count, " = 1;")});
  const std::string array = IncreasingArray(c->spec());
  std::vector<std::string> statements;
  for (int i = 1; i < c->spec().array_lengths().at(array); ++i) {
    statements.push_back(absl::StrCat("call.", array, "[", i, "] = ", i, ";"));
  }
  statements.push_back(absl::StrCat(count, " = ", other, ";"));
  c->Accepted("equal", std::move(statements));
}

void ElementNonNull(RowContext* c) {
  for (int i = 0; i < c->array_length(); ++i) {
    c->Refused(At("null", i), {absl::StrCat(c->element(i), " = nullptr;")});
  }
  c->Accepted("kept", {});
}

void ElementNonZero(RowContext* c) {
  for (int i = 0; i < c->array_length(); ++i) {
    c->Refused(At("zero", i), {absl::StrCat(c->element(i), " = 0;")});
  }
  c->Accepted("kept", {});
}

void ElementMultiple(RowContext* c) {
  const uint64_t unit = c->row().multiple();
  for (int i = 0; i < c->array_length(); ++i) {
    const std::string element = c->element(i);
    c->Refused(At("plus_1", i), {absl::StrCat(element, " = ", unit, " + 1;")});
    c->Refused(At("minus_1", i), {absl::StrCat(element, " = ", unit, " - 1;")});
    c->Refused(At("half", i), {absl::StrCat(element, " = ", unit / 2, ";")});
    c->Accepted(At("twice", i), {absl::StrCat(element, " = ", 2 * unit, ";")});
  }
}

void ElementAddress(RowContext* c) {
  const std::string end = "world().window().end()";
  for (int i = 0; i < c->array_length(); ++i) {
    const auto at = [&](const std::string& address) {
      return absl::StrCat(c->element(i), " = At(", address, ");");
    };
    c->Refused(At("a_byte_below", i), {at("world().window().base - 1")});
    c->Refused(At("a_granule_below", i),
               {at("world().window().base - kGranule")});
    c->Refused(At("end", i), {at(end)});
    c->Refused(At("last_granule_of_all", i), {at("0 - kGranule")});
  }
  c->Accepted("base", {"call.UseOnly(world().WholeWindow());",
                       "call.sizes[0] = kGranule;"});
}

void ElementSize(RowContext* c) {
  for (int i = 0; i < c->array_length(); ++i) {
    const auto assign = [&](const char* value) {
      return absl::StrCat(c->element(i), " = ", value, ";");
    };
    c->Refused(At("above", i), {assign("world().window().bytes + kGranule")});
    c->Refused(At("wraps", i), {assign("0 - kGranule")});
    c->Refused(At("upper_half", i), {assign("(uint64_t{1} << 32) + kGranule")});
  }
  c->Accepted("at", {"call.UseOnly(world().WholeWindow());"});
}

void ElementRange(RowContext* c) {
  c->row().low() == WINDOW_BASE ? ElementAddress(c) : ElementSize(c);
}

void ElementOwnership(RowContext* c) {
  for (int i = 0; i < c->array_length(); ++i) {
    const auto use = [&](const char* piece) {
      return absl::StrCat("call.UseRange(", i, ", world().", piece, ");");
    };
    c->Refused(At("freed", i), {use("Freed(1)")});
    c->Refused(At("host_heap", i), {use("HostHeap(kGranule)")});
    c->Refused(At("device_memory", i), {use("Device(0, kGranule)")});
    c->Refused(
        At("too_long", i),
        {use("Island()"), absl::StrCat("call.sizes[", i, "] = 2 * kGranule;")});
    c->Refused(At("hole_inside", i), {use("BrokenRange()")});
    c->Accepted(At("two_adjacent", i), {use("AdjacentPair()")});
  }
}

void ElementDataSize(RowContext* c) {
  // The valid call asks for the attributes 1, 2, 3 .. in this order; the
  // third is the list of accessors.
  constexpr int kListIndex = 2;
  for (int i = 0; i < c->array_length(); ++i) {
    const auto assign = [&](int size) {
      return absl::StrCat(c->element(i), " = ", size, ";");
    };
    for (int size : {0, 1, 3, 5, 6}) {
      c->Refused(absl::StrCat(size, "_at_", i), {assign(size)});
    }
    if (i == kListIndex) {
      c->Accepted(At("64", i), {assign(64)});
    } else {
      c->Refused(At("8", i), {assign(8)});
    }
  }
  c->Accepted("kept", {});
}

void ElementEnum(RowContext* c) {
  // The element type: the array's without its star.
  std::string type = c->parameter().c_type();
  type.resize(type.find(' '));
  for (int i = 0; i < c->array_length(); ++i) {
    for (int64_t value : {int64_t{0}, int64_t{-1}, int64_t{9},
                          int64_t{65537} + i, int64_t{INT32_MIN}}) {
      c->Refused(absl::StrCat(NameOfNumber(value), "_at_", i),
                 {absl::StrCat(c->element(i), " = ", type, "(",
                               Int32Literal(value), ");")});
    }
  }
  c->Accepted("kept", {});
}

void ElementDevice(RowContext* c) {
  for (int i = 0; i < c->array_length(); ++i) {
    const auto assign = [&](const std::string& id) {
      return absl::StrCat(c->element(i), " = DeviceLocation(", id, ");");
    };
    c->Refused(At("count", i), {assign("world().device_count()")});
    for (int64_t id : {int64_t{-1}, int64_t{65536}, int64_t{INT32_MIN},
                       int64_t{INT32_MAX}}) {
      c->Refused(absl::StrCat(NameOfNumber(id), "_at_", i),
                 {assign(Int32Literal(id))});
    }
    c->Accepted(At("last", i), {assign("world().device_count() - 1")});
  }
}

void ElementLocationType(RowContext* c) {
  for (int i = 0; i < c->array_length(); ++i) {
    const auto assign = [&](int64_t type) {
      return absl::StrCat(c->element(i), " = Location(", Int32Literal(type),
                          ", 0);");
    };
    for (int64_t type : {int64_t{0}, int64_t{-1}, int64_t{5}, int64_t{65537},
                         int64_t{INT32_MIN}}) {
      c->Refused(absl::StrCat(NameOfNumber(type), "_at_", i), {assign(type)});
    }
    for (int64_t type : c->row().enum_values()) {
      c->Accepted(absl::StrCat(NameOfNumber(type), "_at_", i), {assign(type)});
    }
  }
}

void ElementNuma(RowContext* c) {
  for (int i = 0; i < c->array_length(); ++i) {
    const auto assign = [&](const std::string& id) {
      return absl::StrCat(c->element(i), " = NumaLocation(", id, ");");
    };
    c->Refused(At("count", i), {assign("world().numa_nodes()")});
    c->Refused(At("minus_1", i), {assign("-1")});
    c->Accepted(At("0", i), {assign("0")});
  }
}

}  // namespace

void BuildArrayCases(RowContext* context) {
  switch (context->row().kind()) {
    case ARRAY_FIRST_ZERO:
      return FirstZero(context);
    case ARRAY_INCREASING:
      return Increasing(context);
    case ARRAY_BELOW_COUNT:
      return BelowCount(context);
    case COUNT_AT_LEAST:
      return CountAtLeast(context);
    case ELEMENT_NON_NULL:
      return ElementNonNull(context);
    case ELEMENT_NON_ZERO:
      return ElementNonZero(context);
    case ELEMENT_MULTIPLE_OF:
      return ElementMultiple(context);
    case ELEMENT_RANGE:
      return ElementRange(context);
    case ELEMENT_OWNERSHIP:
      return ElementOwnership(context);
    case ELEMENT_DATA_SIZE:
      return ElementDataSize(context);
    case ELEMENT_ENUM_DOMAIN:
      return ElementEnum(context);
    case ELEMENT_DEVICE_ID:
      return ElementDevice(context);
    case ELEMENT_LOCATION_TYPE:
      return ElementLocationType(context);
    case ELEMENT_NUMA_ID:
      return ElementNuma(context);
    default:
      return;
  }
}

}  // namespace npu::conformance
