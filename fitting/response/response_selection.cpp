#include "fitting/response/response_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/recording/press_indenter.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kSamePlace = 0.02;  // of the pitch: places this much farther out still count
constexpr double kOffCentre = 0.25;  // of the pitch: worth a warning

const Press& press_of(const FitContext& context, std::size_t row) {
  const auto& contact = context.contacts[row];
  return context.sessions[contact.session].presses[contact.press];
}

void leave_out(FitContext& context, std::size_t row, const std::string& why) {
  auto& entry = context.model.presses[row];
  entry.why += (entry.why.empty() ? "" : "; ") + why;
}

/// Why a press can't speak for a tactel; empty when it can.
std::string objection(const FitContext& context, std::size_t row, const std::string& indenter) {
  const auto& press = press_of(context, row);
  if (context.model.presses[row].verdict == "unusable") return "unusable";
  if (!press.tactel) return "not on a tactel's centre";
  if (press.kind == PressKind::kArea) return "presses the whole array";
  const auto with = indenter_name(context.sessions[context.contacts[row].session], press);
  if (with != indenter)
    return fmt::format("pressed with {}, not the calibration indenter",
                       with.empty() ? "an indenter that nobody states" : with);
  return {};
}

double pitch_m(const SensorDescription& sensor, int tactel) {
  const auto& array = sensor.array_of(tactel);
  if (array.positions_m.empty() && array.pitch_x_m > 0 && array.pitch_y_m > 0)
    return std::min(array.pitch_x_m, array.pitch_y_m);
  const auto here = sensor.position_m(tactel);
  double least = std::numeric_limits<double>::infinity();
  for (int other = 0; other < sensor.tactels(); ++other) {
    if (other == tactel) continue;
    const auto there = sensor.position_m(other);
    least = std::min(least, std::hypot(there[0] - here[0], there[1] - here[1]));
  }
  return least;
}

double distance_m(const FitContext& context, std::size_t row, int tactel) {
  const auto& press = press_of(context, row);
  if (!press.x_m || !press.y_m) return 0;
  const auto centre = context.model.sensor.position_m(tactel);
  return std::hypot(*press.x_m - centre[0], *press.y_m - centre[1]);
}

void keep_nearest(FitContext& context, int tactel, std::vector<SelectedPress>& presses,
                  Warnings& warnings) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& press : presses) least = std::min(least, distance_m(context, press.row, tactel));
  const double pitch = pitch_m(context.model.sensor, tactel);
  std::erase_if(presses, [&](const SelectedPress& press) {
    const bool farther = distance_m(context, press.row, tactel) > least + kSamePlace * pitch;
    if (farther) leave_out(context, press.row, "response: farther from the tactel's centre");
    return farther;
  });
  if (!presses.empty() && std::isfinite(pitch) && least > kOffCentre * pitch)
    warnings.push_back(
        {"OFF-CENTRE",
         fmt::format("Tactel {}: the nearest press lies {:.2f} mm from its centre; press_gain and "
                     "press_threshold belong to that place.",
                     tactel, 1e3 * least),
         fmt::format("tactel {}", tactel)});
}

/// Fast and oscillating presses carry rate and latency, holds carry creep: they speak only for
/// tactels that nothing quasi-static was pressed on.
void prefer_quasi_static(FitContext& context, std::vector<SelectedPress>& presses) {
  const auto fast = [&](const SelectedPress& press) {
    return !is_slow(press_of(context, press.row));
  };
  if (std::all_of(presses.begin(), presses.end(), fast)) return;
  std::erase_if(presses, [&](const SelectedPress& press) {
    if (!fast(press)) return false;
    leave_out(context, press.row, "response: slower presses on this tactel are taken");
    return true;
  });
}

void hold_out(const FitContext& context, std::vector<std::vector<SelectedPress>>& selection) {
  if (context.options.holdout <= 0) return;
  std::vector<std::pair<std::size_t, std::size_t>> candidates;  // tactel, index
  std::size_t all = 0;
  for (std::size_t tactel = 0; tactel < selection.size(); ++tactel) {
    all += selection[tactel].size();
    if (selection[tactel].size() < 2) continue;
    for (std::size_t i = 0; i < selection[tactel].size(); ++i) candidates.emplace_back(tactel, i);
  }
  RandomSource random(context.options.seed);
  for (std::size_t i = candidates.size(); i > 1; --i)
    std::swap(candidates[i - 1], candidates[random.below(i)]);
  auto wanted =
      static_cast<std::size_t>(std::lround(context.options.holdout * static_cast<double>(all)));
  for (const auto& [tactel, index] : candidates) {
    if (wanted == 0) return;
    auto& presses = selection[tactel];
    const auto kept = std::count_if(presses.begin(), presses.end(),
                                    [](const auto& press) { return !press.held_out; });
    if (kept < 2) continue;
    presses[index].held_out = true;
    --wanted;
  }
}

}  // namespace

std::vector<std::vector<SelectedPress>> select_presses(FitContext& context, Warnings& warnings) {
  std::vector<std::vector<SelectedPress>> selection(
      static_cast<std::size_t>(context.model.sensor.tactels()));
  const auto indenter = calibration_indenter(context);
  for (std::size_t row = 0; row < context.contacts.size(); ++row) {
    const auto why = objection(context, row, indenter);
    if (why.empty())
      selection[static_cast<std::size_t>(*press_of(context, row).tactel)].push_back({row});
    else if (why != "unusable")
      leave_out(context, row, "response: " + why);
  }
  for (std::size_t tactel = 0; tactel < selection.size(); ++tactel) {
    prefer_quasi_static(context, selection[tactel]);
    keep_nearest(context, static_cast<int>(tactel), selection[tactel], warnings);
  }
  hold_out(context, selection);
  for (const auto& presses : selection)
    for (const auto& press : presses)
      if (press.held_out) leave_out(context, press.row, "response: held out");
  return selection;
}

}  // namespace tactelier
