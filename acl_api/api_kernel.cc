// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The C functions on kernels.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "acl/acl_rt_kernel.h"
#include "acl_api/arguments.h"
#include "acl_api/call.h"
#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "acl_api/kernel.h"
#include "acl_api/session.h"
#include "acl_api/stream_argument.h"
#include "hal/base/status_macros.h"

namespace npu::acl {
namespace {

// What this library does not take, on purpose loudly.
absl::Status NotTaken(absl::string_view name, const void* value) {
  if (value == nullptr) return absl::OkStatus();
  return PointerFailure(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, name, value,
                        "must be NULL: this library takes no such options");
}

absl::Status CheckReadable(const std::string& path) {
  struct stat about = {};
  const bool there = stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
  if (there && access(path.c_str(), R_OK) == 0) return absl::OkStatus();
  return Failure(ACL_ERROR_RT_FILE_OPEN,
                 absl::StrCat("binPath = ", path,
                              ": cannot be read, or is no regular file"));
}

absl::Status Load(const std::string& path, const void* options,
                  aclrtBinHandle* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto context, session.CurrentContext());
  NPU_RETURN_IF_ERROR(NotTaken("options", options));
  NPU_ASSIGN_OR_RETURN(hal::KernelLauncher * launcher,
                       session.runtime_or_null()->Kernels());
  NPU_RETURN_IF_ERROR(CheckReadable(path));
  const auto id = launcher->Load(path);
  if (!id.ok()) return AboutText("binPath", path, id.status());
  NPU_ASSIGN_OR_RETURN(*out, NewHandle(Handles::Get().binaries,
                                       std::make_shared<Binary>(
                                           *launcher, *id, context->device())));
  return absl::OkStatus();
}

absl::Status GetFunction(const void* handle, const std::string& name,
                         aclrtFuncHandle* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto binary, FindHandle(Handles::Get().binaries,
                                                     "binHandle", handle));
  const auto context = session.CurrentContext();
  const DeviceId device =
      context.ok() ? (*context)->device() : binary->device();
  NPU_ASSIGN_OR_RETURN(const hal::FunctionId id, binary->Find(name, device));
  NPU_ASSIGN_OR_RETURN(void* const function,
                       NewHandle(Handles::Get().functions,
                                 std::make_shared<Function>(binary, id)));
  binary->AddFunctionHandle(function);
  *out = function;
  return absl::OkStatus();
}

absl::Status Unload(aclrtBinHandle handle) {
  const Session session;
  const auto binary = Handles::Get().binaries.Remove(handle);
  if (binary == nullptr) {
    return FindHandle(Handles::Get().binaries, "binHandle", handle).status();
  }
  binary->Retire();
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Function>> FindFunction(aclrtFuncHandle handle) {
  return FindHandle(Handles::Get().functions, "funcHandle", handle);
}

absl::StatusOr<std::shared_ptr<ArgumentList>> FindArguments(
    aclrtArgsHandle handle) {
  return FindHandle(Handles::Get().arguments, "argsHandle", handle);
}

absl::Status InitArguments(aclrtFuncHandle handle, aclrtArgsHandle* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto function, FindFunction(handle));
  NPU_ASSIGN_OR_RETURN(void* const list,
                       NewHandle(Handles::Get().arguments,
                                 std::make_shared<ArgumentList>(function)));
  function->AddListHandle(list);
  *out = list;
  return absl::OkStatus();
}

// The value as a register holds it.
uint64_t ReadWord(const void* param, size_t size) {
  uint64_t word = 0;
  std::memcpy(&word, param, size);  // little endian
  return word;
}

absl::Status Append(aclrtArgsHandle handle, const void* param, size_t size,
                    aclrtParamHandle* out) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto list, FindArguments(handle));
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    return SizeFailure(ACL_ERROR_RT_PARAM_INVALID, "paramSize", size,
                       "must be 1, 2, 4 or 8: an integer or a pointer");
  }
  NPU_ASSIGN_OR_RETURN(const int position, list->Append(ReadWord(param, size)));
  // Nothing takes a parameter handle; it only has to differ from NULL.
  *out = reinterpret_cast<void*>(static_cast<uintptr_t>(position + 1));
  return absl::OkStatus();
}

absl::Status Finalize(aclrtArgsHandle handle) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto list, FindArguments(handle));
  return list->Finalize();
}

struct LaunchRequest {
  aclrtFuncHandle function;
  uint32_t blocks;
  aclrtStream stream;
  const void* config;
  aclrtArgsHandle arguments;
};

absl::Status Launch(const LaunchRequest& request) {
  const Session session;
  NPU_ASSIGN_OR_RETURN(const auto function, FindFunction(request.function));
  NPU_ASSIGN_OR_RETURN(const auto list, FindArguments(request.arguments));
  NPU_ASSIGN_OR_RETURN(const auto stream, FindStream(session, request.stream));
  if (list->function() != function) {
    return PointerFailure(ACL_ERROR_RT_PARAM_INVALID, "argsHandle",
                          request.arguments, "was made for another function");
  }
  NPU_ASSIGN_OR_RETURN(const hal::KernelArguments arguments, list->Take());
  NPU_RETURN_IF_ERROR(NotTaken("cfg", request.config));
  const hal::KernelCall call = {function->id(), stream->device(),
                                stream->lane(), request.blocks, arguments};
  // The task keeps the function, and so the binary, until it has run.
  return stream->Enqueue(
      [function, call] { return function->binary().launcher().Launch(call); });
}

}  // namespace
}  // namespace npu::acl

using namespace npu::acl;  // NOLINT: the C functions below are outside

aclError aclrtBinaryLoadFromFile(const char* binPath,
                                 aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("binPath", binPath));
    NPU_RETURN_IF_ERROR(NotNull("binHandle", binHandle));
    return Load(binPath, options, binHandle);
  });
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle,
                                const char* kernelName,
                                aclrtFuncHandle* funcHandle) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("binHandle", binHandle));
    NPU_RETURN_IF_ERROR(NotNull("kernelName", kernelName));
    NPU_RETURN_IF_ERROR(NotNull("funcHandle", funcHandle));
    return GetFunction(binHandle, kernelName, funcHandle);
  });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("binHandle", binHandle));
    return Unload(binHandle);
  });
}

aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle,
                             aclrtArgsHandle* argsHandle) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("funcHandle", funcHandle));
    NPU_RETURN_IF_ERROR(NotNull("argsHandle", argsHandle));
    return InitArguments(funcHandle, argsHandle);
  });
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param,
                               size_t paramSize,
                               aclrtParamHandle* paramHandle) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("argsHandle", argsHandle));
    NPU_RETURN_IF_ERROR(NotNull("param", param));
    NPU_RETURN_IF_ERROR(NotZero("paramSize", paramSize));
    NPU_RETURN_IF_ERROR(NotNull("paramHandle", paramHandle));
    return Append(argsHandle, param, paramSize, paramHandle);
  });
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("argsHandle", argsHandle));
    return Finalize(argsHandle);
  });
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle,
                                     uint32_t numBlocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg* cfg,
                                     aclrtArgsHandle argsHandle,
                                     void* reserve) {
  return Run(__func__, [&]() -> absl::Status {
    NPU_RETURN_IF_ERROR(NotNull("funcHandle", funcHandle));
    NPU_RETURN_IF_ERROR(NotZero("numBlocks", numBlocks));
    NPU_RETURN_IF_ERROR(NotNull("argsHandle", argsHandle));
    if (reserve != nullptr) {
      return PointerFailure(ACL_ERROR_INVALID_PARAM, "reserve", reserve,
                            "is reserved and must be NULL");
    }
    return Launch({funcHandle, numBlocks, stream, cfg, argsHandle});
  });
}
