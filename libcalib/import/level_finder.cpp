#include "libcalib/import/level_finder.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace tactelier {
namespace {

constexpr std::size_t kMinRows = 5;
constexpr double kNoises = 4;
constexpr double kMadToSigma = 1.4826;
constexpr double kShareOfTable = 0.02;
constexpr double kClimb = 0.5;  // of the tolerance band, end to end: more is a ramp

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

std::vector<double> finite(std::span<const double> signal) {
  std::vector<double> kept;
  std::copy_if(signal.begin(), signal.end(), std::back_inserter(kept),
               [](double v) { return !std::isnan(v); });
  return kept;
}

class LevelSearch {
 public:
  LevelSearch(std::span<const double> time_s, std::span<const double> signal, const LevelRule& rule)
      : time_s_(time_s), signal_(signal), held_(rule.held) {
    const auto values = finite(signal);
    const double range = quantile(values, 0.98) - quantile(values, 0.02);
    tolerance_ = std::max(rule.within * range, kNoises * noise_of(values));
    least_s_ = rule.least_s.value_or(
        time_s.empty() ? 0 : kShareOfTable * (time_s.back() - time_s.front()));
  }

  std::vector<LevelRows> run() {
    for (std::size_t row = 0; row < signal_.size(); ++row) {
      if (std::isnan(signal_[row]) || !fits(row)) close(row);
      if (!std::isnan(signal_[row])) push(row);
    }
    close(signal_.size());
    return keep_long();
  }

 private:
  bool fits(std::size_t row) const {
    if (low_.empty()) return true;
    const double low = std::min(signal_[low_.front()], signal_[row]);
    const double high = std::max(signal_[high_.front()], signal_[row]);
    return high - low <= 2 * tolerance_;
  }

  /// The window ends before `row`. A stretch long enough is kept, and the next begins behind it;
  /// otherwise rows are dropped from the front until `row` fits.
  void close(std::size_t row) {
    const bool ends = row == signal_.size() || std::isnan(signal_[row]);
    if (row > begin_ && stands(begin_, row - 1)) {
      add({begin_, row - 1});
      restart(row);
    }
    while (!ends && !low_.empty() && !fits(row)) drop_first();
    if (ends) restart(row + 1);
  }

  bool stands(std::size_t first, std::size_t last) const {
    if (last + 1 < first + kMinRows || time_s_[last] - time_s_[first] < least_s_) return false;
    const std::size_t third = (last - first + 1) / 3;
    const auto early = signal_.subspan(first, third);
    const auto late = signal_.subspan(last + 1 - third, third);
    const double climb =
        quantile({late.begin(), late.end()}, 0.5) - quantile({early.begin(), early.end()}, 0.5);
    return std::abs(climb) <= kClimb * 2 * tolerance_ * 2 / 3;
  }

  double middle(const LevelRows& level) const {
    const auto rows = signal_.subspan(level.first, level.last - level.first + 1);
    return quantile({rows.begin(), rows.end()}, 0.5);
  }

  /// Cuts the ends of the neighbouring ramps off; one that goes on at the same height is the same.
  /// A window that holds some rows of a ramp ends too early: what follows at the level belongs to
  /// it.
  void add(LevelRows level) {
    const double at = middle(level);
    while (std::abs(signal_[level.first] - at) > tolerance_) ++level.first;
    while (std::abs(signal_[level.last] - at) > tolerance_) --level.last;
    while (!held_ && level.last + 1 < signal_.size() &&
           std::abs(signal_[level.last + 1] - at) <= tolerance_)  // not NaN
      ++level.last;
    if (!levels_.empty() && level.first <= levels_.back().last + kMinRows &&
        std::abs(middle(levels_.back()) - at) <= tolerance_)
      levels_.back().last = std::max(levels_.back().last, level.last);
    else
      levels_.push_back(level);
  }

  void push(std::size_t row) {
    while (!low_.empty() && signal_[low_.back()] >= signal_[row]) low_.pop_back();
    while (!high_.empty() && signal_[high_.back()] <= signal_[row]) high_.pop_back();
    low_.push_back(row);
    high_.push_back(row);
  }

  void drop_first() {
    if (low_.front() == begin_) low_.pop_front();
    if (high_.front() == begin_) high_.pop_front();
    ++begin_;
  }

  void restart(std::size_t row) {
    low_.clear();
    high_.clear();
    begin_ = row;
  }

  std::vector<LevelRows> keep_long() {
    std::erase_if(levels_, [this](const LevelRows& level) {
      return level.last + 1 < level.first + kMinRows ||
             time_s_[level.last] - time_s_[level.first] < least_s_;
    });
    return std::move(levels_);
  }

  std::span<const double> time_s_;
  std::span<const double> signal_;
  bool held_;
  double tolerance_ = 0;
  double least_s_ = 0;
  std::size_t begin_ = 0;               // first row of the window
  std::deque<std::size_t> low_, high_;  // rows of its minima and maxima to come
  std::vector<LevelRows> levels_;
};

}  // namespace

double noise_of(std::span<const double> signal) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < signal.size(); ++i) steps.push_back(signal[i] - signal[i - 1]);
  steps = finite(steps);
  const double usual = quantile(steps, 0.5);
  for (double& step : steps) step = std::abs(step - usual);
  return kMadToSigma * quantile(std::move(steps), 0.5) / std::sqrt(2.0);
}

std::vector<LevelRows> find_levels(std::span<const double> time_s, std::span<const double> signal,
                                   const LevelRule& rule) {
  return LevelSearch(time_s, signal, rule).run();
}

}  // namespace tactelier
