// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The emulated NPU as the back end of the library.

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "acl_api/error_code.h"
#include "acl_api/open_driver.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_macros.h"
#include "hal/emu/config.h"
#include "hal/emu/emulated_npu.h"

namespace npu::acl {
namespace {

// The file that is read at the start; empty for the defaults.
std::string ConfigPath() {
  const char* const path = std::getenv("NPU_EMU_CONFIG");
  return path == nullptr ? "" : path;
}

// Its text names the file, and the line and field where it has one.
absl::Status ConfigFailure(const absl::Status& status) {
  const aclError code =
      absl::IsNotFound(status) ? ACL_ERROR_INVALID_FILE : ACL_ERROR_PARSE_FILE;
  return Failure(code, absl::StrCat("NPU_EMU_CONFIG: ", status.message()));
}

absl::Status OpenFailure(const absl::Status& status) {
  const aclError code = DriverCodeOf(status).has_value()
                            ? CodeOf(status)
                            : ACL_ERROR_INTERNAL_ERROR;
  return Failure(code, absl::StrCat("the emulated NPU does not start: ",
                                    status.message()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<hal::Driver>> OpenDriver() {
  const auto config = hal::emu::LoadConfig(ConfigPath());
  if (!config.ok()) return ConfigFailure(config.status());
  auto opened = hal::emu::OpenEmulatedNpu(*config);
  if (!opened.ok()) return OpenFailure(opened.status());
  return std::move(*opened);
}

}  // namespace npu::acl
