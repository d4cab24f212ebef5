#include "reports/export/runtime_python_exporter.hpp"

#include <fmt/ranges.h>

#include "libcalib/model_file/model_file.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/runtime_numbers.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kBegin = R"(
import numpy as np

TACTELS = {}
FLAGS = ("ok", "below", "saturated", "uncalibrated", "missing")
OK, BELOW, SATURATED, UNCALIBRATED, MISSING = range(5)

_NONE = np.nan
)";

constexpr std::string_view kTable = R"(
# {},
# one row per tactel, counts that rise
_OFFSET, _DEAD, _THRESHOLD_N, _GAIN_N_PER_COUNT, _CEILING, _SATURATION = np.array([
{}]).T[:, :, np.newaxis]
)";

constexpr std::string_view kKnots = R"(
# tactel: (below, beyond, knots in counts, knots in N)
_KNOTS = {{
{}}}


def _between_knots(tactel, counts):
    below, beyond, knots, knots_N = _KNOTS[tactel]
    return np.interp(counts, knots, knots_N), counts < below, counts > beyond
)";

constexpr std::string_view kLaws = R"(

# tactel: (below, lowest, highest, beyond, coefficients of the response law "{0}")
_LAWS = {{
{1}}}


def _by_law(tactel, counts):
    below, lowest, highest, beyond, c = _LAWS[tactel]
    low, high = counts < below, counts > beyond
    counts = np.clip(counts, lowest, highest)
    return {2}, low, high
)";

constexpr std::string_view kConvert = R"(

def _convert(readings):
    """Of a block, tactels x frames."""
    counts = {}
    saturated = counts >= _CEILING
    held = np.where(saturated, _SATURATION, counts)
    above = held - _OFFSET
    force_N = _THRESHOLD_N + _GAIN_N_PER_COUNT * above
    below = above <= _DEAD
{}    flag = np.where(saturated, SATURATED, OK).astype(np.uint8)
    flag[below] = BELOW
    flag[np.isnan(_OFFSET[:, 0])] = UNCALIBRATED
    flag[np.isnan(readings)] = MISSING
    force_N[(flag != OK) & (flag != SATURATED)] = np.nan
    return force_N, flag


_BLOCK = 512  # frames: what a block needs stays in the cache


def newtons(readings):
    """Raw readings, ... x TACTELS, to (force_N, flag) of the same shape.

    A reading that is NaN is MISSING. force_N is NaN where the flag is BELOW (within the dead zone,
    or below the curve), UNCALIBRATED or MISSING; where it is SATURATED, at least this force.
    """
    readings = np.asarray(readings, dtype=float)
    if readings.ndim == 0 or readings.shape[-1] != TACTELS:
        raise ValueError(f"readings of {{TACTELS}} tactels expected, not {{readings.shape}}")
    frames = readings.reshape(-1, TACTELS)
    force_N = np.empty(frames.shape)
    flag = np.empty(frames.shape, np.uint8)
    for at in range(0, len(frames), _BLOCK):
        block = slice(at, at + _BLOCK)
        force, flags = _convert(np.ascontiguousarray(frames[block].T))
        force_N[block], flag[block] = force.T, flags.T
    return force_N.reshape(readings.shape), flag.reshape(readings.shape)
)";

constexpr std::string_view kCurves = R"(    for tactel in {0}:
        force_N[tactel], low, high = {1}(tactel, held[tactel])
        below[tactel] |= low
        saturated[tactel] |= high
)";

std::string row_of(const TactelCalibration& tactel, std::size_t index) {
  std::vector<std::string> cells;
  for (const auto& value : runtime_row(tactel))
    cells.push_back(value ? fmt::format("{}", *value) : "_NONE");
  return fmt::format("    [{}],  # {}\n", fmt::join(cells, ", "), index);
}

std::string list_of(std::span<const std::array<double, 2>> knots, std::size_t column) {
  std::vector<double> values;
  values.reserve(knots.size());
  for (const auto& knot : knots) values.push_back(knot[column]);
  return fmt::format("np.array([{}], dtype=float)", fmt::join(values, ", "));
}

struct Tables {
  std::string tactels, knots, laws;
};

void add_curve(const TactelCalibration& tactel, std::size_t index, Tables& tables) {
  const auto [below, lowest, highest, beyond] = curve_ends(tactel);
  const auto& curve = *tactel.curve;
  if (curve.law())
    tables.laws += fmt::format("    {}: ({}, {}, {}, {}, ({})),\n", index, below, lowest, highest,
                               beyond, fmt::join(curve.coefficients(), ", "));
  else
    tables.knots += fmt::format("    {}: ({}, {},\n        {},\n        {}),\n", index, below,
                                beyond, list_of(curve.knots(), 1), list_of(curve.knots(), 0));
}

Tables tables_of(const RuntimeNumbers& numbers) {
  Tables tables;
  for (std::size_t i = 0; i < numbers.tactels.size(); ++i) {
    const auto& tactel = numbers.tactels[i];
    tables.tactels += row_of(tactel, i);
    if (tactel.why.empty() && tactel.curve) add_curve(tactel, i, tables);
  }
  return tables;
}

std::string counts_of(const TactelCalibration& tactel) {
  return tactel.falling ? fmt::format("{} - readings", tactel.mirror_counts) : "readings";
}

std::string text_of(const SensorModel& model, const RuntimeNumbers& numbers) {
  const auto tables = tables_of(numbers);
  auto text = "\"\"\"Raw readings of a tactile sensor to newtons: newtons(readings).\"\"\"\n" +
              comment_lines("# ", runtime_header(model, numbers));
  text += fmt::format(kBegin, numbers.tactels.size());
  text += fmt::format(kTable, kRuntimeColumns, tables.tactels);
  std::string curves;
  if (!tables.knots.empty()) {
    text += fmt::format(kKnots, tables.knots);
    curves += fmt::format(kCurves, "_KNOTS", "_between_knots");
  }
  if (const auto* inverse = needed_inverse(numbers)) {
    text += fmt::format(kLaws, inverse->law, tables.laws, inverse->python);
    curves += fmt::format(kCurves, "_LAWS", "_by_law");
  }
  return text + fmt::format(kConvert, counts_of(numbers.tactels.front()), curves);
}

}  // namespace

Result<Exported> RuntimePythonExporter::write(const SensorModel& model) const {
  auto numbers = runtime_numbers(model, "the NumPy module");
  if (!numbers) return fail(numbers.error());
  return Exported{text_of(model, *numbers), std::move(numbers->losses), check_model(model)};
}

}  // namespace tactelier
