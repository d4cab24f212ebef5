#pragma once
// Which tactels a run has pressed, and about what they answered there: preliminary, from what the
// window sees of the run; the recording holds all of it.

#include <optional>
#include <vector>

#include "app/gui/state/rig_link.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier::gui {

struct TactelCoverage {
  int good = 0, again = 0, aborted = 0;
  std::optional<double> counts_per_N;  // at the peak of the last good press
};

class Coverage {
 public:
  void clear(const SensorDescription& sensor);
  void hear(const rig::messages::Press& press);
  /// What a recording that is resumed holds already.
  void add(const std::vector<Press>& recorded);
  void see(const rig::LiveFrame& frame);
  const std::vector<TactelCoverage>& tactels() const { return tactels_; }
  /// Under the tip now.
  std::optional<int> pressed() const { return pressed_; }
  /// Tactels with a good press.
  int done() const;

 private:
  std::optional<double> answer() const;

  int channels_ = 1;
  std::vector<TactelCoverage> tactels_;
  std::optional<int> pressed_;
  std::optional<double> rest_counts_;
  double peak_N_ = 0, peak_counts_ = 0;
};

}  // namespace tactelier::gui
