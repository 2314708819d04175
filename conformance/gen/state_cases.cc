// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "conformance/gen/row_cases.h"

namespace npu::conformance {
namespace {

void Context(RowContext* c) {
  if (c->row().code() == 0) {
    c->Accepted("not_needed", {"WithoutContext();"});
    return;
  }
  c->Refused("missing", {"WithoutContext();"});
  c->Accepted("kept", {});
}

void StreamLive(RowContext* c) {
  const std::string stream = c->argument();
  c->Refused("destroyed",
             {absl::StrCat(stream, " = world().DestroyedStream();")});
  c->Refused("an_event", {absl::StrCat(stream, " = world().Event();")});
  c->Accepted("kept", {});
}

// A place is missing, for each advice; the row lists those that need one.
void PlaceGiven(RowContext* c) {
  const Row* domain = nullptr;
  for (const Row& row : c->spec().rows()) {
    if (row.kind() == ENUM_DOMAIN) domain = &row;
  }
  if (domain == nullptr) return;
  const RowContext other(c->spec(), *domain);
  const auto& needing = c->row().enum_values();
  for (int64_t value : domain->enum_values()) {
    std::vector<std::string> statements = {
        absl::StrCat(other.argument(), " = ", other.parameter().c_type(), "(",
                     value, ");"),
        absl::StrCat(c->argument(), " = NoLocation();")};
    const std::string name =
        absl::StrCat("missing_with_", domain->parameter(), "_", value);
    if (std::count(needing.begin(), needing.end(), value) != 0) {
      c->Refused(name, std::move(statements));
    } else {
      c->Accepted(name, std::move(statements));
    }
  }
}

void NotMappedElsewhere(RowContext* c) {
  const std::string advise =
      "call.advise = ACL_MEM_ADVISE_SET_PREFERRED_LOCATION;";
  const std::string touch = "world().TouchOnHost(call.ptr);";
  const std::string to_host = "world().Move(call.ptr, HostLocation());";
  const std::string to_device = "world().Move(call.ptr, DeviceLocation(0));";
  const auto place = [&](const char* where) {
    return absl::StrCat(c->argument(), " = ", where, ";");
  };
  c->Refused("host_to_device", {to_host, advise, place("DeviceLocation(0)")});
  c->Refused("device_to_host", {to_device, advise, place("HostLocation()")});
  c->Refused("touched_to_device", {touch, advise, place("DeviceLocation(0)")});
  c->Refused("part_of_the_range",
             {"world().Move(At(call.ptr, 2097152), HostLocation());",
              "call.size = 2 * kGranule;", advise, place("DeviceLocation(0)")});
  c->Accepted("untouched", {advise, place("DeviceLocation(0)")});
  c->Accepted("host_to_host", {to_host, advise, place("HostLocation()")});
  c->Accepted("touched_to_host", {touch, advise, place("HostLocation()")});
  c->Accepted("device_to_same",
              {to_device, advise, place("DeviceLocation(0)")});
}

void PreconditionOf(RowContext* c) {
  const std::string argument = c->argument();
  switch (c->row().precondition()) {
    case INITIALIZED:
      return c->RefusedAlone("missing", {});
    case NOT_FINALIZED:
      return c->RefusedAlone("over", {"StartAndFinish();"});
    case CONTEXT_CURRENT:
      return Context(c);
    case STREAM_LIVE:
      return StreamLive(c);
    case STREAM_OF_CONTEXT:
      c->Refused(
          "other",
          {absl::StrCat(argument, " = world().StreamOfAnotherContext();")});
      return c->Accepted("kept", {});
    case DEFAULT_STREAM:
      c->Refused("missing",
                 {absl::StrCat(argument, " = nullptr;"), "WithoutContext();"});
      return c->Accepted("there", {absl::StrCat(argument, " = nullptr;")});
    case PEER_ACCESS:
      c->Refused("missing", {"world().DisablePeerAccess();"});
      return c->Accepted("kept", {});
    case OWNER_IS_NOT_DESTINATION:
      c->Refused("same", {absl::StrCat(argument, " = 0;")});
      return c->Accepted("kept", {});
    case NOT_MAPPED_ELSEWHERE:
      return NotMappedElsewhere(c);
    case PLACE_GIVEN:
      return PlaceGiven(c);
    default:
      return;
  }
}

}  // namespace

void BuildStateCases(RowContext* context) {
  if (context->row().kind() == PRODUCT) {
    context->Accepted("has_it", {});
  } else if (context->row().kind() == PRECONDITION) {
    PreconditionOf(context);
  }
}

}  // namespace npu::conformance
