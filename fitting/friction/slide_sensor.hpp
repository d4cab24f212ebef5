#pragma once
// How the force sensor sees friction that was computed tick by tick: through its filter of first
// order, later by the delay, at its own rows.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace tactelier {

/// Value between rows, of times asked for in rising order.
class BetweenRows {
 public:
  BetweenRows(std::span<const double> time_s, std::span<const double> values)
      : time_s_(time_s), values_(values) {}

  double at(double t_s) {
    if (t_s <= time_s_.front()) return values_.front();
    while (row_ + 1 < time_s_.size() && time_s_[row_ + 1] <= t_s) go_to(row_ + 1);
    return values_[row_] + (t_s - time_s_[row_]) * rate_per_s_;
  }
  /// Of the line on which the value last asked for lies; 0 beyond the ends.
  double slope_per_s() const { return rate_per_s_; }

 private:
  std::span<const double> time_s_, values_;
  static constexpr auto kNone = static_cast<std::size_t>(-1);  // before the first row

  void go_to(std::size_t row) {
    row_ = row;
    rate_per_s_ = row + 1 == time_s_.size()
                      ? 0
                      : (values_[row + 1] - values_[row]) / (time_s_[row + 1] - time_s_[row]);
  }

  std::size_t row_ = kNone;
  double rate_per_s_ = 0;
};

/// What a filter of first order makes of values with straight lines between them, tick by tick. It
/// has seen the first one for ever.
template <typename Value>
class TickFilter {
 public:
  explicit TickFilter(double lag_ticks)
      : keep_(lag_ticks > kLeastLag ? std::exp(-1 / lag_ticks) : 0),
        part_(lag_ticks > kLeastLag ? lag_ticks * (1 - keep_) : 0) {}

  void operator()(std::span<Value> values) const {
    if (part_ == 0 || values.empty()) return;
    Value before = values.front(), filtered = before;
    for (Value& value : values) {
      filtered = keep_ * filtered + (part_ - keep_) * before + (1 - part_) * value;
      before = value;
      value = filtered;
    }
  }

 private:
  static constexpr double kLeastLag = 1e-3;  // ticks: a filter that leaves everything as it is
  double keep_, part_;
};

/// Value between ticks by a straight line; at rest beyond the ends. `ticks` after the first.
template <typename Value>
Value between_ticks(std::span<const Value> values, double ticks) {
  const double at = std::clamp(ticks, 0.0, static_cast<double>(values.size() - 1));
  const auto low = static_cast<std::size_t>(at);
  const double share = at - static_cast<double>(low);
  return share > 0 ? Value(values[low] + share * (values[low + 1] - values[low])) : values[low];
}

}  // namespace tactelier
