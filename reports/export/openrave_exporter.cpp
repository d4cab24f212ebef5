#include "reports/export/openrave_exporter.hpp"

#include <array>
#include <pugixml.hpp>
#include <sstream>

#include "reports/export/export_text.hpp"
#include "reports/export/slots.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kTarget = "OpenRAVE";

/// The tags of Table 2.
constexpr std::array kSlots{
    Slot{"thickness", "sensor.thickness_m", "m: elastic layer"},
    Slot{"k", "stiffness.k", "N/m, one texel"},
    Slot{"cn", "damping.c_n", "N*s/m, one texel", Bound::kNotNegative},
    Slot{"sigma0", "friction.sigma0", "N/m, one texel: bristle stiffness"},
    Slot{"sigma1", "friction.sigma1", "N*s/m, one texel: bristle damping", Bound::kNotNegative},
    Slot{"x0", "friction.v_s", "m/s: Stribeck velocity"},
    Slot{"ct", "friction.c_t", "N*s/m, one texel: viscous friction", Bound::kNotNegative},
    Slot{"mus", "friction.mu_s", "static friction coefficient", Bound::kNotNegative},
    Slot{"mud", "friction.mu_d", "dynamic friction coefficient", Bound::kNotNegative},
};

std::string comment_block(const SensorModel& model, std::span<const Loss> losses) {
  const std::vector<std::string> about{
      "OpenRAVE / OpenGRASP SimTactileSensor. All numbers SI, for one texel.",
      fmt::format("Texels are the vertices of the link's mesh: {} of them.",
                  model.sensor.tactels())};
  std::string text = "\n";
  for (const auto& line : opening_lines(model, about, losses)) text += "  " + line + "\n";
  return xml_comment(text);
}

std::string sensor_name(const SensorModel& model) {
  auto name = model.sensor.name.empty() ? model.sensor.model : model.sensor.name;
  for (auto& letter : name)
    if (static_cast<unsigned char>(letter) < 0x20) letter = '_';  // not allowed in XML
  return name.empty() ? "tactile" : name;
}

std::string xml_text(const SensorModel& model, const SlotContents& contents,
                     const std::string& comment) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(comment.c_str());
  auto sensor = document.append_child("sensor");
  sensor.append_attribute("name").set_value(sensor_name(model).c_str());
  sensor.append_attribute("type").set_value("SimTactileSensor");
  for (const auto& slot : contents.filled) {
    sensor.append_child(pugi::node_comment)
        .set_value(fmt::format(" {} ", xml_comment(slot.comment)).c_str());
    sensor.append_child(slot.name).text().set(fmt::format("{}", slot.value).c_str());
  }
  std::ostringstream out;
  document.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
  return out.str();
}

}  // namespace

Result<Exported> OpenraveExporter::write(const SensorModel& model) const {
  const auto contents = fill_slots(model, kSlots, kTarget);
  if (!contents) return fail(contents.error());
  auto losses = slot_losses(model, *contents, kTarget);
  auto text = xml_text(model, *contents, comment_block(model, losses));
  return Exported{std::move(text), std::move(losses), export_warnings(model)};
}

}  // namespace tactelier
