#include "reports/export/openrave_exporter.hpp"

#include <array>
#include <pugixml.hpp>
#include <sstream>

#include "libcalib/model_file/model_file.hpp"
#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

enum class Bound { kPositive, kNotNegative };

/// One tag of Table 2: where it comes from and what it must fulfil.
struct Slot {
  const char* tag;
  const char* path;
  const char* meaning;
  Bound bound;
};

constexpr const char* kThickness = "sensor.thickness_m";
constexpr std::array kSlots{
    Slot{"k", "stiffness.k", "N/m, one texel", Bound::kPositive},
    Slot{"cn", "damping.c_n", "N*s/m, one texel", Bound::kNotNegative},
    Slot{"sigma0", "friction.sigma0", "N/m, one texel: bristle stiffness", Bound::kPositive},
    Slot{"sigma1", "friction.sigma1", "N*s/m, one texel: bristle damping", Bound::kNotNegative},
    Slot{"x0", "friction.v_s", "m/s: Stribeck velocity", Bound::kPositive},
    Slot{"ct", "friction.c_t", "N*s/m, one texel: viscous friction", Bound::kNotNegative},
    Slot{"mus", "friction.mu_s", "static friction coefficient", Bound::kNotNegative},
    Slot{"mud", "friction.mu_d", "dynamic friction coefficient", Bound::kNotNegative},
};

struct Line {
  const char* tag;
  double value;
  std::string comment;
};

struct Contents {
  std::vector<Line> lines;
  std::vector<std::string> written;  // paths
  std::vector<Loss> left_out;
};

Loss left_out(const Parameter& parameter, const char* path) {
  return {path, "unidentifiable: " + parameter.reason, true};
}

void add_thickness(const SensorModel& model, Contents& contents) {
  contents.written.emplace_back(kThickness);
  if (!model.sensor.thickness_m) {
    contents.left_out.push_back({kThickness, "the sensor description doesn't give it", true});
    return;
  }
  contents.lines.push_back({"thickness", *model.sensor.thickness_m,
                            is_assumed(model, kThickness)
                                ? "m: elastic layer; assumed by user"
                                : "m: elastic layer; from the sensor description"});
}

/// Damping that belongs to the whole contact is no texel's.
bool for_whole_contact(const SensorModel& model, std::string_view path) {
  return path == "damping.c_n" && model.damping.at.scope == "contact" &&
         model.damping.c_n.status != Status::kAssumed;
}

Result<void> add(const SensorModel& model, const Slot& slot, const Parameter& parameter,
                 Contents& contents) {
  contents.written.emplace_back(slot.path);
  if (!parameter.usable()) {
    contents.left_out.push_back(left_out(parameter, slot.path));
    return {};
  }
  if (for_whole_contact(model, slot.path)) {
    contents.left_out.push_back(
        {slot.path, "measured for the whole contact; OpenRAVE wants it for one texel", true});
    return {};
  }
  const double value = *parameter.value;
  if (value < 0 || (value == 0 && slot.bound == Bound::kPositive))
    return fail(ErrorCode::kInvalidInput, "{}: {} {} can't be written as <{}>: it must be {}",
                slot.path, value, parameter.unit, slot.tag,
                slot.bound == Bound::kPositive ? "more than 0" : "at least 0");
  contents.lines.push_back(
      {slot.tag, value, fmt::format("{}; {}", slot.meaning, provenance_text(parameter))});
  return {};
}

Result<Contents> collect(const SensorModel& model) {
  const auto& friction = model.friction;
  if (friction.mu_s.usable() && friction.mu_d.usable() &&
      *friction.mu_s.value < *friction.mu_d.value)
    return fail(ErrorCode::kInvalidInput,
                "friction.mu_s: {} is less than friction.mu_d {}: a pad that sticks less than it "
                "slides can't be written",
                *friction.mu_s.value, *friction.mu_d.value);
  Contents contents;
  add_thickness(model, contents);
  auto copy = model;  // find_parameter hands out what may be changed
  for (const auto& slot : kSlots) {
    const auto parameter = find_parameter(copy, slot.path);
    if (!parameter) return fail(parameter.error());
    if (const auto done = add(model, slot, **parameter, contents); !done) return fail(done.error());
  }
  return contents;
}

std::string comment_block(const SensorModel& model, const Contents& contents,
                          const Exported& exported) {
  std::string text = "\n  OpenRAVE / OpenGRASP SimTactileSensor. All numbers SI, for one texel.\n";
  for (const auto& line : header_lines(model)) text += "  " + line + "\n";
  text += fmt::format("  Texels are the vertices of the link's mesh: {} of them.\n",
                      model.sensor.tactels());
  for (const auto& warning : stiffness_warnings(model))
    text += fmt::format("  {} {}\n", warning.code, warning.text);
  if (!contents.left_out.empty()) text += "  Left out, because it is not known:\n";
  for (const auto& loss : contents.left_out)
    text += fmt::format("    {}: {}\n", loss.path, loss.reason);
  if (exported.losses.size() > contents.left_out.size())
    text += "  Known, but without a slot here:\n";
  for (std::size_t i = contents.left_out.size(); i < exported.losses.size(); ++i)
    text += fmt::format("    {}: {}\n", exported.losses[i].path, exported.losses[i].reason);
  return xml_comment(text);
}

std::string sensor_name(const SensorModel& model) {
  auto name = model.sensor.name.empty() ? model.sensor.model : model.sensor.name;
  for (auto& letter : name)
    if (static_cast<unsigned char>(letter) < 0x20) letter = '_';  // not allowed in XML
  return name.empty() ? "tactile" : name;
}

std::string xml_text(const SensorModel& model, const Contents& contents,
                     const std::string& comment) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(comment.c_str());
  auto sensor = document.append_child("sensor");
  sensor.append_attribute("name").set_value(sensor_name(model).c_str());
  sensor.append_attribute("type").set_value("SimTactileSensor");
  for (const auto& line : contents.lines) {
    sensor.append_child(pugi::node_comment)
        .set_value(fmt::format(" {} ", xml_comment(line.comment)).c_str());
    sensor.append_child(line.tag).text().set(fmt::format("{}", line.value).c_str());
  }
  std::ostringstream out;
  document.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
  return out.str();
}

}  // namespace

Result<Exported> OpenraveExporter::write(const SensorModel& model) const {
  const auto contents = collect(model);
  if (!contents) return fail(contents.error());
  Exported exported;
  exported.losses = contents->left_out;
  for (auto& loss : losses_without_slot(model, contents->written, "OpenRAVE"))
    exported.losses.push_back(std::move(loss));
  exported.warnings = check_model(model);
  for (auto& warning : stiffness_warnings(model)) exported.warnings.push_back(std::move(warning));
  exported.text = xml_text(model, *contents, comment_block(model, *contents, exported));
  return exported;
}

}  // namespace tactelier
