#include "reports/export/image_model_exporter.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/models/psf.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/slots.hpp"

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

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

std::optional<double> middle(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

template <class Member>
std::vector<double> known(const SensorModel& model, Member member) {
  std::vector<double> values;
  for (const auto& tactel : model.response.tactels)
    if ((tactel.*member).usable()) values.push_back(*(tactel.*member).value);
  return values;
}

ordered_json range(const Validity::Range& range) {
  return range ? ordered_json(*range) : ordered_json(nullptr);
}

ordered_json origin(const SensorModel& model) {
  auto recordings = ordered_json::array();
  for (const auto& session : model.provenance.sessions)
    recordings.push_back({{"file", session.file}, {"content_hash", session.content_hash}});
  return {{"sensor", model.sensor.vendor + " " + model.sensor.model},
          {"serial", model.serial},
          {"fitted", model.created},
          {"tool", model.tool},
          {"model_sha256", model_hash(model)},
          {"recordings", recordings}};
}

ordered_json validity(const SensorModel& model) {
  return {{"force_N", range(model.validity.force_N)},
          {"depth_m", range(model.validity.depth_m)},
          {"indenters", model.validity.indenters}};
}

ordered_json arrays(const SensorDescription& sensor) {
  auto list = ordered_json::array();
  int first = 0;
  for (const auto& array : sensor.arrays) {
    list.push_back({{"first_tactel", first},
                    {"rows", array.rows},
                    {"columns", array.columns},
                    {"pitch_x_m", array.pitch_x_m},
                    {"pitch_y_m", array.pitch_y_m}});
    first += array.tactels();
  }
  return list;
}

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
  const auto seen = middle(known(model, &TactelResponse::saturation));
  return seen ? seen : stated;
}

std::optional<double> k_scale(const SensorModel& model) {
  std::vector<double> scales;
  for (const double gain : known(model, &TactelResponse::gain))
    if (gain > 0) scales.push_back(1 / gain);
  return middle(scales);
}

ordered_json document_of(const SensorModel& model, const SlotContents& contents, double scale) {
  ordered_json document;
  document["format"] = "tactelier/image-model";
  document["version"] = 1;
  document["origin"] = origin(model);
  document["validity"] = validity(model);
  document["order"] = "row by row, array after array; columns go along +x, rows along +y";
  document["falling"] = model.sensor.falling;
  document["arrays"] = arrays(model.sensor);
  document["kernel"] = kernel(model, contents);
  document["k_scale_counts_per_N"] = scale;
  document["offset_counts"] = or_null(middle(known(model, &TactelResponse::offset)));
  document["full_scale_counts"] = or_null(full_scale(model));
  document["pad"] = pad(contents);
  document["tactels"] = tactels(model);
  return document;
}

std::string dumped(const ordered_json& value, int indent = -1) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

/// YAML 1.1 takes 1e-05 for a text, 1.0e-05 for a number.
std::string yaml_number(const ordered_json& value) {
  auto text = dumped(value);
  const auto exponent = text.find('e');
  if (value.is_number_float() && exponent != text.npos && text.find('.') == text.npos)
    text.insert(exponent, ".0");
  return text;
}

/// In flow style, which YAML shares with JSON.
std::string yaml_flow(const ordered_json& value) {
  if (!value.is_structured()) return value.is_number() ? yaml_number(value) : dumped(value);
  std::string text;
  for (const auto& item : value.items()) {
    text += text.empty() ? "" : ", ";
    if (value.is_object()) text += item.key() + ": ";
    text += yaml_flow(item.value());
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

bool is_table(const ordered_json& value) {
  return value.is_array() && !value.empty() && value[0].is_structured();
}

/// Members on lines of their own, a table row by row.
std::string yaml_text(const ordered_json& document) {
  std::string text;
  for (const auto& [key, value] : document.items()) {
    if (!is_table(value)) {
      text += fmt::format("{}: {}\n", key, yaml_flow(value));
      continue;
    }
    text += key + ":\n";
    for (const auto& row : value) text += "  - " + yaml_flow(row) + "\n";
  }
  return text;
}

/// What a slot doesn't speak of: numbers that every tactel has of its own.
std::vector<std::string> tactel_paths(const SensorModel& model) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i)
    for (const auto* name : {"gain", "offset", "threshold", "saturation", "noise"})
      paths.push_back(fmt::format("response.tactels[{}].{}", i, name));
  return paths;
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
  const auto scale = k_scale(model);
  if (!scale)
    return fail(
        ErrorCode::kUnidentifiable,
        "response.tactels: no tactel has a gain of its own, the first one because {}; {} "
        "can't do without it: --assume response.tactels[0].gain=VALUE",
        without_full_stop(model.response.tactels.empty() ? "there is none"
                                                         : model.response.tactels[0].gain.reason),
        kTarget);
  for (auto& path : tactel_paths(model)) contents->paths.push_back(std::move(path));
  add_missing_gains(model, contents->left_out);
  auto losses = slot_losses(model, *contents, kTarget);
  const auto document = document_of(model, *contents, *scale);
  if (syntax_ == Syntax::kJson)
    return Exported{dumped(document, 2) + "\n", std::move(losses), warnings_of(model)};
  auto text = comment_lines("# ", opening_lines(model, {}, losses)) + yaml_text(document);
  return Exported{std::move(text), std::move(losses), warnings_of(model)};
}

}  // namespace tactelier
