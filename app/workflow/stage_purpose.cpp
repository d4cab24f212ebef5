#include "app/workflow/stage_purpose.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "fitting/engine/stage.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

/// A path that ends in '*' stands for all that begin so; "[]" for any index.
struct Purpose {
  std::string_view stage;
  std::string_view path;
};
constexpr std::array kPurposes{
    Purpose{"time", "timing.latency_s"},
    Purpose{"time", "clock.*"},
    Purpose{"contact", "presses[].contact_point"},
    Purpose{"contact", "rig.compliance"},
    Purpose{"response", "response.tactels[].press_gain"},
    Purpose{"psf", "psf.sigma"},
    Purpose{"psf", "psf.sigma_x"},
    Purpose{"psf", "psf.sigma_y"},
    Purpose{"stiffness", "stiffness.k_punch"},
    Purpose{"stiffness", "stiffness.k_affine"},
    Purpose{"stiffness", "stiffness.unloading"},
    Purpose{"stiffness", "stiffness.foundation_modulus"},
    Purpose{"stiffness", "stiffness.k"},
    Purpose{"relaxation", "relaxation.*"},
    Purpose{"damping", "damping.c_n"},
    Purpose{"damping", "damping.dissipation"},
    Purpose{"friction", "friction.contact.mu_s"},
    Purpose{"friction", "friction.contact.mu_d"},
    Purpose{"friction", "friction.contact.v_s"},
    Purpose{"friction", "friction.contact.sigma0"},
    Purpose{"friction", "friction.contact.sigma1"},
    Purpose{"friction", "friction.contact.c_t"},
    Purpose{"hydroelastic", "hydroelastic.modulus"},
};
constexpr std::array<std::string_view, 3> kNoCalibration{"time", "wrench", "contact"};

/// "response.tactels[3].gain" -> "response.tactels[].gain"
std::string without_index(std::string_view path) {
  std::string text(path);
  const auto open = text.find('[');
  if (open != text.npos) text.erase(open + 1, text.find(']') - open - 1);
  return text;
}

bool matches(std::string_view pattern, std::string_view path) {
  if (pattern.ends_with('*')) return path.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == path;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    names.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(list.size(), comma + 1));
  }
  return names;
}

/// Its purpose is the tares, which stand among the figures.
void count_tares(const SensorModel& model, StageFound& stage) {
  const auto quality = model.quality.find("wrench");
  if (quality == model.quality.end()) return;
  const auto figure = [&](const char* name) {
    const auto found = quality->second.figures.find(name);
    return found == quality->second.figures.end() ? 0 : static_cast<int>(found->second);
  };
  stage.found = figure("presses_tared");
  stage.of = stage.found + figure("presses_not_tared");
}

}  // namespace

bool is_purpose(std::string_view stage, std::string_view path, const Parameter& parameter) {
  if (stage == "joint") return parameter.from == "joint";  // it improves what others are for
  return std::any_of(kPurposes.begin(), kPurposes.end(), [&](const Purpose& purpose) {
    return purpose.stage == stage && matches(purpose.path, without_index(path));
  });
}

std::vector<std::string> asked_stages(const SensorModel& model) {
  const auto asked = model.provenance.options.find("stages");
  if (asked != model.provenance.options.end()) return split(asked->second);
  std::vector<std::string> all;
  for (const auto& stage : stages())
    if (std::find(kNoCalibration.begin(), kNoCalibration.end(), stage.id) == kNoCalibration.end())
      all.emplace_back(stage.id);
  return all;
}

std::vector<StageFound> found_by_stage(const SensorModel& model) {
  std::vector<StageFound> all;
  for (const auto& name : asked_stages(model)) all.push_back({name, 0, 0, name == "response"});
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       for (auto& stage : all) {
                         if (!is_purpose(stage.stage, path, parameter)) continue;
                         stage.found += parameter.identified() ? 1 : 0;
                         ++stage.of;
                       }
                     });
  for (auto& stage : all)
    if (stage.stage == "wrench") count_tares(model, stage);
  return all;
}

std::string found_words(const SensorModel& model) {
  std::vector<std::string> found, nothing;
  for (const auto& stage : found_by_stage(model)) {
    if (stage.found > 0)
      found.push_back(fmt::format("{} {} of {} {}", stage.stage, stage.found, stage.of,
                                  stage.tactels ? "tactels" : "numbers"));
    else if (stage.stage != "joint")
      nothing.push_back(stage.stage);
  }
  auto words = fmt::format("{}", fmt::join(found, ", "));
  if (!nothing.empty())
    words += fmt::format("{}nothing of {}", words.empty() ? "" : "; ", fmt::join(nothing, ", "));
  return words;
}

}  // namespace tactelier
