#pragma once
// Forward model `hydroelastic` on curved arrays (docs/theory/forward.md 12): the pressure field on
// samples of the surface between the tactels, each as deep as its own ray says,
//   p = K_f phi (1 + d v (n . z))_+ ,   sum p (n . z) dA = W ,
// read by receptive fields over what lies within r_c of a tactel and faces its way within 45
// degrees.
//
// Source: Leins, Patzelt, Haschke: HydroelasticTouch, Algorithm 1. Frame: S.

#include "libcalib/forward/curved_surface.hpp"
#include "libcalib/forward/forward_method.hpp"

namespace tactelier {

class CurvedHydroelasticMethod : public ForwardMethod {
 public:
  /// Of a model that has modulus, thickness, receptive radius and pitches: hydroelastic_method().
  static CurvedHydroelasticMethod create(const SensorModel& model);

  /// Depth is the tip's below where the first sample is touched. Fails as soft-contact does: FW-01
  /// where it meets nothing, FW-06 beyond the range of the pad or as it leaves too fast.
  Result<PressImage> press(const StaticPress& press) const override;

 private:
  struct Contact;
  struct Part {
    std::size_t sample;
    double weight;
  };
  void find_fields(double radius_m);

  SensorDescription sensor_;
  std::vector<SurfaceSample> samples_;
  std::vector<std::vector<Part>> fields_;  // by tactel; weights sum to one
  double range_m_ = 0;
  double modulus_Pa_per_m_ = 0;
  double dissipation_s_per_m_ = 0;
};

}  // namespace tactelier
