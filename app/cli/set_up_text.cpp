#include "app/cli/set_up_text.hpp"

#include "libcalib/units.hpp"

namespace tactelier::cli {

using nlohmann::json;

std::string surface_text(const json& found) {
  const auto at = [&](const char* key) { return found.value(key, 0.0); };
  return fmt::format(
      "surface  z0 {:.4f} ± {:.4f} mm, tilt x {:.3f} ± {:.3f} deg, y {:.3f} ± {:.3f} "
      "deg (k = 2)\n",
      at("z0_mm"), 2e-3 * at("u_z0_um"), at("tilt_x_deg"), 2 * at("u_tilt_x_deg"), at("tilt_y_deg"),
      2 * at("u_tilt_y_deg"));
}

std::string registration_text(const json& found) {
  const auto at = [&](const char* key) { return found.value(key, 0.0); };
  return fmt::format(
      "registration  x {:.3f} ± {:.3f} mm, y {:.3f} ± {:.3f} mm, turn {:.2f} ± {:.2f} deg{} (k = "
      "2); moved by {:.3f} mm\n",
      at("x_mm"), 2e-3 * at("u_xy_um"), at("y_mm"), 2e-3 * at("u_xy_um"), at("rz_deg"),
      2 * at("u_rz_deg"), found.value("mirror", false) ? ", mirrored" : "", at("shift_mm"));
}

std::string plate_text(const FoundPlate& found) {
  std::string text;
  const auto& compliance = found.compliance;
  if (compliance.value)
    text += fmt::format(
        "rig gives      {:.2f} um/N{}\n", *compliance.value * 1e6,
        compliance.u_total ? fmt::format(" ± {:.2f} (95 %)", *compliance.u_total * 1e6) : "");
  if (found.seating.identified())
    text += fmt::format("seating        {:.2f} um at first\n", *found.seating.value * 1e6);
  text += fmt::format("stage play     {:.1f} um\n", found.backlash_m * 1e6);
  if (found.top_m)
    text += fmt::format("plate's top    z {:.4f} ± {:.4f} mm (k = 2)\n",
                        m_to_mm(found.top_m->value), 2 * m_to_mm(found.top_m->std));
  if (const auto& latency = found.latency.latency_s)
    text += fmt::format("stage late     {:.1f} ± {:.1f} ms against the force (k = 2)\n",
                        latency->value * 1e3, 2 * latency->std * 1e3);
  else
    text += fmt::format("stage late     {}\n", found.latency.refusal);
  return text;
}

json plate_json(const FoundPlate& found) {
  const auto um = [](const std::optional<double>& value_m) {
    return value_m ? json(*value_m * 1e6) : json(nullptr);
  };
  const auto& latency = found.latency.latency_s;
  return {{"compliance_um_per_N", um(found.compliance.value)},
          {"U_compliance_um_per_N", um(found.compliance.u_total)},
          {"seating_um", um(found.seating.value)},
          {"backlash_um", found.backlash_m * 1e6},
          {"plate_z_mm", found.top_m ? json(m_to_mm(found.top_m->value)) : json(nullptr)},
          {"u_plate_z_um", found.top_m ? json(found.top_m->std * 1e6) : json(nullptr)},
          {"latency_ms", latency ? json(latency->value * 1e3) : json(nullptr)},
          {"u_latency_ms", latency ? json(latency->std * 1e3) : json(nullptr)}};
}

std::string ground_text(const FoundGround& found) {
  const auto& thickness = found.thickness;
  return fmt::format("layer          {:.3f}{} mm thick\nground         z {:.4f} mm\n",
                     m_to_mm(thickness.value.value_or(0)),
                     thickness.u_total ? fmt::format(" ± {:.3f}", m_to_mm(*thickness.u_total)) : "",
                     m_to_mm(found.height_m));
}

json ground_json(const FoundGround& found) {
  const auto mm = [](const std::optional<double>& value_m) {
    return value_m ? json(m_to_mm(*value_m)) : json(nullptr);
  };
  return {{"thickness_mm", mm(found.thickness.value)},
          {"U_thickness_mm", mm(found.thickness.u_total)},
          {"ground_z_mm", m_to_mm(found.height_m)}};
}

}  // namespace tactelier::cli
