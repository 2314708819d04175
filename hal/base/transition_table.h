// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// TransitionTable: a state machine as constexpr data.
//
//   enum class Light { kRed, kGreen, kCount };
//   enum class Event { kGo, kStop, kCount };
//   inline constexpr auto kLights = MakeTransitionTable<Light, Event>({
//       {Light::kRed, Event::kGo, Light::kGreen},
//       {Light::kGreen, Event::kStop, Light::kRed},
//   });
//   static_assert(kLights.IsDeterministic());
//   static_assert(kLights.IsReachableFrom(Light::kRed));
//   kLights.Next(Light::kRed, Event::kGo);    // Light::kGreen
//   kLights.Next(Light::kRed, Event::kStop);  // nullopt: not a legal move
//
// Both enums number their values from 0 and end in kCount.

#ifndef HAL_BASE_TRANSITION_TABLE_H_
#define HAL_BASE_TRANSITION_TABLE_H_

#include <cstddef>
#include <optional>

namespace npu {

// One row: in `state`, on `event`, go to `next`.
template <typename State, typename Event>
struct Transition {
  State state;
  Event event;
  State next;
};

// What it is: the rows of a machine. Owns its rows by value. Threads: constant
// data. Cost: Next is O(rows), meant to be folded by the compiler or asked off
// the hot path; the checks are O(rows squared) at compile time.
template <typename State, typename Event, size_t kRows>
class TransitionTable {
 public:
  using Row = Transition<State, Event>;

  constexpr explicit TransitionTable(const Row (&rows)[kRows]) {
    for (size_t i = 0; i < kRows; ++i) rows_[i] = rows[i];
  }

  constexpr const Row* begin() const { return rows_; }
  constexpr const Row* end() const { return rows_ + kRows; }
  constexpr size_t size() const { return kRows; }

  // Where `event` leads from `state`; nullopt where the table has no row, which
  // is an illegal move.
  constexpr std::optional<State> Next(State state, Event event) const {
    for (const Row& row : rows_) {
      if (row.state == state && row.event == event) return row.next;
    }
    return std::nullopt;
  }

  // True when no two rows answer the same question.
  constexpr bool IsDeterministic() const {
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t j = i + 1; j < kRows; ++j) {
        if (rows_[i].state == rows_[j].state &&
            rows_[i].event == rows_[j].event) {
          return false;
        }
      }
    }
    return true;
  }

  // True when every state can be reached from `start`.
  constexpr bool IsReachableFrom(State start) const {
    bool reached[kStates] = {};
    reached[static_cast<size_t>(start)] = true;
    // Each round reaches at least one state more, or nothing is left to reach.
    for (size_t round = 0; round < kStates; ++round) {
      for (const Row& row : rows_) {
        if (reached[static_cast<size_t>(row.state)]) {
          reached[static_cast<size_t>(row.next)] = true;
        }
      }
    }
    for (bool one : reached) {
      if (!one) return false;
    }
    return true;
  }

 private:
  static constexpr size_t kStates = static_cast<size_t>(State::kCount);

  Row rows_[kRows] = {};
};

// Deduces the number of rows.
template <typename State, typename Event, size_t kRows>
constexpr TransitionTable<State, Event, kRows> MakeTransitionTable(
    const Transition<State, Event> (&rows)[kRows]) {
  return TransitionTable<State, Event, kRows>(rows);
}

}  // namespace npu

#endif  // HAL_BASE_TRANSITION_TABLE_H_
