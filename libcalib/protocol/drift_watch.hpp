#pragma once
// Does a quantity at rest still drift? Means of about a second go in; the slope of the line through
// the last of them comes out, with a standard uncertainty that noise decides:
//   u = s / sqrt(sum (t - mean t)^2) * sqrt((1 + r) / (1 - r))
// s: deviation of the residuals, r: their correlation from one mean to the next. How long one must
// watch follows: "still" is said where even slope + 4 u lies below the limit; it is looked at every
// second, so that 3 u would let a drift at the limit through in one half hour of six. Where the two
// halves of the window contradict each other, the older one is forgotten: a warm-up slows down.
// Pure.

#include <deque>
#include <optional>

namespace tactelier {

struct Drift {
  double per_s = 0;
  double u_per_s = 0;  // standard
  double watched_s = 0;
};

class DriftWatch {
 public:
  static constexpr double kLeast_s = 60;  // nothing is still before
  static constexpr double kMost_s = 300;  // of the window
  static constexpr double kCoverage = 4;

  explicit DriftWatch(double limit_per_s) : limit_per_s_(limit_per_s) {}

  void add(double t_s, double mean);
  /// Empty before kLeast_s of means; of a shorter window where the older half was forgotten.
  const std::optional<Drift>& drift() const { return drift_; }
  bool still() const;
  double limit_per_s() const { return limit_per_s_; }
  /// Until the drift falls to the limit, by how it fell so far; empty where it doesn't fall.
  std::optional<double> left_s() const;

 private:
  struct Mean {
    double t_s, value;
  };
  using Means = std::deque<Mean>;
  struct Seen {
    double t_s, per_s;  // in the middle of its window
  };
  static std::optional<Drift> slope(Means::const_iterator from, Means::const_iterator to);

  double limit_per_s_;
  Means means_;
  std::optional<Drift> drift_;
  std::optional<Seen> older_;  // a window before this one
};

}  // namespace tactelier
