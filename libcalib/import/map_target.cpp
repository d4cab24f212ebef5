#include "libcalib/import/map_target.hpp"

#include <algorithm>
#include <array>

#include "libcalib/json_check.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using Kind = MapTarget::Kind;

struct KnownTarget {
  std::string_view text;
  Kind kind;
  StreamKind stream;
  std::string_view column;
  Quantity quantity;
};

constexpr std::array kTargets{
    KnownTarget{"t", Kind::kTime, {}, "t", Quantity::kTime},
    KnownTarget{"t_host", Kind::kHostTime, {}, "t_host", Quantity::kTime},
    KnownTarget{"x", Kind::kReading, StreamKind::kStage, "x", Quantity::kLength},
    KnownTarget{"y", Kind::kReading, StreamKind::kStage, "y", Quantity::kLength},
    KnownTarget{"z", Kind::kReading, StreamKind::kStage, "z", Quantity::kLength},
    KnownTarget{"depth", Kind::kReading, StreamKind::kStage, "z", Quantity::kLength},
    KnownTarget{"force", Kind::kReading, StreamKind::kForce, "Fz", Quantity::kForce},
    KnownTarget{"Fx", Kind::kReading, StreamKind::kForce, "Fx", Quantity::kForce},
    KnownTarget{"Fy", Kind::kReading, StreamKind::kForce, "Fy", Quantity::kForce},
    KnownTarget{"Fz", Kind::kReading, StreamKind::kForce, "Fz", Quantity::kForce},
    KnownTarget{"Tx", Kind::kReading, StreamKind::kForce, "Tx", Quantity::kTorque},
    KnownTarget{"Ty", Kind::kReading, StreamKind::kForce, "Ty", Quantity::kTorque},
    KnownTarget{"Tz", Kind::kReading, StreamKind::kForce, "Tz", Quantity::kTorque},
    KnownTarget{"speed", Kind::kReading, StreamKind::kAux, "speed", Quantity::kSpeed},
    KnownTarget{"angle", Kind::kReading, StreamKind::kAux, "angle", Quantity::kAngle},
    KnownTarget{"angular_speed", Kind::kReading, StreamKind::kAux, "angular_speed",
                Quantity::kAngularSpeed},
    KnownTarget{"torque", Kind::kReading, StreamKind::kAux, "torque", Quantity::kTorque},
};

/// "angle elbow": of a joint, which may have a name.
bool is_of_joint(const KnownTarget& target, std::string_view text) {
  const bool joint = target.quantity == Quantity::kAngle ||
                     target.quantity == Quantity::kAngularSpeed || target.text == "torque";
  return joint && text.size() > target.text.size() + 1 && text.starts_with(target.text) &&
         text[target.text.size()] == ' ';
}

Result<MapTarget> unknown_target(std::string_view text) {
  std::vector<std::string> names{"ignore", "mass", "tactel 0", "aux NAME"};
  for (const auto& target : kTargets) names.emplace_back(target.text);
  return fail(ErrorCode::kInvalidInput,
              "unknown target '{}'{}; there are t, t_host, x, y, z, depth, force, mass, Fx ... Tz, "
              "speed, angle, angular_speed, torque (of a joint), tactel N, aux NAME, ignore",
              text.substr(0, 40), did_you_mean(text, names));
}

Result<void> check_unit(const std::string& unit, std::optional<Quantity> quantity) {
  if (unit.empty())
    return fail(ErrorCode::kInvalidInput, "its unit is missing{}{}", quantity ? "; one of " : "",
                quantity ? unit_symbols(*quantity) : "");
  const auto known = parse_unit(unit);
  if (!known) return fail(known.error());
  if (!quantity || known->quantity == *quantity) return {};
  return fail(ErrorCode::kInvalidInput, "unit '{}' is not one of {}", unit,
              unit_symbols(*quantity));
}

/// A weight put on is a force: grams become gram-force, so that the digits stay as written.
Result<MapTarget> parse_mass(MapTarget target, const std::string& unit) {
  if (unit != "g" && unit != "kg")
    return fail(ErrorCode::kInvalidInput, "{}; a mass is in g or kg",
                unit.empty() ? "its unit is missing" : fmt::format("unit '{}'", unit));
  target.stream = StreamKind::kForce;
  target.column = {"Fz", unit == "g" ? "gf" : "kgf"};
  return target;
}

}  // namespace

Result<MapTarget> parse_map_target(const std::string& text, const std::string& unit) {
  MapTarget target;
  target.text = text;
  if (text == "ignore") return target;
  target.kind = Kind::kReading;
  target.column.unit = unit;
  if (text == "mass") return parse_mass(target, unit);
  if (text.starts_with("tactel ")) {
    target.stream = StreamKind::kTactile;
    target.column.name = text.substr(7);
    if (unit.empty()) return target;
    const auto fits = check_unit(unit, std::nullopt);
    return fits ? Result<MapTarget>(target) : fail(fits.error());
  }
  if (text.starts_with("aux ")) {
    target.stream = StreamKind::kAux;
    target.column.name = text.substr(4);
    const auto fits = check_unit(unit, std::nullopt);
    return fits ? Result<MapTarget>(target) : fail(fits.error());
  }
  for (const auto& known : kTargets) {
    const bool of_joint = is_of_joint(known, text);
    if (known.text != text && !of_joint) continue;
    if (const auto fits = check_unit(unit, known.quantity); !fits) return fail(fits.error());
    target.kind = known.kind;
    target.stream = known.stream;
    target.column.name = of_joint ? text : known.column;
    target.negate = text == "depth";
    return target;
  }
  return unknown_target(text);
}

std::vector<std::string> map_targets() {
  std::vector<std::string> targets;
  for (const auto& known : kTargets) {
    targets.emplace_back(known.text);
    if (known.text == "force") targets.emplace_back("mass");
  }
  targets.emplace_back("ignore");
  return targets;
}

std::vector<std::string> units_of_target(std::string_view target) {
  if (target == "mass") return {"g", "kg"};
  for (const auto& known : kTargets)
    if (known.text == target || is_of_joint(known, target)) return units_with(known.quantity);
  return {};
}

}  // namespace tactelier
