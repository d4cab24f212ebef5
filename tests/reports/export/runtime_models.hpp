#pragma once
// Models for the exporters of what a sensor reads: every response law, rising and falling, with
// dead zones, dead tactels, ceilings and arrays that are not square.

#include <cmath>

#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier::testing_models {

/// 14 x 6 tactels that differ; 7 is dead, 8 has no dead zone, 9 no ceiling, 10 no noise.
inline SensorModel line_model() {
  auto model = wts_model();
  model.serial = "line";
  for (auto& tactel : model.response.tactels) {
    const double i = tactel.index;
    tactel.offset = identified(60 + i / 3, "counts");
    tactel.noise = identified(4 + i / 50, "counts");
    tactel.press_threshold = identified(0.1 + i / 700, "N");
    tactel.press_gain = identified(1 / (700 + i), "N/count");
    tactel.saturation = identified(3840 - i, "counts");
  }
  auto& tactels = model.response.tactels;
  tactels[7].status = TactelStatus::kDead;
  tactels[7].press_gain = unidentifiable("N/count", "RS-01 Tactel 7 stayed at its offset.");
  tactels[8].press_threshold = identified(0, "N");
  tactels[9].saturation = unidentifiable("counts", "RS-05 Never reached.");
  tactels[10].noise = identified(0, "counts");
  return model;
}

inline SensorModel falling_model() {
  auto model = line_model();
  model.serial = "falling";
  model.sensor.falling = true;
  model.sensor.adc.min = 10;
  for (auto& tactel : model.response.tactels)
    for (auto* counts : {&tactel.offset, &tactel.saturation})
      if (counts->value) *counts->value = 4105 - *counts->value;
  return model;
}

/// A curve for every third tactel, lines for the others.
inline SensorModel curve_model(std::string law, const std::vector<double>& coefficients) {
  auto model = line_model();
  model.serial = law;
  model.response.model = std::move(law);
  model.validity.force_N = {{0.0, 1.5}};
  for (std::size_t i = 0; i < model.response.tactels.size(); i += 3)
    for (const double c : coefficients)
      model.response.tactels[i].coefficients.push_back(
          identified(c * (1 + static_cast<double>(i) / 1e3), ""));
  return model;
}

inline SensorModel knots_model() {
  auto model = curve_model("monotone", {});
  for (std::size_t i = 1; i < model.response.tactels.size(); i += 2) {
    auto& knots = model.response.tactels[i].knots;
    for (int k = 0; k < 5 + static_cast<int>(i) % 4; ++k)
      knots.push_back({0.1 + 0.2 * k, 70 + 300 * std::sqrt(k + 0.1 * static_cast<double>(i))});
  }
  return model;
}

/// Read over the sensor, so that its counts fall.
inline SensorModel divider_model() {
  auto model = falling_model();
  model.serial = "divider";
  model.response.model = "conductance";
  model.validity.force_N = {{0.0, 1.5}};
  for (auto& tactel : model.response.tactels)
    for (const double c : {4040.0 + tactel.index, -3000.0, 0.5})
      tactel.coefficients.push_back(identified(c, ""));
  return model;
}

inline SensorModel resistance_model() {
  auto model = divider_model();
  model.serial = "resistance";
  model.response.model = "reciprocal";
  for (auto& tactel : model.response.tactels)
    tactel.coefficients = {identified(300 + tactel.index, ""), identified(900, "")};
  return model;
}

/// Two arrays, 2 x 3 and 1 x 4, the second one irregular and turned; an odd name and serial.
inline SensorModel two_arrays_model() {
  SensorArray second{1, 4, 2e-3, 5e-3, {}, {}, {}, {}};
  second.positions_m = {{0, 0, 0}, {2e-3, 1e-3, 0}, {5e-3, 0, 1e-3}, {6e-3, 2e-3, 0}};
  second.pose.rpy_rad = {0, 0.5, 0};
  SensorDescription sensor;
  sensor.vendor = "x \\";
  sensor.model = "pad\n?\?/";
  sensor.arrays = {SensorArray{2, 3, 3.4e-3, 5e-3, {}, {}, {}, {}}, second};
  auto model = empty_model(sensor);
  model.serial = "two arrays \"\"\" */ \\";
  for (const std::size_t i : {0U, 4U, 9U}) {
    auto& tactel = model.response.tactels[i];
    tactel.offset = identified(0.5, "counts");
    tactel.press_gain = identified(2e-3, "N/count");
  }
  return model;
}

/// The line model with a spread and each tactel's own gain; every format can be written.
inline SensorModel image_model() {
  auto model = line_model();
  model.serial = "image";
  model.psf.form = "sampled";
  model.psf.edge = "zero";
  model.psf.kernel_sampled.s = identified(0.5, "tactels");
  model.stiffness.k = identified(2000, "N/m");
  model.stiffness.method = "area";
  model.stiffness.max_penetration = identified(2e-5, "m");
  model.stiffness.linear_to = identified(5e-6, "m");
  model.stiffness.curve = {{0, 0}, {5e-6, 0.01}, {1e-5, 0.025}, {2e-5, 0.08}};
  model.damping.c_n = identified(2, "N*s/m");
  model.damping.at.scope = "tactel";
  for (auto& tactel : model.response.tactels) {
    tactel.gain = identified(1 / (1000.0 + tactel.index), "N/count");
    tactel.threshold = identified(0.05, "N");
  }
  model.response.tactels[7].gain =
      unidentifiable("N/count", "RS-01 Tactel 7 stayed at its offset.");
  return model;
}

inline std::vector<SensorModel> runtime_models() {
  return {line_model(),
          falling_model(),
          knots_model(),
          curve_model("polynomial", {-40, 1000, -250}),
          curve_model("power", {50, 800, 0.6}),
          divider_model(),
          resistance_model(),
          two_arrays_model()};
}

}  // namespace tactelier::testing_models
