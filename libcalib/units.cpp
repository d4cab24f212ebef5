#include "libcalib/units.hpp"

#include <array>
#include <string>

namespace tactelier {
namespace {

constexpr std::array kUnits{
    Unit{"s", Quantity::kTime, 1},
    Unit{"ms", Quantity::kTime, 1e-3},
    Unit{"us", Quantity::kTime, 1e-6},
    Unit{"ns", Quantity::kTime, 1e-9},
    Unit{"m", Quantity::kLength, 1},
    Unit{"mm", Quantity::kLength, 1e-3},
    Unit{"um", Quantity::kLength, 1e-6},
    Unit{"nm", Quantity::kLength, 1e-9},
    Unit{"m/s", Quantity::kSpeed, 1},
    Unit{"mm/s", Quantity::kSpeed, 1e-3},
    Unit{"um/s", Quantity::kSpeed, 1e-6},
    Unit{"N", Quantity::kForce, 1},
    Unit{"mN", Quantity::kForce, 1e-3},
    Unit{"uN", Quantity::kForce, 1e-6},
    Unit{"nN", Quantity::kForce, 1e-9},
    Unit{"kN", Quantity::kForce, 1e3},
    Unit{"kgf", Quantity::kForce, 9.80665},
    Unit{"gf", Quantity::kForce, 9.80665e-3},
    Unit{"lbf", Quantity::kForce, 4.4482216152605},
    Unit{"N*m", Quantity::kTorque, 1},
    Unit{"N*mm", Quantity::kTorque, 1e-3},
    Unit{"mN*m", Quantity::kTorque, 1e-3},
    Unit{"Pa", Quantity::kPressure, 1},
    Unit{"kPa", Quantity::kPressure, 1e3},
    Unit{"MPa", Quantity::kPressure, 1e6},
    Unit{"bar", Quantity::kPressure, 1e5},
    Unit{"degC", Quantity::kTemperature, 1},
    Unit{"V", Quantity::kVoltage, 1},
    Unit{"mV", Quantity::kVoltage, 1e-3},
    Unit{"rad", Quantity::kAngle, 1},
    Unit{"mrad", Quantity::kAngle, 1e-3},
    Unit{"deg", Quantity::kAngle, deg_to_rad(1)},
    Unit{"rad/s", Quantity::kAngularSpeed, 1},
    Unit{"deg/s", Quantity::kAngularSpeed, deg_to_rad(1)},
    Unit{"rpm", Quantity::kAngularSpeed, deg_to_rad(6)},
    Unit{"counts", Quantity::kCounts, 1},
};

template <class Keep>
std::string joined_symbols(Keep keep) {
  std::string text;
  for (const auto& unit : kUnits)
    if (keep(unit)) text += (text.empty() ? "" : ", ") + std::string(unit.symbol);
  return text;
}

}  // namespace

Result<Unit> parse_unit(std::string_view symbol) {
  for (const auto& unit : kUnits)
    if (unit.symbol == symbol) return unit;
  return fail(ErrorCode::kInvalidInput, "unknown unit '{}'; understood are {}", symbol,
              joined_symbols([](const Unit&) { return true; }));
}

std::vector<std::string> units_with(Quantity quantity) {
  std::vector<std::string> symbols;
  for (const auto& unit : kUnits)
    if (unit.quantity == quantity) symbols.emplace_back(unit.symbol);
  return symbols;
}

std::string unit_symbols(Quantity quantity) {
  return joined_symbols([quantity](const Unit& unit) { return unit.quantity == quantity; });
}

}  // namespace tactelier
