#include "reports/export/image_model_exporter.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "libcalib/models/psf.hpp"
#include "reports/export/export_json.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/slots.hpp"
#include "reports/export/tactel_pad.hpp"

// The image of forces F[q] on cells, as Algorithm 1 of Kappassov et al. makes it:
//   I[p] = offset + clip(k_scale (sum over (a, b) of F[p - (a, b)] g(a, b)), 0, full_scale -
//   offset)
// g is the kernel, by rows and columns, and sums to one.

namespace tactelier {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kTarget = "an image model";
constexpr std::array kSlots{
    Slot{"s_tactels", "psf.kernel_sampled.s", "standard deviation of the kernel, in tactels",
         Bound::kPositive, Need::kRequired},
    Slot{"sigma_m", "psf.sigma", "m: of the spread that is integrated over cells"},
    Slot{"stiffness_N_per_m", "stiffness.k", "N/m, one tactel"},
    Slot{"foundation_modulus_Pa_per_m", "stiffness.foundation_modulus", "Pa/m: pressure by depth"},
    Slot{"max_penetration_m", "stiffness.max_penetration", "m: penetration depth at most"},
    Slot{"thickness_m", "sensor.thickness_m", "m: elastic layer"},
};

ordered_json kernel(const SensorModel& model, const SlotContents& contents) {
  const double s = contents.value("s_tactels").value_or(0);
  const auto discrete = discrete_kernel(s);
  const auto width = static_cast<std::size_t>(2 * discrete.half + 1);
  auto rows = ordered_json::array();
  for (std::size_t row = 0; row < width; ++row)
    rows.push_back(std::vector<double>(
        discrete.weights.begin() + static_cast<std::ptrdiff_t>(row * width),
        discrete.weights.begin() + static_cast<std::ptrdiff_t>((row + 1) * width)));
  return {{"s_tactels", s}, {"edge", model.psf.edge}, {"weights", rows}};
}

/// null: the model has no such number for the tactel.
ordered_json tactels(const SensorModel& model) {
  auto list = ordered_json::array();
  for (const auto& tactel : model.response.tactels) {
    std::optional<double> counts_per_N;
    if (tactel.gain.usable() && *tactel.gain.value > 0) counts_per_N = 1 / *tactel.gain.value;
    list.push_back({{"index", tactel.index},
                    {"status", to_string(tactel.status)},
                    {"k_scale_counts_per_N", or_null(counts_per_N)},
                    {"offset_counts", or_null(tactel.offset.value)},
                    {"threshold_N", or_null(tactel.threshold.value)},
                    {"full_scale_counts", or_null(tactel.saturation.value)},
                    {"noise_counts", or_null(tactel.noise.value)}});
  }
  return list;
}

ordered_json pad(const SlotContents& contents) {
  ordered_json object;
  for (const auto& slot : kSlots)
    if (slot.need == Need::kOptional) object[slot.name] = or_null(contents.value(slot.name));
  return object;
}

std::optional<double> full_scale(const SensorModel& model) {
  const auto stated = model.sensor.falling ? model.sensor.adc.min : model.sensor.adc.max;
  const auto seen = middle_of(model, &TactelResponse::saturation);
  return seen ? seen : stated;
}

ordered_json document_of(const SensorModel& model, const SlotContents& contents, double scale) {
  ordered_json document;
  document["format"] = "tactelier/image-model";
  document["version"] = 1;
  document["origin"] = json_origin(model);
  document["validity"] = json_validity(model);
  document["order"] = "row by row, array after array; columns go along +x, rows along +y";
  document["falling"] = model.sensor.falling;
  document["arrays"] = json_arrays(model.sensor);
  document["kernel"] = kernel(model, contents);
  document["k_scale_counts_per_N"] = scale;
  document["offset_counts"] = or_null(middle_of(model, &TactelResponse::offset));
  document["full_scale_counts"] = or_null(full_scale(model));
  document["pad"] = pad(contents);
  document["tactels"] = tactels(model);
  return document;
}

void add_missing_gains(const SensorModel& model, std::vector<Loss>& losses) {
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i) {
    const auto& gain = model.response.tactels[i].gain;
    if (!gain.usable())
      losses.push_back({fmt::format("response.tactels[{}].gain", i),
                        fmt::format("tactel {} has no scale of its own: {}", i, gain.reason),
                        true});
  }
}

Warnings warnings_of(const SensorModel& model) {
  auto warnings = export_warnings(model);
  for (const auto& array : model.sensor.arrays)
    if (array.pitch_x_m != array.pitch_y_m)
      warnings.push_back({"NOT-SQUARE",
                          fmt::format("the kernel counts in tactels, and these are {} x {} m: its "
                                      "width is right for their geometric mean",
                                      array.pitch_x_m, array.pitch_y_m),
                          "psf.kernel_sampled"});
  return warnings;
}

}  // namespace

std::string_view ImageModelExporter::id() const {
  return syntax_ == Syntax::kJson ? "image-model" : "image-model-yaml";
}

std::string_view ImageModelExporter::title() const {
  return syntax_ == Syntax::kJson ? "Image-level simulators: kernel and scale (JSON)"
                                  : "Image-level simulators: kernel and scale (YAML)";
}

std::string_view ImageModelExporter::extension() const {
  return syntax_ == Syntax::kJson ? ".json" : ".yaml";
}

Result<Exported> ImageModelExporter::write(const SensorModel& model) const {
  auto contents = fill_slots(model, kSlots, kTarget);
  if (!contents) return fail(contents.error());
  const auto scale = middle_counts_per_N(model);
  if (!scale)
    return fail(
        ErrorCode::kUnidentifiable,
        "response.tactels: no tactel has a gain of its own, the first one because {}; {} "
        "can't do without it: {}",
        without_full_stop(model.response.tactels.empty() ? "there is none"
                                                         : model.response.tactels[0].gain.reason),
        kTarget, gain_remedy(model));
  add_readout_paths(model, *contents);
  add_missing_gains(model, contents->left_out);
  auto losses = slot_losses(model, *contents, kTarget);
  const auto document = document_of(model, *contents, *scale);
  if (syntax_ == Syntax::kJson)
    return Exported{json_text(document, 2) + "\n", std::move(losses), warnings_of(model)};
  auto text = comment_lines("# ", opening_lines(model, {}, losses)) + yaml_text(document);
  return Exported{std::move(text), std::move(losses), warnings_of(model)};
}

}  // namespace tactelier
