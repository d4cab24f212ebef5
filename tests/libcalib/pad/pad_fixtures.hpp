#pragma once
// Small truths and readers of the oracles, for the tests of the simulated pad.

#include <algorithm>
#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "libcalib/pad/pad.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::pad {

inline nlohmann::json oracle(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(paths::oracles() + "/" + name));
}

/// Rows of a CSV without its header.
inline std::vector<std::vector<double>> oracle_rows(const std::string& name) {
  std::ifstream file(paths::oracles() + "/" + name);
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream cells(line);
    cells.imbue(std::locale::classic());
    std::vector<double> row;
    for (double x; cells >> x;) row.push_back(x);
    rows.push_back(row);
  }
  return rows;
}

inline SensorDescription grid_sensor(int rows, int columns, double pitch_m) {
  SensorDescription sensor;
  sensor.name = "test grid";
  SensorArray array;
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = array.pitch_y_m = pitch_m;
  sensor.arrays.push_back(array);
  sensor.adc = {12, 0, 4095};
  return sensor;
}

inline Indenter cylinder(double diameter_m) {
  Indenter indenter;
  indenter.shape = IndenterShape::kCylinder;
  indenter.diameter_m = diameter_m;
  return indenter;
}

inline Indenter sphere(double diameter_m) {
  Indenter indenter;
  indenter.shape = IndenterShape::kSphere;
  indenter.diameter_m = diameter_m;
  return indenter;
}

/// 14 x 6 tactels of 3.4 mm; 2000 N/m under a punch of 1 mm, purely elastic; every tactel 60 counts
/// of offset, 0.1 N of threshold and 2e-4 N/count of its own share; frames at 250 Hz.
inline PadTruth plain_truth() {
  PadTruth truth;
  truth.sensor = grid_sensor(14, 6, 3.4e-3);
  truth.calibration_indenter = cylinder(1e-3);
  truth.layer.thickness_m = 3e-3;
  truth.layer.foundation_modulus_Pa_per_m = 2000 / 7.853981633974483e-7;
  truth.spread.sigma_x_m = truth.spread.sigma_y_m = 1.6e-3;
  TactelTruth tactel;
  tactel.offset_counts = 60;
  tactel.gain_N_per_count = 2e-4;
  tactel.threshold_N = 0.1;
  tactel.saturation_counts = 3840;
  truth.tactels.assign(84, tactel);
  truth.rate_hz = 250;
  return truth;
}

/// Centre of tactel (row, column) of that array.
inline Point plain_centre(int row, int column) {
  return {(column - 2.5) * 3.4e-3, (row - 6.5) * 3.4e-3};
}

}  // namespace tactelier::pad
