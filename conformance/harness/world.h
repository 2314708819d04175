// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The smallest world in which a case can run, on the judged library.
#ifndef CONFORMANCE_HARNESS_WORLD_H_
#define CONFORMANCE_HARNESS_WORLD_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "conformance/harness/api.h"

namespace npu::conformance {

constexpr uint64_t kGranule = uint64_t{2} << 20;

// Addresses [base, base + bytes) of managed memory.
struct Window {
  uint64_t base;
  uint64_t bytes;
  uint64_t end() const { return base + bytes; }
};

// A piece of memory under test.
struct Piece {
  void* address;
  uint64_t bytes;
};

// One per process. Start() brings the runtime up with device 0 current and
// peer access 0 -> 1 enabled where there are two devices; what a case makes
// afterwards is released by Clean(), and Finish() ends the runtime. On the
// emulator Start() chooses product, revision and a small window by a
// configuration file.
// A step that fails is a failure of the running test, so a library that
// refuses everything fails each case. On a product without managed memory the
// managed pieces are made-up addresses inside the window.
// Threads: of one thread, but for api().
class World {
 public:
  static World& Get();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Loads the library; before everything else.
  absl::Status Load();
  void Start();
  void Clean();
  void Finish();
  // After a case reset the device itself: the runtime ends and starts again.
  void Restart();

  const Api& api() const { return api_; }
  bool is_up() const { return up_; }
  bool is_emulator() const { return api_.npuEmuGetWindow != nullptr; }
  bool has_managed_memory() const;
  Window window() const { return window_; }
  int32_t device_count() const { return device_count_; }
  // Of the machine that we configured; 1 on another library.
  int32_t numa_nodes() const { return 1; }

  // Memory of the kinds that arguments can point to, each new.
  Piece Managed(uint64_t granules);
  Piece WholeWindow();  // all of it, one allocation; skips the test
                        // where that is too large to try
  Piece Freed(uint64_t granules);
  Piece Island();        // one granule, nothing before and behind
  Piece BrokenRange();   // three granules, the middle one freed
  Piece AdjacentPair();  // two allocations without a gap
  Piece Device(int32_t device, uint64_t bytes);
  Piece FreedDevice(uint64_t bytes);
  Piece Pinned(uint64_t bytes);
  Piece HostHeap(uint64_t bytes);  // aligned to 2 MiB

  // Handles.
  aclrtStream Stream();
  aclrtStream DestroyedStream();
  aclrtStream StreamOfAnotherContext();
  aclrtEvent Event();

  void DisablePeerAccess();

  // Whether a touch by the host is seen as such: not on the emulator's lesser
  // rungs, "device-only" and "untracked".
  enum class Touches { kSeen, kUnseen };
  Touches host_touches() const;

  // Moves the granule of managed memory at `address`; nothing where the
  // product has none. A touch that is not seen skips the test.
  void TouchOnHost(const void* address);
  void Move(const void* address, aclrtMemManagedLocation place);

  // Runs `body` on a new thread, where no device was ever set, and waits.
  void OnNewThread(const std::function<void()>& body);

 private:
  World() = default;
  int WriteConfiguration();
  void FindWindow();
  void EnablePeerAccess();
  void* FromWindow(uint64_t bytes);
  void* AllocateManaged(uint64_t bytes);
  void Free(void* address);
  void Forget(void* address);

  Api api_ = {};
  bool up_ = false;
  Window window_ = {uint64_t{0x90000000000}, uint64_t{3} << 40};
  int32_t device_count_ = 0;
  bool peer_access_ = false;
  uint64_t made_up_ = 0;  // granules given out by FromWindow
  std::vector<void*> memory_;
  std::vector<void*> pinned_;
  std::vector<void*> heap_;
  std::vector<aclrtStream> streams_;
  std::vector<aclrtEvent> events_;
  std::vector<aclrtContext> contexts_;
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_WORLD_H_
