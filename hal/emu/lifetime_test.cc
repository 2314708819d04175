// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// What begins and what ends with a driver: threads, processes, descriptors,
// mappings; and what becomes of those who wait.

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/api/kernel_launcher.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_matchers.h"
#include "hal/emu/emulated_npu.h"
#include "hal/emu/testing/emulator_fixture.h"

namespace npu::hal::emu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

uint64_t Bits(const volatile void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

std::vector<std::string> Names(const char* folder) {
  std::vector<std::string> names;
  DIR* const open = opendir(folder);
  while (const dirent* entry = readdir(open)) names.push_back(entry->d_name);
  closedir(open);
  std::sort(names.begin(), names.end());
  return names;
}

// Mappings of memory files and of windows.
size_t OurMappings() {
  std::ifstream maps("/proc/self/maps");
  size_t found = 0;
  for (std::string line; std::getline(maps, line);) {
    found += line.find("memfd:npu") != std::string::npos ? 1 : 0;
  }
  return found;
}

// Whether a process runs; one that is dead and not yet waited for does not.
bool Runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  return text[text.rfind(')') + 2] != 'Z';
}

bool EndsSoon(pid_t process) {
  const auto deadline = std::chrono::steady_clock::now() + seconds(10);
  while (Runs(process)) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return true;
}

class LifetimeTest : public EmulatorFixture {
 protected:
  void SetUp() override {
    Open(SmallConfig());
    if (!IsSkipped() && !HasFatalFailure()) TearDown();
  }

  pid_t PidOf(int32_t device) {
    volatile uint64_t* const answer = Word(kLiveGranules - 1);
    EXPECT_THAT(Call(device, "own_pid", {Bits(answer)}), IsOk());
    return static_cast<pid_t>(*answer);
  }

  // Runs `end` in a child that has a driver open; the pid of its device.
  template <typename End>
  pid_t DeviceOfAChildThat(End&& end) {
    int pipe_ends[2];
    EXPECT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      Open(SmallConfig());
      const pid_t device = PidOf(0);
      if (write(pipe_ends[1], &device, sizeof(device)) != sizeof(device)) {
        _exit(1);
      }
      end();
      _exit(0);
    }
    close(pipe_ends[1]);
    pid_t device = 0;
    EXPECT_EQ(read(pipe_ends[0], &device, sizeof(device)),
              static_cast<ssize_t>(sizeof(device)));
    close(pipe_ends[0]);
    child_ = child;
    return device;
  }
  int StatusOfTheChild() {
    int status = 0;
    EXPECT_EQ(waitpid(child_, &status, 0), child_);
    return status;
  }

  pid_t child_ = 0;
};

TEST_F(LifetimeTest, NothingIsLeftBehind) {
  const auto descriptors = Names("/proc/self/fd");
  const size_t threads = Names("/proc/self/task").size();
  for (int round = 0; round < 3; ++round) {
    Open(SmallConfig());
    *Word(3) = 1;
    const pid_t device = PidOf(1);
    EXPECT_TRUE(Runs(device));
    EXPECT_GT(OurMappings(), 0u);
    EXPECT_GT(Names("/proc/self/task").size(), threads);
    TearDown();
    EXPECT_FALSE(Runs(device));
    EXPECT_EQ(OurMappings(), 0u);
    EXPECT_EQ(Names("/proc/self/fd"), descriptors);
    EXPECT_EQ(Names("/proc/self/task").size(), threads);
  }
}

TEST_F(LifetimeTest, DescriptorsAreNotInherited) {
  Open(SmallConfig());
  for (const std::string& name : Names("/proc/self/fdinfo")) {
    std::ifstream about("/proc/self/fdinfo/" + name);
    char target[256] = {};
    const ssize_t length =
        readlink(("/proc/self/fd/" + name).c_str(), target, sizeof(target) - 1);
    const std::string where(
        target, length > 0 ? static_cast<size_t>(length) : size_t{0});
    const bool ours = where.find("npu-") != std::string::npos ||
                      where.find("userfaultfd") != std::string::npos ||
                      where.find("pidfd") != std::string::npos ||
                      where.find("socket:") != std::string::npos ||
                      where.find("eventfd") != std::string::npos;
    std::string word;
    while (about >> word && word != "flags:") {
    }
    if (!ours || !(about >> word)) continue;
    EXPECT_NE(std::stoul(word, nullptr, 8) & O_CLOEXEC, 0u) << where;
  }
}

TEST_F(LifetimeTest, DevicesEndWithAProgramThatIsKilled) {
  const pid_t device = DeviceOfAChildThat([] { raise(SIGKILL); });
  EXPECT_TRUE(WIFSIGNALED(StatusOfTheChild()));
  EXPECT_TRUE(EndsSoon(device));
}

TEST_F(LifetimeTest, DevicesEndWithAProgramThatExits) {
  const pid_t device = DeviceOfAChildThat([] {});
  EXPECT_TRUE(WIFEXITED(StatusOfTheChild()));
  EXPECT_TRUE(EndsSoon(device));
}

TEST_F(LifetimeTest, DevicesEndWithAProgramThatBecomesAnother) {
  const pid_t device = DeviceOfAChildThat(
      [] { execl("/bin/sleep", "sleep", "60", static_cast<char*>(nullptr)); });
  EXPECT_TRUE(EndsSoon(device));
  EXPECT_EQ(waitpid(child_, nullptr, WNOHANG), 0);  // it goes on
  kill(child_, SIGKILL);
  StatusOfTheChild();
}

TEST_F(LifetimeTest, AKernelThatRunsIsAnExceptionAtTheEnd) {
  Open(SmallConfig());
  auto* const flag = new (Word(0)) std::atomic<uint64_t>(0);
  absl::Status status;
  std::thread waiting([&] {
    status = Call(0, "announce_and_wait_for", {Bits(Word(1)), Bits(flag)});
  });
  const volatile uint64_t* const here = Word(1);
  while (*here == 0) std::this_thread::yield();
  const pid_t device = PidOf(1);
  parts().faults->Stop();
  waiting.join();
  EXPECT_TRUE(IsKernelException(status)) << status;
  EXPECT_TRUE(EndsSoon(device));
  // Without a wait for what never comes.
  EXPECT_EQ(DriverCodeOf(Call(0, "crash", {})), DriverCode::kBusDown);
  parts().faults->Stop();
}

TEST_F(LifetimeTest, AThreadThatWaitsInAFaultIsEndedByStop) {
  EXPECT_EXIT(
      {
        Open(SmallConfig());
        signal(SIGSEGV, SIG_DFL);
        std::atomic<bool> busy{false};
        std::thread other([&] {
          // While it runs, nobody serves the fault below.
          OnService([&](PageResidency&) {
            busy.store(true);
            std::this_thread::sleep_for(milliseconds(300));
          });
        });
        while (!busy.load()) std::this_thread::yield();
        std::thread toucher([&] { *Word(9) = 1; });
        std::this_thread::sleep_for(milliseconds(100));
        parts().faults->Stop();
        toucher.join();
        _exit(0);
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(LifetimeTest, AServiceStartsOnce) {
  Open(SmallConfig());
  const FaultSinks sinks = {&pager(), &pager()};
  EXPECT_THAT(parts().faults->Start(sinks),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  parts().faults->Stop();
  EXPECT_THAT(parts().faults->Start(sinks),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(LifetimeTest, TwoDoNotFitInOnePlace) {
  Open(SmallConfig());
  const auto second = OpenEmulatedNpu(SmallConfig());
  EXPECT_EQ(DriverCodeOf(second.status()), DriverCode::kOutOfMemory);
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr("the managed window"));
  *Word(0) = 4;
  EXPECT_EQ(*Word(0), 4u);
}

TEST_F(LifetimeTest, RungsThatAreNotThereAreNamed) {
  for (const Rung rung : {USER_MODE, DEVICE_ONLY}) {
    EmulatorConfig config = SmallConfig();
    config.set_rung(rung);
    const auto driver = OpenEmulatedNpu(config);
    EXPECT_EQ(DriverCodeOf(driver.status()), DriverCode::kNotSupported);
    EXPECT_THAT(std::string(driver.status().message()),
                HasSubstr(Rung_Name(rung)));
  }
}

TEST_F(LifetimeTest, AnOrdinaryUserGetsTheBestThereIs) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    // Who is no root is an ordinary user already.
    if (getuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) _exit(2);
    EmulatorConfig config = SmallConfig();
    config.set_rung(BEST);
    Open(config);
    if (HasFatalFailure()) _exit(3);
    *Word(0) = 6;
    const absl::Status called = Call(0, "load", {Bits(Word(0)), Bits(Word(1))});
    _exit(called.ok() && *Word(1) == 6 ? 0 : 4);
  }
  child_ = child;
  const int status = StatusOfTheChild();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
    GTEST_SKIP() << "this sandbox has no other user";
  }
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace npu::hal::emu
