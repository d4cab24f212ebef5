#include "reports/export/tactel_pad.hpp"

#include <algorithm>
#include <cmath>

#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

std::optional<double> usable_value(const Parameter& parameter) {
  return parameter.usable() ? parameter.value : std::nullopt;
}

PadReadout readout(const TactelResponse& tactel) {
  PadReadout out;
  out.reads = tactel.status != TactelStatus::kDead && tactel.status != TactelStatus::kStuck;
  out.gain_N_per_count = usable_value(tactel.gain);
  out.offset_counts = usable_value(tactel.offset);
  out.threshold_N = usable_value(tactel.threshold);
  out.saturation_counts = usable_value(tactel.saturation);
  out.noise_counts = usable_value(tactel.noise);
  return out;
}

}  // namespace

std::optional<double> PadReadout::saturation_N() const {
  if (!gain_N_per_count || !offset_counts || !threshold_N || !saturation_counts)
    return std::nullopt;
  return *threshold_N + *gain_N_per_count * std::abs(*saturation_counts - *offset_counts);
}

std::optional<double> PadReadout::noise_N() const {
  if (!gain_N_per_count || !noise_counts) return std::nullopt;
  return *gain_N_per_count * *noise_counts;
}

TactelPad tactel_pad(const SensorModel& model, const SlotContents& contents) {
  TactelPad pad;
  pad.name = pad_name(model);
  pad.falling = model.sensor.falling;
  pad.stiffness_N_per_m = contents.value("stiffness").value_or(0);
  pad.damping_N_s_per_m = contents.value("damping").value_or(0);
  pad.friction = contents.value("friction");
  pad.travel_m = contents.value("range");
  if (!pad.travel_m) pad.travel_m = contents.value("thickness_m");
  pad.places = tactel_places(model.sensor);
  for (const auto& tactel : model.response.tactels) pad.readouts.push_back(readout(tactel));
  return pad;
}

std::string pad_name(const SensorModel& model) {
  const auto name = identifier(model.sensor.vendor + " " + model.sensor.model + " " + model.serial);
  return name.empty() ? "tactile_pad" : name;
}

void add_readout_paths(const SensorModel& model, SlotContents& contents) {
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i)
    for (const auto* name : {"gain", "offset", "threshold", "saturation", "noise"})
      contents.paths.push_back(fmt::format("response.tactels[{}].{}", i, name));
}

void add_unscaled_tactels(const SensorModel& model, std::vector<Loss>& losses) {
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i)
    if (const auto& gain = model.response.tactels[i].gain; !gain.usable())
      losses.push_back({fmt::format("response.tactels[{}].gain", i),
                        fmt::format("newtons, but no counts of tactel {}: {}", i, gain.reason),
                        true});
}

std::optional<double> half_load_N(const TactelPad& pad, const CubicSpring& spring,
                                  const SensorModel& model) {
  if (model.validity.force_N) return (*model.validity.force_N)[1] / 2;
  if (pad.travel_m) return spring.force_N(*pad.travel_m / 2);
  return std::nullopt;
}

std::optional<PadWeight> pad_weight(const TactelPad& pad, const CubicSpring& spring,
                                    const SensorModel& model, double gravity_m_per_s2) {
  const auto force_N = half_load_N(pad, spring, model);
  if (!force_N || *force_N <= 0 || !is_level(pad.places)) return std::nullopt;
  const double depth_m = spring.depth_m(*force_N);
  if (pad.travel_m && depth_m > *pad.travel_m) return std::nullopt;
  const auto tactels = static_cast<double>(pad.places.size());
  return PadWeight{*force_N, tactels * *force_N / gravity_m_per_s2, depth_m};
}

double longest_implicit_step_s(const TactelPad& pad, std::span<const double> steps_s) {
  for (const double step_s : steps_s)
    if (pad.stiffness_N_per_m * step_s <= pad.damping_N_s_per_m) return step_s;
  return steps_s.back();
}

Warnings step_damping_warnings(const TactelPad& pad, double step_s, std::string_view engine) {
  const double added_N_s_per_m = pad.stiffness_N_per_m * step_s;
  if (added_N_s_per_m <= pad.damping_N_s_per_m) return {};
  return {{"STEP-DAMPING",
           fmt::format("{}'s own damping k dt of {:.6g} N*s/m is more than the {:.6g} N*s/m of the "
                       "model even at a step of {:g} s: it acts",
                       engine, added_N_s_per_m, pad.damping_N_s_per_m, step_s),
           "damping.c_n"}};
}

double plate_half_edge_m(const TactelPad& pad) {
  double reach_m = 0;
  for (const auto& place : pad.places)
    reach_m = std::max({reach_m, std::abs(place.position_m[0]), std::abs(place.position_m[1])});
  return 2 * reach_m + 0.01;
}

}  // namespace tactelier
