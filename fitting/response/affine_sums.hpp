#pragma once
// The least-squares problem of the affine response, brought to sums. Where readings lie on the line
// (or on the floor or the ceiling), cost, gradient and Gauss-Newton matrix follow from second
// moments of (1, F, c); only readings next to the trigger's corner and the ceiling's have to be
// looked at one by one. Moments are kept per interval of force, so that the corners may move.

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "fitting/response/affine_fit.hpp"

namespace tactelier {

/// By theta = (threshold_N, gain_N_per_count); residuals whitened.
struct AffinePoint {
  double cost = 0;                                        // half the sum of squared residuals
  Eigen::Matrix2d information = Eigen::Matrix2d::Zero();  // J^T J
  Eigen::Vector2d score = Eigen::Vector2d::Zero();        // -J^T r
};

class AffineSums {
 public:
  /// `reference_*`: a line near the solution, about which readings are summed, or the sums would
  /// lose digits. Keeps references: `presses` and `settings` must outlive it.
  AffineSums(std::span<const ResponsePress> presses, const AffineSettings& settings,
             double reference_threshold_N, double reference_gain);

  /// Every interval's readings as if they lay at their mean force: for steering.
  AffinePoint roughly(double threshold_N, double gain) const;
  /// Every reading as it is. Fetches those next to a corner when it has moved to another interval.
  AffinePoint exactly(double threshold_N, double gain);
  /// The same of one press.
  AffinePoint exactly(std::size_t press, double threshold_N, double gain);

  /// Rows of a press, one after the other, whose residuals are of one form.
  struct Stretch {
    enum Form {
      kOnLine,   // as read, between the corners
      kAtFloor,  // as read, below a trigger that can be seen: (c - offset)/sigma
      kNothing,  // cut to where the line is as well: 0
      kAny,      // next to a corner, or else: each row by itself
    };
    std::size_t begin = 0, end = 0;
    Form form = kAny;
  };
  std::vector<Stretch> stretches(std::size_t press, double threshold_N, double gain) const;

 private:
  enum Kind { kRead, kFloored, kFull, kKinds };  // as read; cut to the floor; cut to the ceiling
  enum class Zone { kBelow, kLine, kAbove };     // trigger, between, ceiling

  struct Moments {
    double n = 0, f = 0, e = 0, ff = 0, fe = 0, ee = 0, cc = 0;  // e: about the reference line
    void add(const Moments& other, double sign);
  };
  /// Rows of one kind within one interval.
  struct Run {
    std::size_t begin = 0, end = 0;
    int interval = 0;
    Kind kind = kRead;
  };
  struct Press {
    std::vector<Run> runs;  // in the order of rows
    double ceiling = 0;     // above the offset
    std::array<std::vector<Moments>, kKinds>
        up_to;                         // sums of intervals [0, i); empty for a kind that can't be
    std::vector<std::size_t> fetched;  // rows in the intervals of `corners`
    std::array<int, 4> corners{-1, -1, -1, -1};  // for which they were fetched
  };

  int interval_of(double force_N) const;
  Kind kind_of(double counts, double ceiling) const;
  /// Intervals [0], [1]) of the trigger's corner and [2], [3]) of the ceiling's; empty where none.
  std::array<int, 4> corners_of(const Press& press, double threshold_N, double gain) const;
  void sum(const ResponsePress& rows, Press& press) const;
  Stretch::Form form_of(const Run& run, const std::array<int, 4>& corners) const;
  void fetch(std::size_t press, const std::array<int, 4>& corners);
  void add_range(const Press& press, int begin, int end, Zone zone, double threshold_N, double gain,
                 AffinePoint& at) const;
  void add_moments(const Moments& moments, Kind kind, Zone zone, double ceiling, double threshold_N,
                   double gain, AffinePoint& at) const;
  void add_line(const Moments& moments, double threshold_N, double gain, AffinePoint& at) const;

  std::span<const ResponsePress> data_;
  const AffineSettings& settings_;
  double reference_threshold_N_, reference_gain_;
  int intervals_ = 1;
  double low_N_ = 0, per_N_ = 0;  // interval = (F - low) * per_N
  std::vector<Press> presses_;
};

}  // namespace tactelier
