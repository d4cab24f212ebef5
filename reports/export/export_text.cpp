#include "reports/export/export_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/units.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

void add_range(std::vector<std::string>& lines, const char* what, const Validity::Range& range,
               const char* unit) {
  if (range)
    lines.push_back(
        fmt::format("Valid for {} {:.6g} .. {:.6g} {}", what, (*range)[0], (*range)[1], unit));
}

std::string pitch_text(const SensorDescription& sensor) {
  if (sensor.arrays.empty()) return "?";
  const double x_mm = m_to_mm(sensor.arrays[0].pitch_x_m);
  const double y_mm = m_to_mm(sensor.arrays[0].pitch_y_m);
  return x_mm == y_mm ? fmt::format("{:.6g}", x_mm) : fmt::format("{:.6g} x {:.6g}", x_mm, y_mm);
}

void add_hashes(std::vector<std::string>& lines, const SensorModel& model) {
  lines.push_back("Model: sha256 " + model_hash(model));
  for (const auto& session : model.provenance.sessions)
    lines.push_back(fmt::format("Recording: {}, content {}{}", session.file, session.content_hash,
                                session.edits.empty() ? "" : ", edited"));
}

/// "cylinder 1 mm" -> "1 mm punch"
std::string punch_text(const std::string& indenter) {
  constexpr std::string_view kCylinder = "cylinder ";
  if (indenter.empty()) return "punch that isn't named";
  if (indenter.starts_with(kCylinder)) return indenter.substr(kCylinder.size()) + " punch";
  return indenter;
}

}  // namespace

std::string without_indices(std::string path) {
  for (auto open = path.find('['); open != path.npos; open = path.find('[', open + 1))
    path.erase(open + 1, path.find(']', open) - open - 1);
  return path;
}

bool of_the_recording(std::string_view path) {
  return path.starts_with("rig.") || path.starts_with("clock.") || path.starts_with("presses[");
}

std::string provenance_text(const Parameter& parameter) {
  std::string text(to_string(parameter.status));
  if (!parameter.from.empty())
    text += (parameter.status == Status::kAssumed ? " by " : " by stage ") + parameter.from;
  if (const auto uncertainty = expanded_uncertainty(parameter)) {
    const auto shown = quantity_text(*uncertainty, *uncertainty, parameter.unit);
    text += fmt::format(", U(95 %) = {}{}{}", shown.uncertainty.empty() ? "0" : shown.uncertainty,
                        shown.unit.empty() ? "" : " ", shown.unit);
  }
  return text;
}

std::vector<std::string> header_lines(const SensorModel& model) {
  const auto& sensor = model.sensor;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("Sensor: {} {}, serial {}", sensor.vendor, sensor.model,
                              model.serial.empty() ? "not known" : model.serial));
  lines.push_back(fmt::format("Fitted: {} by {}",
                              model.created.empty() ? "date not known" : model.created,
                              model.tool.empty() ? "an unnamed program" : model.tool));
  add_hashes(lines, model);
  add_range(lines, "normal force", model.validity.force_N, "N");
  add_range(lines, "indentation depth", model.validity.depth_m, "m");
  add_range(lines, "speed", model.validity.speed_m_per_s, "m/s");
  add_range(lines, "frequency", model.validity.frequency_hz, "Hz");
  if (!model.validity.indenters.empty())
    lines.push_back(fmt::format("Indenters: {}", fmt::join(model.validity.indenters, ", ")));
  const auto drawn = model.provenance.options.find("draw");
  if (drawn != model.provenance.options.end()) lines.push_back("Drawn: " + drawn->second);
  const auto assumed = model.provenance.options.find("assume");
  if (assumed != model.provenance.options.end()) lines.push_back("Assumed: " + assumed->second);
  return lines;
}

std::vector<Loss> losses_without_slot(const SensorModel& model,
                                      std::span<const std::string> written,
                                      std::string_view target) {
  const std::set<std::string_view> held(written.begin(), written.end());
  std::vector<std::string> order;
  std::map<std::string, int> counts;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (!parameter.usable() || of_the_recording(path)) return;
                       if (held.contains(path)) return;
                       auto group = without_indices(path);
                       if (counts[group]++ == 0) order.push_back(std::move(group));
                     });
  std::vector<Loss> losses;
  for (const auto& path : order)
    losses.push_back(
        {path, fmt::format("{} has no slot for it{}", target,
                           counts[path] > 1 ? fmt::format(" ({} values)", counts[path]) : "")});
  return losses;
}

Warnings stiffness_warnings(const SensorModel& model) {
  const auto& stiffness = model.stiffness;
  if (!stiffness.k.usable() || stiffness.k.status == Status::kAssumed) return {};
  if (stiffness.method == "punch")
    return {{"ST-05",
             fmt::format("k was measured with a {} on {} mm tactels: valid for that contact size; "
                         "use a plate press for eq. 18.",
                         punch_text(stiffness.indenter), pitch_text(model.sensor)),
             "stiffness.k"}};
  if (stiffness.method.empty())
    return {{"method", "The model doesn't say how k was found; it may hold for one indenter only.",
             "stiffness.k"}};
  return {};
}

std::string xml_comment(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '-' && !safe.empty() && safe.back() == '-') safe += ' ';
    const bool control = static_cast<unsigned char>(letter) < 0x20 && letter != '\n';
    safe += control ? ' ' : letter;
  }
  if (safe.ends_with('-')) safe += ' ';
  return safe;
}

std::string comment_lines(std::string_view prefix, std::span<const std::string> lines) {
  std::string text;
  for (auto line : lines) {
    for (auto& letter : line)
      if (static_cast<unsigned char>(letter) < 0x20 || letter == '\x7f') letter = ' ';
    std::replace(line.begin(), line.end(), '\\', '/');
    text += fmt::format("{}{}{}\n", prefix, line, line.ends_with("?\?/") ? "." : "");
  }
  return text;
}

std::string_view without_full_stop(std::string_view sentence) {
  if (sentence.ends_with('.')) sentence.remove_suffix(1);
  return sentence;
}

std::string identifier(std::string_view text) {
  std::string name;
  for (const char letter : text) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9');
    if (plain) name += letter;
    if (!plain && !name.ends_with('_')) name += '_';
  }
  if (name.ends_with('_')) name.pop_back();
  return name;
}

}  // namespace tactelier
