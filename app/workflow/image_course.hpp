#pragma once
// A press by the stage in time, for what an image at rest can't tell: how late the readings are,
// and how far unloading lies from loading (docs/theory/forward.md 6).

#include <optional>
#include <vector>

#include "fitting/time/latency.hpp"
#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/tactel_readout.hpp"

namespace tactelier {

/// From before the touch to after lift-off, host time, both tared before the touch.
struct ImageCourse {
  TimedSignal force;                 // N, compression
  TimedSignal total;                 // sum of the counts above rest of `tactels`
  std::vector<std::size_t> tactels;  // that have a response and never lack a reading
};

struct CourseFigures {
  /// How much later the readings are than the model says (timing.latency_s); of the loading branch,
  /// by the best correlation. Empty where nothing correlates.
  std::optional<double> latency_s;
  /// Areas between unloading and loading, totals over force, in percent of the largest total times
  /// the largest force; > 0: unloading reads more.
  double measured_loop_percent = 0, predicted_loop_percent = 0;

  /// Empty where the model has no play operators: then it predicts no loop.
  std::optional<double> loop_ratio;  // predicted over measured
};

/// Predicts the course from the force that was measured and rates it. `press` holds the pose; empty
/// where the method can't predict it at every load.
std::optional<CourseFigures> course_figures(const SensorModel& model, const ForwardMethod& method,
                                            const TactelReadout& readout, StaticPress press,
                                            const ImageCourse& course);

}  // namespace tactelier
