// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The C functions that start and end the runtime and that answer errors.

#include <sys/stat.h>

#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "acl/acl_rt_init.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/error_code.h"
#include "acl_api/json_check.h"
#include "acl_api/lifecycle.h"
#include "acl_api/session.h"
#include "acl_api/thread_state.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

constexpr off_t kMostBytes = 1 << 20;

absl::Status FileFailure(aclError code, const std::string& path,
                         absl::string_view why) {
  return Failure(code, absl::StrCat("configPath = ", path, ": ", why));
}

// A pipe or a device could keep the reader for ever.
absl::Status CheckFile(const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) {
    return FileFailure(ACL_ERROR_INVALID_FILE, path,
                       "cannot be read, or is no regular file");
  }
  if (about.st_size <= kMostBytes) return absl::OkStatus();
  return FileFailure(ACL_ERROR_INVALID_FILE_SIZE, path, "is over 1 MiB");
}

// The content of the configuration file; empty for NULL. The name is copied:
// the kernel may not be able to fault it in.
absl::StatusOr<std::string> ReadConfig(const char* name) {
  if (name == nullptr) return std::string();
  const std::string path = name;
  NPU_RETURN_IF_ERROR(CheckFile(path));
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file.is_open() || content.bad()) {
    return FileFailure(ACL_ERROR_INVALID_FILE, path, "cannot be read");
  }
  const absl::Status json = CheckJson(content.str());
  if (json.ok()) return content.str();
  return FileFailure(ACL_ERROR_PARSE_FILE, path, json.message());
}

absl::StatusOr<aclError> LastError(aclrtLastErrLevel level,
                                   aclError (*take)(ThreadState&)) {
  NPU_RETURN_IF_ERROR(InInterval("level", level,
                                 {ACL_RT_THREAD_LEVEL, ACL_RT_THREAD_LEVEL},
                                 ACL_ERROR_INVALID_PARAM));
  return take(ThreadState::Mine());
}

// The answer is a code itself: that of the slot, or that of the call.
aclError AnswerLastError(const char* function, aclrtLastErrLevel level,
                         aclError (*take)(ThreadState&)) {
  aclError last = ACL_SUCCESS;
  const aclError own = Run(function, [&]() -> absl::Status {
    NPU_ASSIGN_OR_RETURN(last, LastError(level, take));
    return absl::OkStatus();
  });
  return own == ACL_SUCCESS ? last : own;
}

// A copy that is never freed: clients keep the pointer beyond aclFinalize.
// There are as many as there are different names.
const char* Lasting(const std::string& text) {
  static std::mutex* const mutex = new std::mutex();
  static auto* const texts = new std::set<std::string>();
  const std::lock_guard<std::mutex> lock(*mutex);
  return texts->insert(text).first->c_str();
}

absl::StatusOr<const char*> SocName() {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const Runtime* runtime, session.Started());
  return Lasting(runtime->description().soc_name);
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclInit(const char* configPath) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_ASSIGN_OR_RETURN(const std::string content, ReadConfig(configPath));
    return Lifecycle::Get().Init(content);
  });
}

aclError aclFinalize(void) {
  return Run(__func__, [] { return Lifecycle::Get().Finalize(); });
}

const char* aclrtGetSocName(void) {
  const char* name = nullptr;
  Run(__func__, [&]() -> absl::Status {
    NPU_ASSIGN_OR_RETURN(name, SocName());
    return absl::OkStatus();
  });
  return name;
}

// Not by Run, whose text would be the next answer; no lock is touched, so that
// a forked child can ask, too.
const char* aclGetRecentErrMsg(void) {
  try {
    return ThreadState::Mine().TakeTexts();
  } catch (const std::exception&) {
    return nullptr;
  }
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return AnswerLastError(__func__, level, [](ThreadState& state) {
    return state.TakeLastError();
  });
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return AnswerLastError(__func__, level,
                         [](ThreadState& state) { return state.last_error(); });
}
