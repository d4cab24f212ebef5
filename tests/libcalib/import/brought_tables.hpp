#pragma once
// Tables as people bring them, each from a law written down here: nothing of the simulated pad.

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace tactelier::test_support {

/// Weights put on one after the other for `each_s`, with a second of handling between them, read at
/// 20 rows per second: counts = 100 + 2 per gram, noise of one count. Columns t, counts.
inline std::string plateaus_of_weights(const std::vector<double>& masses_g, double each_s) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::string table = "t,counts\n";
  double t_s = 0, before_g = masses_g.front();
  const auto row = [&](double mass_g) {
    table += fmt::format("{:.2f},{:.0f}\n", t_s, 100 + 2 * mass_g + noise(random));
    t_s += 0.05;
  };
  for (const double mass_g : masses_g) {
    for (int i = 1; i <= 20; ++i) row(before_g + (mass_g - before_g) * i / 20.0);
    for (int i = 0; i < each_s * 20; ++i) row(mass_g);
    before_g = mass_g;
  }
  return table;
}

/// A press held at depth while the force relaxes, with time stamps that grow apart: one second of
/// approach at 100 rows per second, then `rows` rows spaced evenly in log time up to `until_s`.
/// Columns t, depth, force.
inline std::string log_spaced_hold(double until_s, int rows) {
  std::string table = "t,depth,force\n";
  for (int i = 0; i < 200; ++i) {
    const double t_s = 0.01 * i;
    const double depth_mm = std::max(0.0, t_s - 1.0);
    table += fmt::format("{:.6f},{:.6f},{:.6f}\n", t_s, depth_mm, 2 * depth_mm);
  }
  for (int i = 0; i < rows; ++i) {
    const double held_s = 0.01 * std::pow(until_s / 0.01, i / (rows - 1.0));
    const double force_N = 1.2 + 0.5 * std::exp(-held_s / 3) + 0.3 * std::exp(-held_s / 300);
    table += fmt::format("{:.6f},1.000000,{:.6f}\n", 1.99 + held_s, force_N);
  }
  return table;
}

/// A stage that goes to and fro in x by 20 mm under a load, resting half a second at either end:
/// forth at 5 mm/s, back at 2 mm/s. 50 rows per second. Columns t, x, load, shear.
inline std::string one_sled(int strokes) {
  std::string table = "t,x,load,shear\n";
  double t_s = 0, x_mm = 0;
  const auto row = [&](double v_mm_per_s) {
    const double shear_N = v_mm_per_s > 0 ? 0.4 : v_mm_per_s < 0 ? -0.35 : 0.0;
    table += fmt::format("{:.2f},{:.4f},1.5,{:.3f}\n", t_s, x_mm, shear_N);
    t_s += 0.02;
    x_mm += 0.02 * v_mm_per_s;
  };
  const auto rest = [&] {
    for (int i = 0; i < 25; ++i) row(0);
  };
  rest();
  for (int i = 0; i < strokes; ++i) {
    for (int k = 0; k < 200; ++k) row(5);
    rest();
    for (int k = 0; k < 500; ++k) row(-2);
    rest();
  }
  return table;
}

}  // namespace tactelier::test_support
