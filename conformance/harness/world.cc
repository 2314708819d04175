// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/harness/world.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "conformance/harness/product_table.h"
#include "conformance/harness/settings.h"
#include "gtest/gtest.h"

namespace npu::conformance {
namespace {

// Small, so that "all of the window" can be allocated and moved in a moment.
constexpr uint64_t kWindowBytes = 32 * kGranule;
constexpr uint64_t kDeviceBytes = 64 * kGranule;
constexpr uint64_t kBudgetBytes = 256 * kGranule;
// A window up to here is tried as a whole.
constexpr uint64_t kLargestTriedBytes = 512 * kGranule;

void* Pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

uint64_t Address(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

// Records a failure of the running test unless `code` is success.
bool Succeeds(aclError code, const char* step) {
  if (code == ACL_SUCCESS) return true;
  ADD_FAILURE() << step << " of the case's world answered " << code;
  return false;
}

bool ProductHas(const char* function) {
  return SupportOf(CurrentSettings().contract, function,
                   CurrentSettings().product) == Support::kHas;
}

}  // namespace

World& World::Get() {
  static auto* const world = new World();
  return *world;
}

absl::Status World::Load() {
  absl::StatusOr<Api> api = LoadApi(CurrentSettings().library);
  if (!api.ok()) return api.status();
  api_ = *api;
  return absl::OkStatus();
}

bool World::has_managed_memory() const {
  return ProductHas("aclrtMemAllocManaged");
}

int World::WriteConfiguration() {
  // A file without a name: whatever ends the process, nothing stays behind.
  const int descriptor = memfd_create("conformance", MFD_CLOEXEC);
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  FILE* file = descriptor < 0 ? nullptr : fopen(path.c_str(), "w");
  if (file == nullptr) {
    ADD_FAILURE() << "no file for the configuration";
    return descriptor;
  }
  std::fprintf(file,
               "product: %s\ncontract: \"%s\"\ndevice_count: 2\n"
               "device_memory_bytes: %llu\nhost_memory_bytes: %llu\n"
               "window_bytes: %llu\n",
               CurrentSettings().product.c_str(),
               CurrentSettings().contract.c_str(),
               static_cast<unsigned long long>(kDeviceBytes),
               static_cast<unsigned long long>(kBudgetBytes),
               static_cast<unsigned long long>(kWindowBytes));
  std::fclose(file);
  setenv("NPU_EMU_CONFIG", path.c_str(), 1);
  return descriptor;
}

void World::FindWindow() {
  if (!is_emulator()) return;
  Succeeds(api_.npuEmuGetWindow(&window_.base, &window_.bytes),
           "npuEmuGetWindow");
}

void World::EnablePeerAccess() {
  if (device_count_ < 2 || peer_access_) return;
  // Products without the mapping may lack peer access, too.
  if (!ProductHas("aclrtMemP2PMap")) return;
  peer_access_ =
      Succeeds(api_.aclrtDeviceEnablePeerAccess(1, 0), "peer access");
}

void World::Start() {
  if (up_) {
    EnablePeerAccess();
    return;
  }
  const int configuration = is_emulator() ? WriteConfiguration() : -1;
  const bool started = Succeeds(api_.aclInit(nullptr), "aclInit");
  if (configuration >= 0) close(configuration);
  if (!started || !Succeeds(api_.aclrtSetDevice(0), "aclrtSetDevice")) return;
  up_ = true;
  uint32_t count = 0;
  Succeeds(api_.aclrtGetDeviceCount(&count), "aclrtGetDeviceCount");
  device_count_ = static_cast<int32_t>(count);
  FindWindow();
  EnablePeerAccess();
}

void World::Clean() {
  for (aclrtStream stream : streams_) {
    Succeeds(api_.aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    Succeeds(api_.aclrtDestroyStream(stream), "aclrtDestroyStream");
  }
  for (aclrtEvent event : events_) {
    Succeeds(api_.aclrtDestroyEvent(event), "aclrtDestroyEvent");
  }
  for (aclrtContext context : contexts_) {
    Succeeds(api_.aclrtDestroyContext(context), "aclrtDestroyContext");
  }
  for (void* address : memory_) {
    Succeeds(api_.aclrtFree(address), "aclrtFree");
  }
  for (void* address : pinned_) {
    Succeeds(api_.aclrtFreeHost(address), "aclrtFreeHost");
  }
  for (void* address : heap_) std::free(address);
  streams_.clear();
  events_.clear();
  contexts_.clear();
  memory_.clear();
  pinned_.clear();
  heap_.clear();
  made_up_ = 0;
}

void World::Finish() {
  if (!up_) return;
  Clean();
  DisablePeerAccess();
  Succeeds(api_.aclrtResetDevice(0), "aclrtResetDevice");
  Succeeds(api_.aclFinalize(), "aclFinalize");
  up_ = false;
}

void World::Restart() {
  Clean();
  Succeeds(api_.aclFinalize(), "aclFinalize");
  up_ = false;
  peer_access_ = false;
  Start();
}

void* World::FromWindow(uint64_t bytes) {
  const uint64_t granules = (bytes + kGranule - 1) / kGranule;
  const uint64_t first = made_up_;
  made_up_ += granules;
  return Pointer(window_.base + first * kGranule);
}

void* World::AllocateManaged(uint64_t bytes) {
  if (!up_ || !has_managed_memory()) return FromWindow(bytes);
  void* address = nullptr;
  if (!Succeeds(api_.aclrtMemAllocManaged(&address, bytes, 1), "allocation")) {
    return FromWindow(bytes);
  }
  memory_.push_back(address);
  return address;
}

void World::Forget(void* address) {
  memory_.erase(std::remove(memory_.begin(), memory_.end(), address),
                memory_.end());
}

void World::Free(void* address) {
  if (std::count(memory_.begin(), memory_.end(), address) == 0) return;
  Forget(address);
  Succeeds(api_.aclrtFree(address), "aclrtFree");
}

Piece World::Managed(uint64_t granules) {
  return {AllocateManaged(granules * kGranule), granules * kGranule};
}

Piece World::WholeWindow() {
  if (window_.bytes > kLargestTriedBytes) {
    [] { GTEST_SKIP() << "the window cannot be made small"; }();
    return {Pointer(window_.base), kGranule};
  }
  while (!memory_.empty()) Free(memory_.back());
  made_up_ = 0;
  return {AllocateManaged(window_.bytes), window_.bytes};
}

Piece World::Freed(uint64_t granules) {
  const Piece piece = Managed(granules);
  Free(piece.address);
  return piece;
}

Piece World::Island() {
  // Until three in a row are adjacent: an allocator may fill holes first.
  for (int attempt = 0; attempt < 16; ++attempt) {
    const Piece below = Managed(1);
    const Piece middle = Managed(1);
    const Piece above = Managed(1);
    const uint64_t start = Address(middle.address);
    if (Address(below.address) + kGranule == start &&
        start + kGranule == Address(above.address)) {
      Free(below.address);
      Free(above.address);
      return middle;
    }
  }
  [] { GTEST_SKIP() << "no three adjacent allocations"; }();
  return Managed(1);
}

Piece World::BrokenRange() {
  for (int attempt = 0; attempt < 16; ++attempt) {
    const Piece first = Managed(1);
    const Piece hole = Managed(1);
    const Piece last = Managed(1);
    if (Address(first.address) + kGranule == Address(hole.address) &&
        Address(hole.address) + kGranule == Address(last.address)) {
      Free(hole.address);
      return {first.address, 3 * kGranule};
    }
  }
  [] { GTEST_SKIP() << "no three adjacent allocations"; }();
  return Managed(3);
}

Piece World::AdjacentPair() {
  for (int attempt = 0; attempt < 16; ++attempt) {
    const Piece first = Managed(1);
    const Piece second = Managed(1);
    if (Address(first.address) + kGranule == Address(second.address)) {
      return {first.address, 2 * kGranule};
    }
  }
  [] { GTEST_SKIP() << "no two adjacent allocations"; }();
  return Managed(2);
}

Piece World::Device(int32_t device, uint64_t bytes) {
  // A device's memory needs that device current; without a runtime any
  // address does.
  if (!up_) return HostHeap(bytes);
  void* address = nullptr;
  Succeeds(api_.aclrtSetDevice(device), "aclrtSetDevice");
  if (Succeeds(api_.aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST),
               "aclrtMalloc")) {
    memory_.push_back(address);
  }
  if (device != 0) {
    Succeeds(api_.aclrtSetDevice(0), "aclrtSetDevice");
  }
  return {address, bytes};
}

Piece World::FreedDevice(uint64_t bytes) {
  const Piece piece = Device(0, bytes);
  Free(piece.address);
  return piece;
}

Piece World::Pinned(uint64_t bytes) {
  void* address = nullptr;
  if (Succeeds(api_.aclrtMallocHost(&address, bytes), "aclrtMallocHost")) {
    pinned_.push_back(address);
  }
  return {address, bytes};
}

Piece World::HostHeap(uint64_t bytes) {
  void* address = nullptr;
  if (posix_memalign(&address, kGranule, bytes) != 0) {
    ADD_FAILURE() << "no host memory";
    return {nullptr, bytes};
  }
  heap_.push_back(address);
  return {address, bytes};
}

aclrtStream World::Stream() {
  if (!up_) return nullptr;
  aclrtStream stream = nullptr;
  if (Succeeds(api_.aclrtCreateStream(&stream), "aclrtCreateStream")) {
    streams_.push_back(stream);
  }
  return stream;
}

aclrtStream World::DestroyedStream() {
  aclrtStream stream = nullptr;
  Succeeds(api_.aclrtCreateStream(&stream), "aclrtCreateStream");
  Succeeds(api_.aclrtDestroyStream(stream), "aclrtDestroyStream");
  return stream;
}

aclrtStream World::StreamOfAnotherContext() {
  aclrtContext before = nullptr;
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  Succeeds(api_.aclrtGetCurrentContext(&before), "aclrtGetCurrentContext");
  if (!Succeeds(api_.aclrtCreateContext(&context, 0), "aclrtCreateContext")) {
    return nullptr;
  }
  contexts_.push_back(context);
  Succeeds(api_.aclrtCreateStream(&stream), "aclrtCreateStream");
  Succeeds(api_.aclrtSetCurrentContext(before), "aclrtSetCurrentContext");
  return stream;
}

aclrtEvent World::Event() {
  aclrtEvent event = nullptr;
  if (Succeeds(api_.aclrtCreateEvent(&event), "aclrtCreateEvent")) {
    events_.push_back(event);
  }
  return event;
}

void World::DisablePeerAccess() {
  if (!peer_access_) return;
  peer_access_ = false;
  Succeeds(api_.aclrtDeviceDisablePeerAccess(1), "peer access off");
}

World::Touches World::host_touches() const {
  const char* rung = is_emulator() ? api_.npuEmuGetRung() : "full";
  const bool seen = rung == nullptr || std::strcmp(rung, "full") == 0 ||
                    std::strcmp(rung, "user-mode") == 0;
  return seen ? Touches::kSeen : Touches::kUnseen;
}

void World::TouchOnHost(const void* address) {
  if (!up_ || !has_managed_memory()) return;
  if (host_touches() == Touches::kUnseen) {
    [this] {
      GTEST_SKIP() << "rung " << api_.npuEmuGetRung()
                   << " does not see the host's touches";
    }();
  }
  *static_cast<volatile char*>(const_cast<void*>(address)) = 1;
}

void World::Move(const void* address, aclrtMemManagedLocation place) {
  if (!up_ || !has_managed_memory()) return;
  aclrtStream stream = Stream();
  Succeeds(
      api_.aclrtMemManagedPrefetchAsync(address, kGranule, place, 0, stream),
      "prefetch");
  Succeeds(api_.aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
}

void World::OnNewThread(const std::function<void()>& body) {
  std::thread(body).join();
}

}  // namespace npu::conformance
