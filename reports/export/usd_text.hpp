#pragma once
// Files in USD's text form (.usda), written by hand: a tree of prims is all that a pad needs, and
// no library of USD is in Debian.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactelier {

struct UsdPrim {
  std::string type;  // "Sphere"
  std::string name;
  std::vector<std::string> schemas;     // applied: "PhysicsCollisionAPI"
  std::vector<std::string> attributes;  // "double radius = 0.0017"
  std::vector<UsdPrim> children{};
};

/// `opening`: comment lines. Metres, kilograms, z up; the root is the default prim.
std::string usd_text(std::span<const std::string> opening, const UsdPrim& root);

/// "(1, 2.5, -3)", nine digits.
std::string usd_vector(const std::array<double, 3>& vector);

/// "float physics:dynamicFriction = 0.23", nine digits; `type`: float, double.
std::string usd_number(std::string_view type, std::string_view name, double value);

/// "xformOp:..." of a place: where it is and how it is turned about the fixed axes x, y, z.
std::vector<std::string> usd_pose(const std::array<double, 3>& position_m,
                                  const std::array<double, 3>& rpy_rad);

}  // namespace tactelier
