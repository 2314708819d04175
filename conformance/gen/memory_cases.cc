// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "conformance/gen/row_cases.h"

namespace npu::conformance {
namespace {

constexpr char kNeedsManaged[] = "SkipWithoutManagedMemory();";
constexpr char kWhole[] = "call.UseRange(world().WholeWindow());";

// Whether the function judges memory that is there already, so that its call
// has UseRange().
bool JudgesMemory(const FunctionSpec& spec) {
  return std::any_of(spec.rows().begin(), spec.rows().end(),
                     [](const Row& row) { return row.kind() == OWNERSHIP; });
}

// A pointer argument inside [WINDOW_BASE, WINDOW_END).
void AddressRange(RowContext* c) {
  const std::string ptr = c->argument();
  const auto at = [&](const char* address) {
    return absl::StrCat(ptr, " = At(", address, ");");
  };
  c->Refused("a_byte_below", {at("world().window().base - 1")});
  c->Refused("a_granule_below", {at("world().window().base - kGranule")});
  c->Refused("first_granule_of_all", {at("kGranule")});
  c->Refused("last_granule_of_all", {at("0 - kGranule")});
  c->Refused("last_byte_of_all", {at("UINT64_MAX")});
  const std::string end = "world().window().end()";
  c->Refused("end", {at(end.c_str())});
  c->Refused("end_plus_1", {absl::StrCat(ptr, " = At(", end, " + 1);")});
  c->Refused("across_the_end",
             {kWhole, absl::StrCat(ptr, " = At(", ptr, ", kGranule);")});
  c->Accepted("base", {kWhole, "call.size = kGranule;"});
  c->Accepted(
      "last_granule",
      {kWhole, absl::StrCat(ptr, " = At(", ptr, ", call.size - kGranule);"),
       "call.size = kGranule;"});
}

// The size of memory that is there already.
void RangeSize(RowContext* c) {
  const std::string size = c->argument();
  c->Refused("above_by_a_granule",
             {kWhole, absl::StrCat(size, " = ", size, " + kGranule;")});
  c->Refused("above_by_1", {kWhole, absl::StrCat(size, " = ", size, " + 1;")});
  c->Refused("wraps_to_a_granule", {absl::StrCat(size, " = 0 - kGranule;")});
  c->Refused("wraps_by_1", {absl::StrCat(size, " = UINT64_MAX;")});
  c->Refused("top_bit",
             {absl::StrCat(size, " = (uint64_t{1} << 63) + kGranule;")});
  c->Refused("upper_half",
             {absl::StrCat(size, " = (uint64_t{1} << 32) + kGranule;")});
  c->Accepted("at", {kWhole});
  c->Accepted("below",
              {kWhole, absl::StrCat(size, " = ", size, " - kGranule;")});
}

// The size of a new allocation.
void NewSize(RowContext* c) {
  const std::string size = c->argument();
  const auto assign = [&](const char* value) {
    return absl::StrCat(size, " = ", value, ";");
  };
  c->Refused("above_by_1", {assign("world().window().bytes + 1")});
  c->Refused("above_by_a_granule",
             {assign("world().window().bytes + kGranule")});
  c->Refused("wraps_by_1", {assign("UINT64_MAX")});
  c->Refused("wraps_to_a_granule", {assign("0 - kGranule")});
  c->Refused("rounds_up_to_0", {assign("1 - kGranule")});
  c->Refused("top_bit", {assign("uint64_t{1} << 63")});
  c->Refused("bit_42", {assign("uint64_t{1} << 42")});
  c->Refused("in_all_above", {"world().Managed(4);",
                              assign("world().window().bytes - 3 * kGranule")});
  c->Accepted("at", {assign("world().window().bytes")});
  c->Accepted("below", {assign("world().window().bytes - kGranule")});
  c->Accepted("in_all_at", {"world().Managed(4);",
                            assign("world().window().bytes - 4 * kGranule")});
}

void Range(RowContext* c) {
  if (c->parameter().carrier() == POINTER) return AddressRange(c);
  if (JudgesMemory(c->spec())) return RangeSize(c);
  NewSize(c);
}

void ManagedOwnership(RowContext* c) {
  const std::string ptr = c->argument();
  c->Refused("never_allocated",
             {absl::StrCat(ptr, " = At(world().window().end() - kGranule);")});
  c->Refused("freed", {"call.UseRange(world().Freed(1));"});
  c->Refused("host_heap", {"call.UseRange(world().HostHeap(kGranule));"});
  c->Refused("pinned", {"call.UseRange(world().Pinned(kGranule));"});
  c->Refused("device_memory", {"call.UseRange(world().Device(0, kGranule));"});
  c->Refused("a_granule_too_long",
             {"call.UseRange(world().Island());", "call.size = 2 * kGranule;"});
  c->Refused("a_granule_too_early",
             {"call.UseRange(world().Island());",
              absl::StrCat(ptr, " = At(", ptr, ", -2097152);"),
              "call.size = 2 * kGranule;"});
  c->Refused("last_byte_outside", {"call.UseRange(world().Island());",
                                   absl::StrCat(ptr, " = At(", ptr, ", 1);")});
  c->Refused("hole_inside", {"call.UseRange(world().BrokenRange());"});
  c->Accepted("all_of_it", {"call.UseRange(world().Managed(2));"});
  c->Accepted("inside", {absl::StrCat(ptr, " = At(", ptr, ", 2097152);")});
  c->Accepted("odd_address", {absl::StrCat(ptr, " = At(", ptr, ", 4099);")});
  c->Accepted("two_adjacent", {"call.UseRange(world().AdjacentPair());"});
}

void DeviceOwnership(RowContext* c) {
  const std::string ptr = c->argument();
  c->Refused("freed", {"call.UseRange(world().FreedDevice(kGranule));"});
  c->Refused("managed", {"call.UseRange(world().Managed(1));"});
  c->Refused("host_heap", {"call.UseRange(world().HostHeap(kGranule));"});
  c->Refused("pinned", {"call.UseRange(world().Pinned(kGranule));"});
  c->Refused("too_long", {"call.size = 64 * kGranule;"});
  c->Refused("size_wraps", {"call.size = UINT64_MAX;"});
  c->Refused(
      "size_wraps_to_0",
      {absl::StrCat("call.size = 0 - reinterpret_cast<uint64_t>(", ptr, ");")});
  c->Refused("before_it", {absl::StrCat(ptr, " = At(", ptr, ", -134217728);")});
  c->Accepted("half", {});
  c->Accepted("all_of_it", {"call.size = 4 * kGranule;"});
  c->Accepted("inside", {absl::StrCat(ptr, " = At(", ptr, ", 2097152);")});
}

// Each kind of address, and what the query must say of it.
void AnyAddress(RowContext* c) {
  const auto ask = [](const char* address, const char* type) {
    return absl::StrCat("call.Ask(", address, ", ACL_MEM_LOCATION_TYPE_", type,
                        ");");
  };
  c->Accepted("device", {ask("world().Device(0, 64).address", "DEVICE")});
  c->Accepted("pinned", {ask("world().Pinned(64).address", "HOST")});
  c->Accepted("host_heap",
              {ask("world().HostHeap(64).address", "UNREGISTERED")});
  c->Accepted("stack", {"int here = 0;", ask("&here", "UNREGISTERED")});
  c->Accepted("odd_host",
              {ask("At(world().HostHeap(64).address, 3)", "UNREGISTERED")});
  c->Accepted("literal", {ask("\"text\"", "UNREGISTERED")});
  c->Accepted("freed_device",
              {ask("world().FreedDevice(64).address", "UNREGISTERED")});
  c->Accepted("page_zero", {ask("At(uint64_t{1})", "UNREGISTERED")});
  c->Accepted("last_byte_of_all", {ask("At(UINT64_MAX)", "UNREGISTERED")});
  const std::string guard =
      "if (!world().has_managed_memory()) GTEST_SKIP() << kNoManaged;";
  c->Accepted("managed",
              {kNeedsManaged, ask("world().Managed(1).address", "MANAGED")});
  c->Accepted(
      "inside_managed",
      {kNeedsManaged, ask("At(world().Managed(1).address, 77)", "MANAGED")});
  c->Accepted("freed_managed",
              {kNeedsManaged, ask("world().Freed(1).address", "UNREGISTERED")});
}

void AnyValue(RowContext* c) {
  if (c->parameter().carrier() == POINTER) return AnyAddress(c);
  for (int64_t value : c->row().enum_values()) {
    c->Accepted(absl::StrCat(value),
                {absl::StrCat(c->argument(), " = ", value, ";")});
  }
}

}  // namespace

void BuildMemoryCases(RowContext* context) {
  switch (context->row().kind()) {
    case RANGE:
      return Range(context);
    case OWNERSHIP:
      return context->row().memory() == DEVICE_MEMORY
                 ? DeviceOwnership(context)
                 : ManagedOwnership(context);
    case ANY_VALUE:
      return AnyValue(context);
    default:
      return;
  }
}

}  // namespace npu::conformance
