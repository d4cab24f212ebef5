#pragma once
// The pad under one tactel, as a column of its own (docs/theory/forward.md 10):
//   f  = k H(d) + c_n d' + sum h_i,  never below 0;   h_i' = k_i d' - h_i / tau_i
// d depth in m, f normal force in N. H(d) = d as far as a line holds, beyond it the shape that the
// rig found (stiffness.curve); k is the long-time value. Along the surface: LuGre's bristles
// (libcalib/models/lugre.hpp).

#include <array>
#include <optional>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/models/lugre.hpp"

namespace tactelier {

/// Depth to the depth at which a spring without hardening would be as strong. Piecewise linear,
/// past its last point straight on.
class Hardening {
 public:
  Hardening() = default;
  /// `curve`: depth [m] and force [N], both rising; linear up to `linear_to_m`.
  Hardening(const std::vector<std::array<double, 2>>& curve, double linear_to_m);

  double effective_m(double depth_m) const;
  /// Its derivative, at least 0.
  double slope(double depth_m) const;

 private:
  std::size_t segment(double depth_m) const;
  std::vector<std::array<double, 2>> points_;  // depth, effective depth; empty: the same
};

struct FoundationColumn {
  struct Branch {
    double stiffness_N_per_m = 0, tau_s = 0;
  };
  double stiffness_N_per_m = 0;         // k
  double damping_N_s_per_m = 0;         // c_n
  std::vector<Branch> branches;         // of relaxation
  std::optional<LugreValues> friction;  // empty: slippery
  Hardening hardening;

  double spring_N(double depth_m) const {
    return stiffness_N_per_m * hardening.effective_m(depth_m);
  }
  /// Its derivative by depth.
  double tangent_N_per_m(double depth_m) const {
    return stiffness_N_per_m * hardening.slope(depth_m);
  }
};

/// K_f of the pad, Pa/m: of plate, weights or a ball (stiffness.foundation_modulus), else that of
/// the hydroelastic field, modulus over thickness. Empty where the model has neither.
std::optional<double> foundation_modulus_Pa_per_m(const SensorModel& model);
/// The other way round: the field's own where the layer's thickness is known.
std::optional<double> field_modulus_Pa_per_m(const SensorModel& model);

/// What a flat end's rim carries beside the foundation under its face, N per metre of depth and of
/// rim: of the punch that k_punch was measured with, k = K_f A + this times its circumference
/// (docs/theory/forward.md 2). Empty where the model lacks k_punch, its flat round punch or K_f; 0
/// where the foundation alone is stiffer than the punch.
std::optional<double> rim_modulus_Pa(const SensorModel& model);

/// As the description has it, else the field's; empty where neither states one.
std::optional<double> layer_thickness_m(const SensorModel& model);

/// The column of a tactel with the cell area `area_m2` as a model file has it: k is stiffness.k,
/// else foundation modulus times area, of the layer or of the hydroelastic field; empty where it
/// has none of them. A c_n of the whole contact is taken in proportion to stiffness. Friction only
/// where all six numbers are there.
std::optional<FoundationColumn> column_of(const SensorModel& model, double area_m2);

}  // namespace tactelier
