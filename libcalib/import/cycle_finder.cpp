#include "libcalib/import/cycle_finder.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kCycleNoises = 6;
constexpr double kRestShare = 0.25;  // of the least swing: rows so near a valley are its rest
constexpr double kTail = 0.02;       // of the rows at either end of the range

double cycle_range(std::span<const double> signal) {
  std::vector<double> values;
  std::copy_if(signal.begin(), signal.end(), std::back_inserter(values),
               [](double v) { return !std::isnan(v); });
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto tail = static_cast<std::size_t>(kTail * static_cast<double>(values.size() - 1));
  return values[values.size() - 1 - tail] - values[tail];
}

struct Turn {
  std::size_t row = 0;
  bool peak = false;
};

/// Peaks and valleys by turns, each `swing` or more from the one before.
class Turns {
 public:
  Turns(std::span<const double> signal, double swing) : signal_(signal), swing_(swing) {}

  std::vector<Turn> run() {
    std::size_t first = 0;
    while (first < signal_.size() && std::isnan(signal_[first])) ++first;
    if (first == signal_.size()) return {};
    high_ = low_ = first;
    for (std::size_t row = first; row < signal_.size(); ++row)
      if (!std::isnan(signal_[row])) follow(row);
    if (!found_.empty()) found_.push_back({rising_ ? high_ : low_, rising_});
    return std::move(found_);
  }

 private:
  void follow(std::size_t row) {
    if (signal_[row] > signal_[high_]) high_ = row;
    if (signal_[row] < signal_[low_]) low_ = row;
    const bool rose = signal_[row] - signal_[low_] >= swing_;
    const bool fell = signal_[high_] - signal_[row] >= swing_;
    if (rose && (found_.empty() || !rising_))
      turn(low_, false, row);
    else if (fell && (found_.empty() || rising_))
      turn(high_, true, row);
  }

  void turn(std::size_t at, bool peak, std::size_t now) {
    found_.push_back({at, peak});
    rising_ = !peak;
    high_ = low_ = now;
  }

  std::span<const double> signal_;
  double swing_;
  bool rising_ = false;
  std::size_t high_ = 0, low_ = 0;  // since the turn before
  std::vector<Turn> found_;
};

}  // namespace

std::vector<double> rising_from_start(std::vector<double> signal) {
  const auto is_number = [](double v) { return !std::isnan(v); };
  const auto first = std::find_if(signal.begin(), signal.end(), is_number);
  if (first == signal.end()) return signal;
  double low = *first, high = *first;
  for (const double v : signal) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (high - *first < *first - low)
    for (double& v : signal) v = -v;
  return signal;
}

std::vector<LevelRows> find_cycles(std::span<const double> signal, double within) {
  const double swing = std::max(within * cycle_range(signal), kCycleNoises * noise_of(signal));
  if (!(swing > 0)) return {};
  const auto turns = Turns(signal, swing).run();
  const auto rests = [&](std::size_t row, double valley) {
    return !(signal[row] > valley + kRestShare * swing);  // NaN too
  };
  const auto middle = [&](std::size_t row) {
    std::size_t first = row, last = row;
    const double valley = signal[row];
    while (first > 0 && rests(first - 1, valley)) --first;
    while (last + 1 < signal.size() && rests(last + 1, valley)) ++last;
    return first == 0 ? first : last + 1 == signal.size() ? last : (first + last) / 2;
  };
  std::vector<LevelRows> cycles;
  for (std::size_t i = 0; i + 2 < turns.size(); ++i)
    if (!turns[i].peak && signal[turns[i + 1].row] - signal[turns[i + 2].row] >= swing)
      cycles.push_back({middle(turns[i].row), middle(turns[i + 2].row)});
  for (std::size_t i = 1; i < cycles.size(); ++i)
    if (cycles[i].first == cycles[i - 1].last) ++cycles[i].first;
  return cycles;
}

}  // namespace tactelier
