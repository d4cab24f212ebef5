#pragma once
// Forward model `hydroelastic`: the pad as the pressure field of a simulator with hydroelastic
// contact, read by receptive fields (docs/theory/forward.md 12).
//   p = K_f phi (1 + d v)_+ ,  K_f = E_h / H ,  phi = max(0, depth - b)
//   v_i = sum beta p / sum beta ,  beta = 1 - (r/r_c)^2 ,  f_i = v_i * area of the cell
// v is the approach speed of the tip. What simulators compute on a mesh's contact surface is here a
// regular raster in the cells, so that an image does not depend on a mesh.
//
// This one is for flat arrays. Valid for depths up to 0.3 H. Frame: S.
// Source: Leins, Patzelt, Haschke: HydroelasticTouch; docs/theory/pressure-field.md.

#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/receptive_field.hpp"

namespace tactelier {

class HydroelasticMethod : public ForwardMethod {
 public:
  /// Fails with kUnidentifiable where the model has no modulus with thickness or no receptive
  /// radius, with its reason, and with kInvalidInput on arrays without a pitch. Of flat arrays.
  /// Samples lie as far apart as hydroelastic.spacing says, else a quarter of the radius.
  static Result<HydroelasticMethod> create(const SensorModel& model);

  /// Fails with FW-01 where no cell lies under the indenter, FW-06 where it leaves the pad so fast
  /// that nothing presses. The load is balanced before the receptive fields, which are a read-out.
  Result<PressImage> press(const StaticPress& press) const override;

 private:
  HydroelasticMethod(const SensorDescription& sensor, double radius_m, int samples_per_cell)
      : sensor_(sensor), field_(sensor, radius_m, samples_per_cell) {}
  FoundationContact contact_of(const StaticPress& press, const IndenterSurface& surface) const;
  /// Depth of the tip under the load.
  Result<double> balance(const StaticPress& press, const FoundationContact& contact) const;
  /// K_f, as much as the approach adds to it or takes away.
  double modulus_Pa_per_m(const PressLoad& load) const;

  SensorDescription sensor_;
  ReceptiveField field_;
  double modulus_Pa_per_m_ = 0;     // K_f
  double dissipation_s_per_m_ = 0;  // d
};

/// The one for the model's array, flat or curved (curved_hydroelastic.hpp); fails as
/// HydroelasticMethod::create().
Result<std::unique_ptr<ForwardMethod>> hydroelastic_method(const SensorModel& model);

}  // namespace tactelier
