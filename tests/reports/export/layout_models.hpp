#pragma once
// Pads whose layout readers get wrong: on an arc, of several arrays, with dead tactels. Numbers
// that a hand can follow; more in mujoco_models.hpp (not square; two arrays, one irregular and
// turned).

#include <cmath>

#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier::testing_models {

/// 1 x 3 tactels on an arc of 20 mm about the y axis, 0.2 rad apart; the middle one looks up.
inline SensorModel curved_model() {
  SensorArray arc{1, 3, 4e-3, 4e-3, {}, {}, {}, {}};
  const double x_m = 20e-3 * std::sin(0.2), z_m = 20e-3 * (std::cos(0.2) - 1);
  arc.positions_m = {{-x_m, 0, z_m}, {0, 0, 0}, {x_m, 0, z_m}};
  arc.normals = {{-std::sin(0.2), 0, std::cos(0.2)}, {0, 0, 1}, {std::sin(0.2), 0, std::cos(0.2)}};
  SensorDescription sensor;
  sensor.vendor = "Acme";
  sensor.model = "Arc";
  sensor.arrays = {arc};
  auto model = empty_model(sensor);
  model.serial = "7";
  model.validity.force_N = {{0.0, 0.2}};
  return with(model, {"stiffness.k=58.5", "damping.c_n=0.0583"});
}

/// mujoco_model() with what readings are made of: tactel 4 is dead, tactel 5 half as sensitive.
inline SensorModel read_model_2x3() {
  auto model = mujoco_model();
  model.sensor.adc.max = 4095;
  for (auto& tactel : model.response.tactels) {
    tactel.status = TactelStatus::kIdentified;
    tactel.offset = identified(60, "counts");
    tactel.noise = identified(4, "counts");
    tactel.threshold = identified(0.01, "N");
    tactel.gain = identified(tactel.index == 5 ? 2e-4 : 1e-4, "N/count");
    tactel.saturation = identified(1960, "counts");
  }
  auto& dead = model.response.tactels[4];
  dead.status = TactelStatus::kDead;
  dead.gain = unidentifiable("N/count", "RS-01 Tactel 4 stayed at its offset.");
  return model;
}

/// A second array of 1 x 2 tactels of the same pitches, 20 mm along x.
inline SensorModel two_grids_model() {
  auto model = read_model_2x3();
  SensorArray second{1, 2, 3.4e-3, 5e-3, {}, {}, {}, {}};
  second.pose.position_m = {0.02, 0, 0};
  model.sensor.arrays.push_back(second);
  for (int i = 6; i < 8; ++i) {
    model.response.tactels.push_back(model.response.tactels[0]);
    model.response.tactels.back().index = i;
  }
  return model;
}

}  // namespace tactelier::testing_models
