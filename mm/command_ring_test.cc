// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "mm/command_ring.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace npu::mm {
namespace {

Command Numbered(uint32_t number) {
  return {CommandKind::kPrefetch, GranuleRange::One(GranuleIndex(number))};
}

// Answers each command by its number until told to stop.
class Taker {
 public:
  explicit Taker(CommandRing& ring)
      : thread_([this, &ring] {
          while (!stop_.load()) {
            const Command* const command = ring.Front();
            if (command == nullptr) {
              std::this_thread::yield();
              continue;
            }
            const bool even = command->range.begin().value() % 2 == 0;
            ++taken_;  // before the poster hears of it
            ring.Answer(even ? CommandResult::kDone : CommandResult::kDead);
          }
        }) {}
  ~Taker() {
    stop_.store(true);
    thread_.join();
  }
  int taken() const { return taken_.load(); }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<int> taken_{0};
  std::thread thread_;
};

TEST(CommandRingTest, EachPosterGetsItsOwnAnswer) {
  CommandRing ring;
  constexpr int kThreads = 4;
  constexpr int kEach = 2000;
  std::atomic<int> kicks{0};
  {
    Taker taker(ring);
    std::vector<std::thread> posters;
    for (int t = 0; t < kThreads; ++t) {
      posters.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) {
          const auto number = static_cast<uint32_t>(t * kEach + i);
          const CommandResult result =
              ring.Post(Numbered(number), [&] { ++kicks; });
          ASSERT_EQ(result, number % 2 == 0 ? CommandResult::kDone
                                            : CommandResult::kDead);
        }
      });
    }
    for (std::thread& poster : posters) poster.join();
    EXPECT_EQ(taker.taken(), kThreads * kEach);
  }
  EXPECT_EQ(kicks.load(), kThreads * kEach);
  EXPECT_EQ(ring.Front(), nullptr);
  ring.CheckInvariants();
}

TEST(CommandRingTest, CloseAnswersWhoWaitsAndWhoComes) {
  CommandRing ring;
  std::atomic<bool> kicked{false};
  CommandResult result = CommandResult::kDone;
  std::thread poster(
      [&] { result = ring.Post(Numbered(0), [&] { kicked.store(true); }); });
  while (!kicked.load()) std::this_thread::yield();
  ring.Close();
  poster.join();
  EXPECT_EQ(result, CommandResult::kStopped);
  EXPECT_EQ(ring.Post(Numbered(0), [] { FAIL(); }), CommandResult::kStopped);
}

}  // namespace
}  // namespace npu::mm
