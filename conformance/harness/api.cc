// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/api.h"

#include <dlfcn.h>

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace npu::conformance {
namespace {

// Finds functions in one library and keeps the names that it lacks.
class Finder {
 public:
  explicit Finder(void* library) : library_(library) {}

  template <class Function>
  void Require(const char* name, Function* out) {
    Optional(name, out);
    if (*out == nullptr) missing_.push_back(name);
  }

  template <class Function>
  void Optional(const char* name, Function* out) {
    *out = reinterpret_cast<Function>(dlsym(library_, name));
  }

  const std::vector<std::string>& missing() const { return missing_; }

 private:
  void* library_;
  std::vector<std::string> missing_;
};

void FindAll(Finder* finder, Api* api) {
#define REQUIRE(name) finder->Require(#name, &api->name)
  REQUIRE(aclInit);
  REQUIRE(aclFinalize);
  REQUIRE(aclGetRecentErrMsg);
  REQUIRE(aclrtGetLastError);
  REQUIRE(aclrtSetDevice);
  REQUIRE(aclrtResetDevice);
  REQUIRE(aclrtGetDeviceCount);
  REQUIRE(aclrtDeviceEnablePeerAccess);
  REQUIRE(aclrtDeviceDisablePeerAccess);
  REQUIRE(aclrtDevicePeerAccessStatus);
  REQUIRE(aclrtCreateContext);
  REQUIRE(aclrtDestroyContext);
  REQUIRE(aclrtSetCurrentContext);
  REQUIRE(aclrtGetCurrentContext);
  REQUIRE(aclrtCreateStream);
  REQUIRE(aclrtDestroyStream);
  REQUIRE(aclrtSynchronizeStream);
  REQUIRE(aclrtCreateEvent);
  REQUIRE(aclrtDestroyEvent);
  REQUIRE(aclrtLaunchHostFunc);
  REQUIRE(aclrtMalloc);
  REQUIRE(aclrtFree);
  REQUIRE(aclrtMallocHost);
  REQUIRE(aclrtFreeHost);
  REQUIRE(aclrtGetMemInfo);
  REQUIRE(aclrtMemAllocManaged);
  REQUIRE(aclrtMemManagedAdvise);
  REQUIRE(aclrtMemManagedGetAttr);
  REQUIRE(aclrtMemManagedGetAttrs);
  REQUIRE(aclrtMemManagedPrefetchAsync);
  REQUIRE(aclrtMemManagedPrefetchBatchAsync);
  REQUIRE(aclrtMemP2PMap);
  REQUIRE(aclrtPointerGetAttributes);
#undef REQUIRE
  finder->Optional("npuEmuGetResidency", &api->npuEmuGetResidency);
  finder->Optional("npuEmuGetCounters", &api->npuEmuGetCounters);
  finder->Optional("npuEmuGetWindow", &api->npuEmuGetWindow);
  finder->Optional("npuEmuGetRung", &api->npuEmuGetRung);
}

}  // namespace

absl::StatusOr<Api> LoadApi(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::NotFoundError(dlerror());
  Finder finder(library);
  Api api = {};
  FindAll(&finder, &api);
  if (!finder.missing().empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " lacks ", absl::StrJoin(finder.missing(), ", ")));
  }
  return api;
}

}  // namespace npu::conformance
