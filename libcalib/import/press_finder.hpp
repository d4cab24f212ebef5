#pragma once
// Finds the presses of a table: by columns that change, or by the force rising above a threshold.

#include <cstdint>
#include <optional>
#include <vector>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

struct FoundPress {
  double begin_s = 0;
  double end_s = 0;
  std::optional<double> x_m;  // stage frame, at first touch or in the first row
  std::optional<double> y_m;
};

/// One row of the table as far as finding presses goes.
struct TracedRow {
  double t_s = 0;
  std::int64_t group = 0;  // changes with the columns of press_by
  double force_N = 0;      // NaN when missing
  std::optional<double> x_m;
  std::optional<double> y_m;
};

/// Consecutive rows of equal group form one press. It begins and ends halfway to its neighbours,
/// at the ends of the table half a step outside.
class GroupPresses {
 public:
  void add(const TracedRow& row);
  std::vector<FoundPress> finish();

 private:
  std::vector<FoundPress> presses_;
  std::int64_t group_ = 0;
  double first_s_ = 0;
  double last_s_ = 0;
  double first_step_s_ = 1;
  double last_step_s_ = 1;
  std::size_t rows_ = 0;
};

/// A press is there once the force is above baseline + threshold for three samples, and over once
/// it is below baseline + threshold / 2 for three. The baseline is the median of the first 20
/// samples and at least 0.2 s. A press takes with it the free air before (up to 10 s) and after (up
/// to 2 s), but no more than half of the way to its neighbour.
class ThresholdPresses {
 public:
  explicit ThresholdPresses(double threshold_N) : threshold_N_(threshold_N) {}

  void add(const TracedRow& row);
  std::vector<FoundPress> finish();
  /// The record ended while the force was still above.
  bool ended_in_contact() const { return ended_in_contact_; }
  double baseline_N() const { return baseline_N_; }
  double largest_N() const { return largest_N_; }  // above the baseline

 private:
  struct Touch {
    double contact_s;
    double release_s;
    std::optional<double> x_m;
    std::optional<double> y_m;
  };
  void settle_baseline();
  void follow(const TracedRow& row);

  double threshold_N_;
  double baseline_N_ = 0;
  double largest_N_ = 0;
  bool settled_ = false;
  bool touching_ = false;
  bool ended_in_contact_ = false;
  int run_ = 0;  // consecutive samples that speak for a change
  TracedRow run_first_;
  std::vector<TracedRow> start_;  // until the baseline is settled
  std::vector<Touch> touches_;
  double first_s_ = 0;
  double last_s_ = 0;
};

/// The tactel in whose cell the place lies (|dx| <= pitch_x / 2, |dy| <= pitch_y / 2 about its
/// centre; without pitches, half the distance to the nearest other tactel), the nearest one when
/// several do. `x_m`, `y_m` in the sensor frame.
std::optional<int> tactel_at(const SensorDescription& sensor, double x_m, double y_m);

}  // namespace tactelier
