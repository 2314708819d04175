// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/own_library.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace npu::conformance {

absl::StatusOr<std::string> OwnLibrary() {
  constexpr char kInRunfiles[] = "/ascend_uvm/acl_api/libacl_rt.so";
  std::vector<std::string> roots;
  for (const char* name : {"TEST_SRCDIR", "RUNFILES_DIR"}) {
    if (getenv(name) != nullptr) roots.push_back(getenv(name));
  }
  char self[PATH_MAX + 1] = "";
  if (readlink("/proc/self/exe", self, PATH_MAX) > 0) {
    roots.push_back(absl::StrCat(self, ".runfiles"));
  }
  for (const std::string& root : roots) {
    const std::string path = absl::StrCat(root, kInRunfiles);
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return absl::NotFoundError(
      "our own library is not beside this program; give --library");
}

}  // namespace npu::conformance
