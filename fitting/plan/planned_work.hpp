#pragma once
// What a plan does to the pad, as the stages of a fit see it: presses, plates, slides, with when,
// where, how deep and how fast. Depths and forces are those expected of the pad.

#include <optional>
#include <vector>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/session/press_kind.hpp"

namespace tactelier {

struct PlannedHold {
  double begin_s = 0;
  double end_s = 0;
  bool at_force = false;
  double depth_m = 0;
};

/// One way down into the pad, until the next one or the way up.
struct PlannedLoading {
  double begin_s = 0;
  Motion motion;
  double speed_m_per_s = 0;
  double surface_z_m = 0;
  double end_depth_m = 0;  // where it is expected to end

  /// From first touch; 0 above the surface.
  double depth_m(double t_s) const;
  double touch_s() const;  // since begin_s
  double end_s() const;    // since begin_s: where end_depth_m is reached
};

struct PlannedPress {
  PressKind kind = PressKind::kRamp;
  std::optional<int> tactel;
  double x_m = 0;
  double y_m = 0;
  bool counts = true;  // else its outcome says that no fit uses it
  double begin_s = 0;
  double end_s = 0;
  double depth_m = 0;             // deepest
  double force_N = 0;             // expected there
  std::optional<double> until_N;  // a force that ends its way down
  MountedIndenter indenter;
  std::vector<PlannedLoading> loadings;
  std::vector<PlannedHold> holds;
};

struct PlannedPlate {
  double begin_s = 0;
  double force_N = 0;
  double speed_m_per_s = 0;
};

struct PlannedSlide {
  double begin_s = 0;
  double duration_s = 0;
  double load_N = 0;
  double speed_m_per_s = 0;
  std::size_t contact = 0;  // slides between one lowering and the next lift share it
  Motion motion;
  bool oscillates = false;
};

struct PlannedWork {
  double duration_s = 0;
  double unloaded_s = 0;  // in steps `zero`
  int images = 0;
  int weights = 0;
  int shears = 0;  // steps along the plate
  std::vector<PlannedPress> presses;
  std::vector<PlannedPlate> plates;
  std::vector<PlannedSlide> slides;
};

PlannedWork planned_work(const Plan& plan, const ExpectedPad& pad, const SensorDescription& sensor);

}  // namespace tactelier
