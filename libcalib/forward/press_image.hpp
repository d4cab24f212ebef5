#pragma once
// What a method of libcalib/forward is asked and what it answers.

#include <optional>
#include <vector>

#include "libcalib/forward/foundation_contact.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// What presses the indenter down; a mass presses with its weight.
struct PressLoad {
  enum class By { kForce, kDepth } by = By::kForce;
  double force_N = 0;  // by force: normal, > 0
  double depth_m = 0;  // by depth: of the tip below the undeformed surface, > 0
  /// Of the tip into the pad at that moment; 0 at rest, < 0 as it leaves.
  double approach_m_per_s = 0;
};

/// An indenter on the sensor.
struct StaticPress {
  Indenter indenter;
  PressPose pose;
  PressLoad load;
};

/// What the indenter does to the sensor, in S about its origin: a press has force_N[2] < 0.
struct ContactWrench {
  Vector3 force_N{0, 0, 0}, torque_Nm{0, 0, 0};
};

/// What each tactel gets of a press, by its index in the sensor.
struct PressImage {
  std::vector<double> force_N;
  double load_N = 0;
  std::optional<double> depth_m;  // of the tip; empty where the model has no stiffness to tell it
  PressFootprint footprint;       // the pressure, from the tip along the axes of S
  Warnings warnings;              // FW-02, FW-03
  std::optional<ContactWrench> wrench{};  // of methods that know where each force acts
};

}  // namespace tactelier
