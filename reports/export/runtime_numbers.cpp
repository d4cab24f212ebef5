#include "reports/export/runtime_numbers.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

constexpr std::array<LawInverse, 3> kInverses{{
    {"conductance", "c[2] * ((counts - c[0]) / c[1]) / (1 - (counts - c[0]) / c[1])",
     "c[2] * ((counts - c[0]) / c[1]) / (1 - (counts - c[0]) / c[1])"},
    {"reciprocal", "c[1] / (counts - c[0])", "c[1] / (counts - c[0])"},
    {"power", "std::pow(std::max(0.0, (counts - c[0]) / c[1]), 1 / c[2])",
     "np.power(np.maximum(0.0, (counts - c[0]) / c[1]), 1 / c[2])"},
}};

const LawInverse* find_inverse(std::string_view law) {
  const auto* const found = std::find_if(kInverses.begin(), kInverses.end(),
                                         [&](const auto& known) { return known.law == law; });
  return found == kInverses.end() ? nullptr : found;
}

std::string path_of(std::size_t tactel, std::string_view name) {
  return fmt::format("response.tactels[{}].{}", tactel, name);
}

/// What a runtime is made of, whether the model has it or not.
std::vector<std::string> read_paths(const SensorModel& model) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i) {
    for (const auto* name : {"offset", "press_threshold", "press_gain", "saturation", "noise"})
      paths.push_back(path_of(i, name));
    for (std::size_t k = 0; k < model.response.tactels[i].coefficients.size(); ++k)
      paths.push_back(path_of(i, fmt::format("coefficients[{}]", k)));
  }
  return paths;
}

/// Assuming these gives the tactel newtons.
void add_missing(const TactelResponse& response, std::size_t tactel, std::vector<Loss>& losses) {
  const auto add = [&](std::string_view name, const Parameter& parameter) {
    if (parameter.usable()) return;
    losses.push_back({path_of(tactel, name),
                      fmt::format("tactel {} stays uncalibrated: {}", tactel, parameter.reason),
                      true});
  };
  add("press_gain", response.press_gain);
  add("offset", response.offset);
}

std::vector<std::size_t> without_newtons(const RuntimeNumbers& numbers) {
  std::vector<std::size_t> tactels;
  for (std::size_t i = 0; i < numbers.tactels.size(); ++i)
    if (!numbers.tactels[i].why.empty()) tactels.push_back(i);
  return tactels;
}

Result<void> can_run(const SensorModel& model, const RuntimeNumbers& numbers) {
  if (model.sensor.channels != 1)
    return fail(ErrorCode::kInvalidInput,
                "sensor.channels: {} readings per tactel; a runtime knows sensors with one only",
                model.sensor.channels);
  if (without_newtons(numbers).size() == numbers.tactels.size())
    return fail(ErrorCode::kUnidentifiable,
                "response.tactels: no tactel has newtons, the first one because {}; record presses "
                "on tactels, or assume press_gain and offset",
                numbers.tactels.empty() ? "there is none" : numbers.tactels.front().why);
  for (const auto& tactel : numbers.tactels)
    if (tactel.curve && tactel.curve->law() && !find_inverse(tactel.curve->law()->name()))
      return fail(ErrorCode::kInvalidInput,
                  "response.model: no runtime knows the inverse of the law '{}'",
                  tactel.curve->law()->name());
  return {};
}

/// "tactels 0 .. 83: 14 rows x 6 columns, pitch 3.4 mm along +x, 3.4 mm along +y"
std::vector<std::string> layout_lines(const SensorDescription& sensor) {
  std::vector<std::string> lines{
      "Tactels: numbered row by row, array after array, from 0; columns go along +x, rows along "
      "+y"};
  int first = 0;
  for (std::size_t i = 0; i < sensor.arrays.size(); ++i) {
    const auto& array = sensor.arrays[i];
    lines.push_back(fmt::format("Array {}: tactels {} .. {}, {} rows x {} columns", i, first,
                                first + array.tactels() - 1, array.rows, array.columns));
    first += array.tactels();
  }
  return lines;
}

}  // namespace

std::span<const LawInverse> law_inverses() { return kInverses; }

Result<RuntimeNumbers> runtime_numbers(const SensorModel& model, std::string_view target) {
  RuntimeNumbers numbers;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model.sensor.tactels()); ++i) {
    numbers.tactels.push_back(tactel_calibration(model, i));
    if (!numbers.tactels.back().why.empty() && i < model.response.tactels.size())
      add_missing(model.response.tactels[i], i, numbers.losses);
  }
  if (const auto ok = can_run(model, numbers); !ok) return fail(ok.error());
  for (auto& loss : losses_without_slot(model, read_paths(model), target))
    numbers.losses.push_back(std::move(loss));
  return numbers;
}

std::array<std::optional<double>, 6> runtime_row(const TactelCalibration& tactel) {
  if (!tactel.why.empty()) return {};
  return {tactel.offset_counts,    tactel.dead_counts(),    tactel.threshold_N,
          tactel.gain_N_per_count, tactel.ceiling_counts(), tactel.saturation_counts};
}

CurveEnds curve_ends(const TactelCalibration& tactel) {
  const auto& curve = *tactel.curve;
  const double margin = tactel.curve_margin_counts();
  return {curve.lowest_counts() - margin, curve.lowest_counts(), curve.highest_counts(),
          curve.highest_counts() + margin};
}

const LawInverse* needed_inverse(const RuntimeNumbers& numbers) {
  for (const auto& tactel : numbers.tactels)
    if (tactel.curve && tactel.curve->law()) return find_inverse(tactel.curve->law()->name());
  return nullptr;
}

std::vector<std::string> runtime_header(const SensorModel& model, const RuntimeNumbers& numbers) {
  auto lines = header_lines(model);
  for (auto& line : layout_lines(model.sensor)) lines.push_back(std::move(line));
  const auto& indenter = model.response.calibration_indenter;
  lines.push_back(
      fmt::format("Force: of the calibration indenter ({}) over a tactel's centre that "
                  "gives this reading;",
                  indenter.empty() ? "not named" : indenter));
  lines.push_back("  not a tactel's own share, and nothing is said outside the range of validity");
  if (const auto none = without_newtons(numbers); !none.empty())
    lines.push_back(
        fmt::format("Uncalibrated: {} of {} tactels", none.size(), numbers.tactels.size()));
  return lines;
}

}  // namespace tactelier
