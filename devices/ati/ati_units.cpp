#include "devices/ati/ati_units.hpp"

#include <array>
#include <span>

#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr double kPoundForce_N = 4.4482216152605;  // exact, NIST SP 811

struct NamedUnit {
  std::string_view name;
  double to_SI;
};
constexpr std::array kForceUnits{
    NamedUnit{"N", 1},
    NamedUnit{"kN", 1e3},
    NamedUnit{"lbf", kPoundForce_N},
    NamedUnit{"klbf", 1e3 * kPoundForce_N},
    NamedUnit{"kgf", kStandardGravity_m_per_s2},
    NamedUnit{"gf", 1e-3 * kStandardGravity_m_per_s2},
};
constexpr std::array kTorqueUnits{
    NamedUnit{"N-m", 1},
    NamedUnit{"Nm", 1},
    NamedUnit{"N-mm", 1e-3},
    NamedUnit{"Nmm", 1e-3},
    NamedUnit{"kN-m", 1e3},
    NamedUnit{"lbf-in", 0.0254 * kPoundForce_N},
    NamedUnit{"lbf-ft", 0.3048 * kPoundForce_N},
    NamedUnit{"kgf-cm", 1e-2 * kStandardGravity_m_per_s2},
    NamedUnit{"kg-cm", 1e-2 * kStandardGravity_m_per_s2},
};
constexpr std::array kLengthUnits{
    NamedUnit{"mm", 1e-3},   NamedUnit{"m", 1},       NamedUnit{"cm", 1e-2},
    NamedUnit{"in", 0.0254}, NamedUnit{"ft", 0.3048},
};

std::optional<double> find(std::string_view name, std::span<const NamedUnit> units) {
  for (const auto& unit : units)
    if (unit.name == name) return unit.to_SI;
  return std::nullopt;
}

std::string names(std::span<const NamedUnit> units) {
  std::string text;
  for (const auto& unit : units) text += fmt::format("{}{}", text.empty() ? "" : ", ", unit.name);
  return text;
}

}  // namespace

std::optional<double> ati_force_unit_N(std::string_view name) { return find(name, kForceUnits); }
std::optional<double> ati_torque_unit_Nm(std::string_view name) { return find(name, kTorqueUnits); }
std::optional<double> ati_length_unit_m(std::string_view name) { return find(name, kLengthUnits); }
std::string ati_force_unit_names() { return names(kForceUnits); }
std::string ati_torque_unit_names() { return names(kTorqueUnits); }

}  // namespace tactelier::devices
