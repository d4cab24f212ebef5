#pragma once
// SI inside, conversion at the edges: importers, formatters, device protocols, writers.
// Factors are exact (SI definition; NIST SP 811).

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

constexpr double kStandardGravity_m_per_s2 = 9.80665;

constexpr double mm_to_m(double length_mm) { return length_mm * 1e-3; }
constexpr double m_to_mm(double length_m) { return length_m * 1e3; }
constexpr double mm2_to_m2(double area_mm2) { return area_mm2 * 1e-6; }
constexpr double m2_to_mm2(double area_m2) { return area_m2 * 1e6; }
constexpr double g_to_kg(double mass_g) { return mass_g * 1e-3; }
constexpr double MPa_to_Pa(double pressure_MPa) { return pressure_MPa * 1e6; }
constexpr double deg_to_rad(double angle_deg) { return angle_deg * 0.017453292519943295; }
constexpr double rad_to_deg(double angle_rad) { return angle_rad / deg_to_rad(1); }

enum class Quantity {
  kTime,
  kLength,
  kSpeed,
  kForce,
  kTorque,
  kPressure,
  kTemperature,
  kVoltage,
  kAngle,
  kAngularSpeed,
  kCounts
};

/// A unit as it may stand in a column's brackets. A value in SI is value * to_si.
/// Temperatures stay in degrees Celsius, voltages in volts, counts in counts.
struct Unit {
  std::string_view symbol;
  Quantity quantity;
  double to_si;
};

/// Understands: s ms us ns · m mm um nm · m/s mm/s um/s · N mN uN nN kN kgf gf lbf · N*m N*mm mN*m
/// · Pa kPa MPa bar · degC · V mV · rad mrad deg · rad/s deg/s rpm · counts. Fails with
/// kInvalidInput, naming what it understands.
Result<Unit> parse_unit(std::string_view symbol);

/// The symbols of one quantity, and those with commas between: "s, ms, us, ns".
std::vector<std::string> units_with(Quantity quantity);
std::string unit_symbols(Quantity quantity);

}  // namespace tactelier
