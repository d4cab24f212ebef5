#pragma once
// Normal force of the layer on the indenter through time: elastic foundation, hardening, damping,
// relaxing branches, softening, and the rig's deflection that takes part of the stage's travel.

#include <vector>

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/footprint.hpp"
#include "libcalib/pad/pad_truth.hpp"

namespace tactelier::pad {

/// u(F) = linear F + seating (1 - exp(-F / seating_force)), F >= 0, and its derivative.
double deflection_m(const ComplianceEffects& compliance, double force_N);
double deflection_slope_m_per_N(const ComplianceEffects& compliance, double force_N);

struct Contact {
  double depth_m = 0;  // of the tip, after the rig's deflection; below zero in air
  double force_N = 0;  // >= 0
  double elastic_N = 0;
};

class Layer {
 public:
  /// `first_cycle_softening`: force of a press into virgin rubber over later ones, minus 1.
  Layer(const LayerTruth& truth, double first_cycle_softening);

  /// Another indenter or attitude; the material's memory stays.
  void set_footprint(const Footprint* footprint) { footprint_ = footprint; }
  /// Stiffness where the tip is, over the mean.
  void set_local_factor(double factor) { factor_ = factor; }
  /// The largest depth that this place has ever seen, for first-cycle softening.
  void set_site_memory(double* deepest_m) { deepest_m_ = deepest_m; }
  /// Rubber that has rested: branches at zero.
  void forget();

  /// Static, long-time force and its slope at a depth, without any memory.
  struct Elastic {
    double force_N = 0;
    double slope_N_per_m = 0;
  };
  Elastic elastic(double depth_m) const;

  /// One step of `dt_s`; `depth_m`: of the tip if the rig were rigid, at the end of the step. The
  /// depth goes linearly within the step. Stable for any step.
  Contact step(double dt_s, double depth_m, const ComplianceEffects& compliance);

  /// As step() without the clamp at zero and without deflection: the force that the equations give,
  /// for comparison with closed forms.
  double unclamped_step_N(double dt_s, double depth_m);

  bool touching() const { return touching_; }

 private:
  struct Trial {
    double force_N, slope_N_per_m, elastic_N;
  };
  Trial trial(double dt_s, double depth_m) const;
  void accept(double depth_m, double elastic_N);
  double virgin_factor(double depth_m) const;
  double softening_factor(double depth_m) const;
  void prepare(double dt_s);

  LayerTruth truth_;
  double softening_ = 0;
  const Footprint* footprint_ = nullptr;
  double factor_ = 1;
  double* deepest_m_ = nullptr;

  struct Branch {
    double force_N = 0;
    double keep = 0;  // exp(-dt / tau)
    double gain = 0;  // of the elastic force's change in a step
  };
  std::vector<Branch> branches_;
  double dt_s_ = 0;        // that keep and gain belong to
  double stop_slope_ = 0;  // of the internal friction, and its limit, over the elastic force
  double stop_limit_ = 0;
  double elastic_N_ = 0;
  double depth_m_ = -1;    // at the end of the last step
  double friction_N_ = 0;  // internal, of the unloading loop
  double peak_m_ = 0;      // deepest of this contact
  bool touching_ = false;
};

}  // namespace tactelier::pad
