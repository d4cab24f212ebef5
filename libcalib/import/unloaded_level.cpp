#include "libcalib/import/unloaded_level.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "libcalib/import/level_finder.hpp"

namespace tactelier {
namespace {

constexpr double kSmallStart = 0.1;  // of the range: a bias, not a load
constexpr double kNear = 0.03;       // of the range: at a level
constexpr double kMoves = 0.01;      // of the range, within the rows of the start
constexpr double kMoveNoises = 4;
constexpr std::size_t kFewRows = 5;
constexpr std::size_t kInARow = 3;  // fewer are a spike, not an end of the range
constexpr double kFuller = 2;       // times the rows of the other end

double median_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

class Levels {
 public:
  Levels(std::vector<double> load, std::size_t start_rows)
      : load_(std::move(load)), first_(std::span(load_).first(std::min(start_rows, load_.size()))) {
    start_ = median_of(first_);
    low_ = high_ = start_;
    for (std::size_t i = 0; i + kInARow <= load_.size(); ++i) {
      const auto rows = std::span(load_).subspan(i, kInARow);
      low_ = std::min(low_, *std::max_element(rows.begin(), rows.end()));
      high_ = std::max(high_, *std::min_element(rows.begin(), rows.end()));
    }
  }

  double unloaded() const {
    if (std::abs(start_) <= kSmallStart * range()) return start_;
    const bool moves = start_moves();
    if (rests_at_zero(moves)) return median_of(rows_at(0));
    if (!moves || !is_amid()) return start_;
    const auto at_low = rows_at(low_).size(), at_high = rows_at(high_).size();
    const double fuller = static_cast<double>(std::max(at_low, at_high)) /
                          static_cast<double>(std::max<std::size_t>(1, std::min(at_low, at_high)));
    return fuller < kFuller ? start_ : median_of(rows_at(at_low > at_high ? low_ : high_));
  }

 private:
  double range() const { return high_ - low_; }

  std::vector<double> rows_at(double level) const {
    std::vector<double> rows;
    for (const double v : load_)
      if (std::abs(v - level) <= kNear * range()) rows.push_back(v);
    return rows;
  }

  /// Neither end of the range, where a table may well begin to move.
  bool is_amid() const { return std::min(start_ - low_, high_ - start_) > kSmallStart * range(); }

  bool start_moves() const {
    const auto few = std::min(kFewRows, first_.size());
    const double moved = std::abs(median_of(first_.last(few)) - median_of(first_.first(few)));
    return moved > std::max(kMoves * range(), kMoveNoises * noise_of(load_));
  }

  bool rests_at_zero(bool start_moves) const {
    const auto at_zero = rows_at(0).size();
    if (at_zero < kFewRows) return false;
    if (at_zero > rows_at(start_).size()) return true;
    const double end = median_of(std::span(load_).last(first_.size()));
    const bool zero_is_an_end = std::min(std::abs(low_), std::abs(high_)) <= kNear * range();
    return zero_is_an_end && (start_moves || std::abs(end) < std::abs(end - start_));
  }

  std::vector<double> load_;
  std::span<const double> first_;
  double start_ = 0, low_ = 0, high_ = 0;
};

}  // namespace

double unloaded_level(std::span<const double> load, std::size_t start_rows) {
  std::vector<double> numbers;
  numbers.reserve(load.size());
  std::copy_if(load.begin(), load.end(), std::back_inserter(numbers),
               [](double v) { return !std::isnan(v); });
  if (numbers.empty()) return 0;
  return Levels(std::move(numbers), start_rows).unloaded();
}

}  // namespace tactelier
