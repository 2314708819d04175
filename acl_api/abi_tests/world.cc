// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/abi_tests/world.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace npu::acl::testing {

std::string RecentText() {
  const char* const text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

std::string WriteFile(const std::string& name, const std::string& content) {
  const std::string path =
      ::testing::TempDir() + "/" + std::to_string(getpid()) + "_" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

void UseEmulatorConfig(const std::string& textproto) {
  static std::string written;
  if (!written.empty()) unlink(written.c_str());
  written.clear();
  unsetenv("NPU_EMU_CONFIG");
  if (textproto.empty()) return;
  written = WriteFile("emulator.textproto", textproto);
  setenv("NPU_EMU_CONFIG", written.c_str(), 1);
}

void World::SetUp() {
  UseEmulatorConfig("device_memory_bytes: 268435456\n" + extra_);
  ASSERT_DONE(aclInit(nullptr));
  ASSERT_DONE(aclrtSetDevice(0));
}

void World::TearDown() {
  aclFinalize();  // a test may have ended the runtime itself
  RecentText();
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  UseEmulatorConfig("");
}

void* World::Managed(size_t bytes) {
  void* ptr = nullptr;
  EXPECT_DONE(aclrtMemAllocManaged(&ptr, bytes, ACL_RT_MEM_ATTACH_GLOBAL));
  return ptr;
}

void* World::Device(size_t bytes) {
  void* ptr = nullptr;
  EXPECT_DONE(aclrtMalloc(&ptr, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return ptr;
}

bool World::Tracks() {
  const char* const rung = npuEmuGetRung();
  return rung != nullptr && std::string(rung) == "full";
}

npuEmuResidency World::Residency(const void* ptr) {
  npuEmuResidency residency = {};
  EXPECT_DONE(npuEmuGetResidency(ptr, &residency));
  return residency;
}

uint64_t World::Faults(int32_t node) {
  npuEmuCounters counters = {};
  EXPECT_DONE(npuEmuGetCounters(node, &counters));
  return counters.faults;
}

}  // namespace npu::acl::testing
