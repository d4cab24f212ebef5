#pragma once
// Finds the presses of a time series by the force rising above a threshold, and the tactel at a
// place.

#include <optional>
#include <vector>

#include "libcalib/import/event_spans.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// A press is there once the force is above baseline + threshold for three samples, and over once
/// it is below baseline + threshold / 2 for three. The baseline is unloaded_level(), its start the
/// first 20 samples and at least 0.2 s; a table that begins under load begins with a press. A press
/// takes with it the free air before (up to 10 s) and after (up to 2 s), but no more than half of
/// the way to its neighbour.
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
  struct Row {
    double t_s, force_N, x_m, y_m;
  };
  double baseline_N() const;
  /// The middle between the two rows about `time_s`: on a row itself, the clock's last digit would
  /// say whether it belongs to the press.
  double between_rows_s(double time_s) const;
  void follow(const Row& row);

  double threshold_N_;
  double baseline_N_ = 0;
  double largest_N_ = 0;
  bool touching_ = false;
  bool ended_in_contact_ = false;
  int run_ = 0;  // consecutive samples that speak for a change
  Row run_first_{};
  std::vector<Row> rows_;  // all: the start alone does not tell the baseline
  std::vector<Touch> touches_;
};

/// The tactel in whose cell the place lies (|dx| <= pitch_x / 2, |dy| <= pitch_y / 2 about its
/// centre; without pitches, half the distance to the nearest other tactel), the nearest one when
/// several do. `x_m`, `y_m` in the sensor frame.
std::optional<int> tactel_at(const SensorDescription& sensor, double x_m, double y_m);

}  // namespace tactelier
