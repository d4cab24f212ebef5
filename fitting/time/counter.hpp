#pragma once
// Frame counters of devices: 8, 16, 24 or 32 bits that wrap, frames that are missing, devices that
// restart.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tactelier {

/// What a counter does in ordinary running.
struct CounterPace {
  double step = 1;        // per row: 1 for frame numbers, 4000 for microseconds at 250 Hz
  double interval_s = 0;  // of time per row
};

/// Medians over the first rows; empty without three rows or for a counter that stands still.
std::optional<CounterPace> counter_pace(std::span<const double> time_s,
                                        std::span<const double> counter);

/// Follows a counter row by row. Time tells how far it should have come: a fall that fits a wrap
/// (however many) is one, any other is a restart.
class CounterReader {
 public:
  explicit CounterReader(const CounterPace& pace) : pace_(pace) {}

  /// The number without wraps, counted from the last (re)start's own value; NaN cells must not be
  /// handed in. restarted() tells whether this row was a restart.
  double add(double time_s, double counter);
  bool restarted() const { return restarted_; }

  double modulus() const { return modulus_; }  // 0: has not wrapped so far
  std::size_t wraps() const { return wraps_; }
  std::size_t missing() const { return missing_; }  // rows that the counter says were lost
  const std::vector<double>& restarts_s() const { return restarts_s_; }

 private:
  double turn(double expected, double difference);

  CounterPace pace_;
  bool started_ = false;
  bool restarted_ = false;
  double last_s_ = 0, last_ = 0, unwrapped_ = 0;
  double modulus_ = 0;
  std::size_t wraps_ = 0, missing_ = 0;
  std::vector<double> restarts_s_;
};

}  // namespace tactelier
