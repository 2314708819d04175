// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/device/binaries.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace npu::hal::emu {

std::string Binaries::Load(uint64_t id, int fd) {
  if (fd < 0) return "no descriptor of the binary came";
  // The loader knows objects by their path, which is that of the descriptor
  // here: no number may serve twice.
  const int own = fcntl(fd, F_DUPFD_CLOEXEC, next_fd_);
  close(fd);
  if (own < 0) return strerror(errno);
  next_fd_ = own + 1;
  const std::string path = "/proc/self/fd/" + std::to_string(own);
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = dlerror();
    close(own);
    return why != nullptr ? why : "unknown error of the loader";
  }
  loaded_[id] = {handle, own};
  return "";
}

uint64_t Binaries::Find(uint64_t id, const char* name) const {
  const auto found = loaded_.find(id);
  if (found == loaded_.end()) return 0;
  return reinterpret_cast<uint64_t>(dlsym(found->second.handle, name));
}

void Binaries::Unload(uint64_t id) {
  const auto found = loaded_.find(id);
  if (found == loaded_.end()) return;
  dlclose(found->second.handle);
  close(found->second.fd);
  loaded_.erase(found);
}

}  // namespace npu::hal::emu
