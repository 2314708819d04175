// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The kernel binaries that a device process has loaded.

#ifndef HAL_EMU_DEVICE_BINARIES_H_
#define HAL_EMU_DEVICE_BINARIES_H_

#include <cstdint>
#include <map>
#include <string>

namespace npu::hal::emu {

// What it is: shared objects by number. Owns them. Threads: the manager's only.
class Binaries {
 public:
  // Loads the object behind a descriptor, which it takes. An empty text, or why
  // it cannot be loaded.
  std::string Load(uint64_t id, int fd);

  // The address of a function; 0 when there is none of that name.
  uint64_t Find(uint64_t id, const char* name) const;

  void Unload(uint64_t id);

 private:
  struct Binary {
    void* handle;
    int fd;  // open as long as the object is loaded: it is its name
  };

  std::map<uint64_t, Binary> loaded_;
  int next_fd_ = 1000;
};

}  // namespace npu::hal::emu

#endif  // HAL_EMU_DEVICE_BINARIES_H_
