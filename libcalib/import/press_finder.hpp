#pragma once
// Finds the presses of a time series by the force rising above a threshold, and the tactel at a
// place.

#include <optional>
#include <vector>

#include "libcalib/import/event_spans.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// A press is there once the force is above baseline + threshold for three samples, and over once
/// it is below baseline + threshold / 2 for three. The baseline is the median of the first 20
/// samples and at least 0.2 s. A press takes with it the free air before (up to 10 s) and after (up
/// to 2 s), but no more than half of the way to its neighbour.
class ThresholdPresses {
 public:
  explicit ThresholdPresses(double threshold_N) : threshold_N_(threshold_N) {}

  void add(const TracedRow& row);
  std::vector<FoundEvent> finish();
  /// The record ended while the force was still above.
  bool ended_in_contact() const { return ended_in_contact_; }
  double largest_N() const { return largest_N_; }  // above the baseline

 private:
  struct Touch {
    double contact_s;
    double release_s;
    double x_m;
    double y_m;
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
