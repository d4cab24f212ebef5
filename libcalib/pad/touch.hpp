#pragma once
// The contact between indenter and pad: geometry, layer force, friction and how both are shared out
// to tactels; only what changed is computed again.

#include <vector>

#include "libcalib/pad/friction.hpp"
#include "libcalib/pad/grip.hpp"
#include "libcalib/pad/layer.hpp"
#include "libcalib/pad/pad.hpp"
#include "libcalib/pad/spread.hpp"

namespace tactelier::pad {

class Touch {
 public:
  Touch(const PadTruth& truth, const Effects& effects, Spread spread);
  Touch(const Touch&) = delete;  // the layer points at the footprint
  Touch& operator=(const Touch&) = delete;

  Result<void> set_indenter(const Indenter& indenter, const Attitude& relative_to_surface);
  double thickness_m() const { return truth_.layer.thickness_m; }
  void set_target(Target target) { target_ = target; }

  struct Step {
    Contact contact;
    Point friction_N;
    bool begun = false;  // touched in this step after some air
  };
  /// Tip at (x, y) of the sensor frame, `depth_m` below the surface if the rig were rigid.
  Step step(double dt_s, Point tip, double depth_m);

  /// Brings shares up to date with the contact when they are needed for a reading. Returns whether
  /// they changed.
  bool refresh_shares_due(bool reading);
  std::span<const double> shares() const { return shares_; }
  /// Sensor frame.
  Point pressure_centre_m() const;

  /// Force by tactel and compression of a weight at rest.
  struct Rest {
    std::vector<double> forces_N;
    double compression_m = 0;
  };
  Result<Rest> rest(const Resting& weight) const;

 private:
  Contact spring_step(double stiffness_N_per_m, double depth_m) const;
  void arrive(Point tip);
  std::size_t nearest_tactel(Point p) const;

  PadTruth truth_;
  ComplianceEffects compliance_, under_pad_;  // of the rig; with what the pad is mounted on
  Spread spread_;
  Footprint footprint_;
  Layer layer_;
  Bristles bristles_;
  Grip grip_;
  Target target_ = Target::kPad;

  std::vector<double> site_deepest_m_;  // by tactel, one more for beside the array
  std::vector<Point> centres_;          // of the tactels
  double pitch_m_ = 0;

  Contact contact_;
  Point tip_, deflected_tip_, last_site_;  // of the stage; with the rig's shear; of the last press
  bool placed_ = false;
  bool ever_touched_ = false;
  bool overlapping_ = false;
  double air_s_ = 0;
  bool in_press_ = false;

  std::vector<PressurePoint> points_;
  std::vector<double> shares_;
  Point centre_offset_;  // of the pressure, from the tip
  bool shares_valid_ = false;
  Point shares_tip_;
  double points_depth_m_ = 0;
  bool points_valid_ = false;
};

}  // namespace tactelier::pad
