#include "reports/export/genesis_options.hpp"

#include <algorithm>
#include <limits>

#include "libcalib/models/psf.hpp"
#include "reports/export/export_json.hpp"
#include "reports/export/flat_arrays.hpp"
#include "reports/export/pad_slots.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

constexpr std::array kGenesisSlots{
    kStiffnessSlot,
    Slot{"damping", "damping.c_n", "N*s/m, one tactel", Bound::kNotNegative},
    Slot{"shear_scalar", "friction.c_t", "N*s/m, one tactel: viscous friction, without a limit",
         Bound::kNotNegative},
    Slot{"friction", "friction.mu_d", "sliding friction, of the contact's physics alone",
         Bound::kNotNegative},
    Slot{"crosstalk_sigma", "psf.sigma", "m: spread of force to neighbours"},
    kKernelSlot,
    Slot{"resolution_counts", "response.resolution", "counts: smallest step between readings"},
    Slot{"delay", "timing.latency_s", "s: of the sensor's frames", Bound::kNotNegative},
};

void set_damping(const SensorModel& model, const SlotContents& contents, GenesisPad& pad) {
  const auto damping = contents.value("damping");
  if (!damping || !model.validity.force_N) return;
  pad.damping_at_m = (*model.validity.force_N)[1] / 2 / pad.stiffness_N_per_m;
  pad.damping_N_s_per_m2 = *damping / pad.damping_at_m;
}

/// Genesis has one Maxwell branch and a gain of 1 at rest: the strongest branch over what stays.
void set_relaxation(const SensorModel& model, GenesisPad& pad) {
  const auto& relaxation = model.relaxation;
  if (!relaxation.g_inf.usable() || *relaxation.g_inf.value <= 0) return;
  double strongest = 0;
  for (std::size_t i = 0; i < std::min(relaxation.g.size(), relaxation.tau.size()); ++i) {
    const auto& g = relaxation.g[i];
    const auto& tau = relaxation.tau[i];
    if (!g.usable() || !tau.usable() || *g.value <= strongest || *tau.value <= 0) continue;
    strongest = *g.value;
    pad.hysteresis = strongest / *relaxation.g_inf.value;
    pad.hysteresis_tau_s = *tau.value;
  }
}

/// Above 0, as Genesis wants it; 1 where the tactel's own is not known.
double relative_gain(const GenesisPad& pad, const PadReadout& readout) {
  const auto gain = readout.gain_N_per_count;
  if (!gain || *gain <= 0 || !pad.counts_per_N) return 1;
  return 1 / (*gain * *pad.counts_per_N);
}

Vector3 probe_centre_m(const TactelPlace& place) {
  auto centre_m = place.position_m;
  for (std::size_t i = 0; i < 3; ++i) centre_m[i] -= place.half_width_m * place.normal[i];
  return centre_m;
}

/// By rows of the grid, or as a plain list.
template <class Value>
ordered_json laid_out(std::span<const Value> values, const SensorArray& array) {
  if (!is_flat_grid(array)) return ordered_json(std::vector<Value>(values.begin(), values.end()));
  auto rows = ordered_json::array();
  for (int row = 0; row < array.rows; ++row) {
    const auto of_row = values.subspan(static_cast<std::size_t>(row * array.columns),
                                       static_cast<std::size_t>(array.columns));
    rows.push_back(std::vector<Value>(of_row.begin(), of_row.end()));
  }
  return rows;
}

void add_known_option(ordered_json& options, const char* name, const std::optional<double>& value) {
  if (value) options[name] = *value;
}

/// A Gaussian in metres, else the small kernel of the sampled form; on grids alone.
void add_crosstalk(const GenesisPad& pad, const SensorArray& array, ordered_json& options) {
  if (!is_flat_grid(array) || array.rows < 2 || array.columns < 2) return;
  if (pad.spread_m) {
    options["crosstalk_strength"] = 1.0;
    options["crosstalk_sigma"] = *pad.spread_m;
  } else if (pad.kernel_s_tactels) {
    const auto discrete = discrete_kernel(*pad.kernel_s_tactels);
    const auto width = static_cast<std::size_t>(2 * discrete.half + 1);
    auto rows = ordered_json::array();
    for (std::size_t row = 0; row < width; ++row)
      rows.push_back(std::vector<double>(
          discrete.weights.begin() + static_cast<std::ptrdiff_t>(row * width),
          discrete.weights.begin() + static_cast<std::ptrdiff_t>((row + 1) * width)));
    options["crosstalk_kernel"] = rows;
  }
}

void add_imperfections(const GenesisPad& pad, ordered_json& options) {
  add_known_option(options, "resolution", pad.resolution_N);
  add_known_option(options, "noise", pad.noise_N);
  add_known_option(options, "delay", pad.latency_s);
}

}  // namespace

std::span<const Slot> genesis_slots() { return kGenesisSlots; }

GenesisPad genesis_pad(const SensorModel& model, const SlotContents& contents) {
  GenesisPad pad{tactel_pad(model, contents), {}, 0, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  set_damping(model, contents, pad);
  pad.shear_N_s_per_m = contents.value("shear_scalar");
  pad.counts_per_N = middle_counts_per_N(model);
  if (pad.counts_per_N) {
    pad.resolution_N = contents.value("resolution_counts").value_or(1) / *pad.counts_per_N;
    if (const auto noise = middle_of(model, &TactelResponse::noise))
      pad.noise_N = *noise / *pad.counts_per_N;
  }
  pad.latency_s = contents.value("delay");
  pad.spread_m = contents.value("crosstalk_sigma");
  pad.kernel_s_tactels = contents.value("psf_kernel_s");
  set_relaxation(model, pad);
  return pad;
}

std::optional<ordered_json> kinematic_taxel(const SensorModel& model, const GenesisPad& pad,
                                            std::size_t index, std::size_t first) {
  const auto& array = model.sensor.arrays[index];
  std::vector<Vector3> centres_m;
  std::vector<double> radii_m, gains;
  for (std::size_t i = first; i < first + static_cast<std::size_t>(array.tactels()); ++i) {
    centres_m.push_back(probe_centre_m(pad.places[i]));
    radii_m.push_back(pad.readouts[i].reads ? pad.places[i].half_width_m : 0);
    gains.push_back(relative_gain(pad, pad.readouts[i]));
  }
  if (*std::max_element(radii_m.begin(), radii_m.end()) == 0) return std::nullopt;
  ordered_json options;
  options["probe_local_pos"] = laid_out(std::span<const Vector3>(centres_m), array);
  options["probe_radius"] = laid_out(std::span<const double>(radii_m), array);
  options["normal_stiffness"] = pad.stiffness_N_per_m;
  options["normal_damping"] = pad.damping_N_s_per_m2.value_or(0);
  options["normal_exponent"] = 1.0;
  options["shear_scalar"] = pad.shear_N_s_per_m.value_or(0);
  options["twist_scalar"] = 0.0;
  options["probe_gain"] = gains;
  add_crosstalk(pad, array, options);
  add_known_option(options, "hysteresis_strength", pad.hysteresis);
  add_known_option(options, "hysteresis_tau", pad.hysteresis_tau_s);
  add_imperfections(pad, options);
  return options;
}

std::array<double, 2> probe_gain_range(const GenesisPad& pad, std::size_t first,
                                       std::size_t count) {
  std::array range{std::numeric_limits<double>::infinity(), 0.0};
  for (std::size_t i = first; i < first + count; ++i) {
    if (!pad.readouts[i].reads) continue;
    const double gain = relative_gain(pad, pad.readouts[i]);
    range = {std::min(range[0], gain), std::max(range[1], gain)};
  }
  return range;
}

ordered_json contact_forces(const GenesisPad& pad) {
  auto list = ordered_json::array();
  for (std::size_t i = 0; i < pad.places.size(); ++i) {
    const auto& readout = pad.readouts[i];
    if (!readout.reads) continue;
    ordered_json options{{"link", pad.places[i].name()}};
    const double least_N = std::max(0.0, readout.threshold_N.value_or(0));
    options["min_force"] = least_N;
    if (const auto most_N = readout.saturation_N(); most_N && *most_N > least_N)
      options["max_force"] = *most_N;
    add_imperfections(pad, options);
    list.push_back(std::move(options));
  }
  return list;
}

}  // namespace tactelier
