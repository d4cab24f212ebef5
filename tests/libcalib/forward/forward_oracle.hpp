#pragma once
// Oracle 11 (three forward models at a given load) and the indenters of its cases.

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "libcalib/forward/press_image.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::forward_oracle {

inline const nlohmann::json& oracle() {
  static const auto document =
      nlohmann::json::parse(std::ifstream(paths::oracles() + "/11_forward.json"));
  return document;
}

/// The oracle's kinds are older than the session's.
inline Indenter indenter_of(const nlohmann::json& from) {
  const std::string kind = from["kind"];
  Indenter indenter;
  if (kind == "sphere" || kind == "cylinder" || kind == "punch")
    indenter.diameter_m = 2 * from["R"].get<double>();
  if (kind == "cylinder" || kind == "edge") indenter.length_m = from["L"];
  if (kind == "sphere") indenter.shape = IndenterShape::kSphere;
  if (kind == "cylinder") indenter.shape = IndenterShape::kLyingCylinder;
  if (kind == "edge") {
    indenter.shape = IndenterShape::kWedge;
    indenter.half_angle_rad = from["beta"];
  }
  if (kind == "hexagon") {
    indenter.shape = IndenterShape::kHexagon;
    indenter.across_flats_m = from["af"];
  }
  return indenter;
}

inline PressPose pose_of(const nlohmann::json& from) {
  return {from.value("x0", 0.0), from.value("y0", 0.0), from.value("yaw", 0.0), 0, 0};
}

inline Indenter sphere(double diameter_m) {
  Indenter indenter;
  indenter.shape = IndenterShape::kSphere;
  indenter.diameter_m = diameter_m;
  return indenter;
}

inline Indenter pin(double diameter_m) {
  Indenter indenter;
  indenter.diameter_m = diameter_m;
  return indenter;
}

inline Indenter plate() {
  Indenter indenter;
  indenter.shape = IndenterShape::kPlate;
  return indenter;
}

inline PressLoad newtons(double force_N) { return {PressLoad::By::kForce, force_N, 0}; }
inline PressLoad metres(double depth_m) { return {PressLoad::By::kDepth, 0, depth_m}; }

inline double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace tactelier::forward_oracle
