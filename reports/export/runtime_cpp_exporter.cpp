#include "reports/export/runtime_cpp_exporter.hpp"

#include <fmt/ranges.h>

#include "libcalib/model_file/model_file.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/runtime_numbers.hpp"

namespace tactelier {
namespace {

/// After the header's lines; {} is the namespace.
constexpr std::string_view kUse = R"(//
//   const auto newtons = {0}::newtons(tactel, reading);
//   if (newtons.flag == {0}::Flag::kOk) ... newtons.force_N
//
// No force is NaN: don't compile with -ffast-math.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace {0} {{

enum class Flag : unsigned char {{
  kOk,
  kBelow,         // within the dead zone, or below the curve: no force
  kSaturated,     // at least this force
  kUncalibrated,  // the model knows no newtons for this tactel: no force
  kMissing        // the reading is NaN: no force
}};

inline const char* to_string(Flag flag) {{
  constexpr const char* kNames[] = {{"ok", "below", "saturated", "uncalibrated", "missing"}};
  return kNames[static_cast<std::size_t>(flag)];
}}

struct Newtons {{
  double force_N;  // NaN: no force
  Flag flag;
}};

)";

constexpr std::string_view kTypes = R"(
namespace detail {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

enum class Kind : unsigned char { kNothing, kLine, kKnots, kLaw };

/// Counts that rise with the force; kNone: the tactel has no such thing.
struct Tactel {
  Kind kind;
  double offset, dead, threshold_N, gain_N_per_count, ceiling, saturation;
  std::size_t curve;
};
)";

constexpr std::string_view kCurveType = R"(
/// Ends in counts, and where its `size` knots or coefficients begin.
struct Curve {
  double below, lowest, highest, beyond;
  std::size_t first, size;
};
)";

constexpr std::string_view kBetweenKnots = R"(
inline double between_knots(const Curve& curve, double counts) {
  const double(*knots)[2] = kKnots + curve.first;
  std::size_t left = 0;
  for (std::size_t more = curve.size - 1; more > 1; more -= more / 2)
    left = knots[left + more / 2][1] <= counts ? left + more / 2 : left;
  const double* low = knots[left];
  const double* high = knots[left + 1];
  return low[0] + (high[0] - low[0]) / (high[1] - low[1]) * (counts - low[1]);
}
)";

constexpr std::string_view kByLaw = R"(
/// The inverse of the response law "{}".
inline double by_law(const double* c, double counts) {{
  return {};
}}
)";

constexpr std::string_view kOnCurve = R"(
inline Newtons on_curve(const Tactel& tactel, double counts, Flag flag) {{
  const Curve& curve = kCurves[tactel.curve];
  if (counts < curve.below) return {{kNone, Flag::kBelow}};
  if (counts > curve.beyond) flag = Flag::kSaturated;
  const double inside = std::min(std::max(counts, curve.lowest), curve.highest);
  return {{{}, flag}};
}}
)";

constexpr std::string_view kNewtons = R"(
}}  // namespace detail

/// `tactel` < kTactels; `reading` as the sensor gives it.
inline Newtons newtons(std::size_t tactel, double reading) {{
  const detail::Tactel& line = detail::kTactel[tactel];
  if (std::isnan(reading)) return {{detail::kNone, Flag::kMissing}};
  if (line.kind == detail::Kind::kNothing) return {{detail::kNone, Flag::kUncalibrated}};
  const double counts = {};
  const bool saturated = counts >= line.ceiling;
  const double held = saturated ? line.saturation : counts;
  const double above = held - line.offset;
  if (above <= line.dead) return {{detail::kNone, Flag::kBelow}};
  const Flag flag = saturated ? Flag::kSaturated : Flag::kOk;
{}  return {{line.threshold_N + line.gain_N_per_count * above, flag}};
}}

/// `readings`: frames x kTactels, frame after frame; forces and flags get as many places.
template <class Reading>
void newtons(const Reading* readings, std::size_t frames, double* forces_N, Flag* flags) {{
  for (std::size_t frame = 0; frame < frames; ++frame)
    for (std::size_t tactel = 0; tactel < kTactels; ++tactel) {{
      const std::size_t at = frame * kTactels + tactel;
      const Newtons result = newtons(tactel, static_cast<double>(readings[at]));
      forces_N[at] = result.force_N;
      flags[at] = result.flag;
    }}
}}

}}  // namespace {}
)";

constexpr std::string_view kOnCurveFirst =
    "  if (line.kind != detail::Kind::kLine) return detail::on_curve(line, held, flag);\n";

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "kNone";
}

std::string_view kind_of(const TactelCalibration& tactel) {
  if (!tactel.why.empty()) return "kNothing";
  if (!tactel.curve) return "kLine";
  return tactel.curve->law() ? "kLaw" : "kKnots";
}

std::string numbers_of(const TactelCalibration& tactel) {
  std::vector<std::string> numbers;
  for (const auto& value : runtime_row(tactel)) numbers.push_back(number(value));
  return fmt::format("{}", fmt::join(numbers, ", "));
}

/// The tables of one model, filled tactel by tactel.
struct Tables {
  std::string tactels, curves, knots, coefficients;
  std::size_t curve_count = 0, knot_count = 0, coefficient_count = 0;
};

void add_ends(const TactelCalibration& tactel, std::size_t first, std::size_t size,
              Tables& tables) {
  const auto ends = curve_ends(tactel);
  tables.curves += fmt::format("    {{{}, {}, {}, {}, {}, {}}},\n", ends.below, ends.lowest,
                               ends.highest, ends.beyond, first, size);
}

void add_curve(const TactelCalibration& tactel, Tables& tables) {
  if (tactel.curve->law()) {
    const auto coefficients = tactel.curve->coefficients();
    add_ends(tactel, tables.coefficient_count, coefficients.size(), tables);
    tables.coefficients += fmt::format("    {},\n", fmt::join(coefficients, ", "));
    tables.coefficient_count += coefficients.size();
    return;
  }
  const auto knots = tactel.curve->knots();
  add_ends(tactel, tables.knot_count, knots.size(), tables);
  for (const auto& [force_N, counts] : knots)
    tables.knots += fmt::format("    {{{}, {}}},\n", force_N, counts);
  tables.knot_count += knots.size();
}

Tables tables_of(const RuntimeNumbers& numbers) {
  Tables tables;
  for (std::size_t i = 0; i < numbers.tactels.size(); ++i) {
    const auto& tactel = numbers.tactels[i];
    const bool curved = tactel.why.empty() && tactel.curve.has_value();
    tables.tactels += fmt::format("    {{Kind::{}, {}, {}}},  // {}\n", kind_of(tactel),
                                  numbers_of(tactel), curved ? tables.curve_count : 0, i);
    if (!curved) continue;
    add_curve(tactel, tables);
    ++tables.curve_count;
  }
  return tables;
}

std::string table(std::string_view what, std::string_view declaration, const std::string& rows) {
  return fmt::format("\n// {}\nconstexpr {} = {{\n{}}};\n", what, declaration, rows);
}

/// How the force comes from a curve: by knots, by a law, or by what the tactel has.
std::string_view curve_call(const Tables& tables) {
  if (tables.knots.empty()) return "by_law(kCoefficients + curve.first, inside)";
  if (tables.coefficients.empty()) return "between_knots(curve, inside)";
  return "tactel.kind == Kind::kLaw ? by_law(kCoefficients + curve.first, inside)\n"
         "                                    : between_knots(curve, inside)";
}

std::string curve_code(const RuntimeNumbers& numbers, const Tables& tables) {
  if (tables.curves.empty()) return {};
  std::string code(kCurveType);
  code += table("below, lowest, highest, beyond [counts], first, size", "Curve kCurves[]",
                tables.curves);
  if (!tables.knots.empty()) {
    code += table("force [N], counts", "double kKnots[][2]", tables.knots);
    code += kBetweenKnots;
  }
  if (const auto* inverse = needed_inverse(numbers)) {
    code += table("of the law", "double kCoefficients[]", tables.coefficients);
    code += fmt::format(kByLaw, inverse->law, inverse->cpp);
  }
  return code + fmt::format(kOnCurve, curve_call(tables));
}

std::string counts_of(const TactelCalibration& tactel) {
  return tactel.falling ? fmt::format("{} - reading", tactel.mirror_counts) : "reading";
}

/// "tactelier_weiss_wts0614_0614_0042": two sensors fit into one program.
std::string name_of(const SensorModel& model) {
  const auto& sensor = model.sensor;
  return identifier(fmt::format("tactelier {} {}", sensor.name.empty() ? sensor.model : sensor.name,
                                model.serial));
}

std::string text_of(const SensorModel& model, const RuntimeNumbers& numbers) {
  const auto name = name_of(model);
  const auto tables = tables_of(numbers);
  auto text = "#pragma once\n// Raw readings of a tactile sensor to newtons.\n//\n" +
              comment_lines("// ", runtime_header(model, numbers));
  text += fmt::format(kUse, name);
  text += fmt::format("constexpr std::size_t kTactels = {};\n", numbers.tactels.size());
  text += kTypes;
  text += table(fmt::format("kind, {}, curve", kRuntimeColumns), "Tactel kTactel[kTactels]",
                tables.tactels);
  text += curve_code(numbers, tables);
  return text + fmt::format(kNewtons, counts_of(numbers.tactels.front()),
                            tables.curves.empty() ? "" : kOnCurveFirst, name);
}

}  // namespace

Result<Exported> RuntimeCppExporter::write(const SensorModel& model) const {
  auto numbers = runtime_numbers(model, "the C++ header");
  if (!numbers) return fail(numbers.error());
  return Exported{text_of(model, *numbers), std::move(numbers->losses), check_model(model)};
}

}  // namespace tactelier
