#pragma once
// Pads for MuJoCo with numbers that a hand can follow: k, c and friction of Moisio et al., Table 2.

#include <initializer_list>

#include "tests/reports/export/runtime_models.hpp"

namespace tactelier::testing_models {

inline constexpr double kTable2Stiffness_N_per_m = 58.5;
inline constexpr double kTable2Damping_N_s_per_m = 0.0583;

inline SensorModel with(SensorModel model, std::initializer_list<const char*> assumptions) {
  for (const auto* assumption : assumptions)
    if (!assume(model, assumption, "user")) model.response.tactels.clear();
  return model;
}

/// 2 x 3 tactels of 3.4 x 5 mm, 6 mm thick, valid to 0.2 N on a tactel.
inline SensorModel mujoco_model() {
  SensorDescription sensor;
  sensor.vendor = "Acme";
  sensor.model = "Pad 2x3";
  sensor.arrays = {SensorArray{2, 3, 3.4e-3, 5e-3, {}, {}, {}, {}}};
  auto model = empty_model(sensor);
  model.serial = "A-7";
  model.tool = "tactelier 0.1.0";
  model.created = "2026-11-20T10:00:00Z";
  model.validity.force_N = {{0.0, 0.2}};
  return with(model, {"sensor.thickness_m=0.006", "stiffness.k=58.5", "damping.c_n=0.0583",
                      "friction.mu_s=0.435", "friction.mu_d=0.23"});
}

/// The same pad, hardening as 58.5 d + 1e4 d^2 + 2e6 d^3 N to 4 mm; k is that at 10 um.
inline SensorModel hardening_mujoco_model(double valid_to_N = 0.2) {
  auto model = with(mujoco_model(), {"stiffness.k=58.6002", "stiffness.linear_to=0.00001"});
  model.validity.force_N = {{0.0, valid_to_N}};
  for (int i = 0; i <= 400; ++i) {
    const double d = 1e-5 * i;
    model.stiffness.curve.push_back({d, d * (58.5 + d * (1e4 + d * 2e6))});
  }
  return model;
}

/// The same pad with all six numbers of friction; those of mujoco_bristles.py.
inline SensorModel bristled_mujoco_model() {
  return with(mujoco_model(), {"friction.v_s=0.01", "friction.sigma0=1000", "friction.sigma1=0.1",
                               "friction.c_t=0.05"});
}

/// The two arrays of the runtime tests, the second one irregular and turned by 0.5 rad about y.
inline SensorModel turned_mujoco_model() {
  return with(two_arrays_model(), {"stiffness.k=58.5", "damping.c_n=0.0583"});
}

}  // namespace tactelier::testing_models
