#pragma once
// A sensor model as a fit leaves it, with round numbers: 14 x 6 tactels of 3.4 mm on a foundation
// of 2e8 Pa/m, a round spread of 1.4 mm.

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier::testing_models {

inline void set(Parameter& parameter, double value) {
  parameter.value = value;
  parameter.status = Status::kIdentified;
  parameter.reason.clear();
}

inline SensorModel forward_model() {
  auto model = empty_model(*load_sensor("weiss-wts0614"));
  model.psf.form = "integrated";
  model.psf.edge = "zero";
  set(model.psf.sigma_x, 1.4e-3);
  set(model.psf.sigma_y, 1.4e-3);
  set(model.stiffness.foundation_modulus, 2e8);
  for (auto& tactel : model.response.tactels) {
    tactel.status = TactelStatus::kIdentified;
    set(tactel.offset, 100);
    set(tactel.threshold, 0.02);
    set(tactel.gain, 5e-4);
    set(tactel.press_gain, 1e-3);
    set(tactel.saturation, 3940);
    set(tactel.noise, 2);
  }
  return model;
}

/// Kappassov's image level: what each cell carries, then a discrete kernel of 0.5 tactels.
inline SensorModel sampled_model() {
  auto model = forward_model();
  model.psf.form = "sampled";
  set(model.psf.kernel_sampled.s, 0.5);
  return model;
}

}  // namespace tactelier::testing_models
