#include "reports/export/hydroelastic_touch_exporter.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"
#include "reports/export/layer_box.hpp"
#include "reports/export/pad_slots.hpp"
#include "reports/export/tactel_pad.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kPlugin = "HydroelasticTouch";
constexpr double kPrediction_s = 1e-3;  // the plugin's own
constexpr double kRate_hz = 100;        // where the sensor's is not known

constexpr std::array kTouchSlots{
    kStiffnessSlot,
    kDampingSlot,
    Slot{"mu_static", "friction.mu_s", "static friction, which the plugin leaves out",
         Bound::kNotNegative, Need::kRequired},
    Slot{"mu_dynamic", "friction.mu_d", "sliding friction", Bound::kNotNegative, Need::kRequired},
    kThicknessSlot,
    kModulusSlot,
    kFoundationSlot,
    Slot{"include_margin", "hydroelastic.receptive_radius", "m: within which a tactel looks"},
    Slot{"updateRate", "timing.rate_hz", "Hz: of the sensor's frames"},
};

struct TouchPad : TactelPad {
  std::vector<LayerBox> boxes;
  double dissipation_s_per_m = 0;
  double mu_static = 0, mu_dynamic = 0;
  double rate_hz = kRate_hz;
  std::optional<double> margin_m;
};

Result<TouchPad> touch_pad(const SensorModel& model, const SlotContents& contents) {
  auto layer = layer_boxes(model.sensor, contents);
  if (!layer.none.empty())
    return fail(
        contents.value("thickness_m") ? ErrorCode::kInvalidInput : ErrorCode::kUnidentifiable,
        "sensor.thickness_m: no soft box can be written: {}", layer.none);
  if (!model.validity.force_N)
    return fail(
        ErrorCode::kUnidentifiable,
        "validity.force_N: the range of force is not known, and dissipation is damping over "
        "force; fit presses, or use '--to drake'");
  TouchPad pad{tactel_pad(model, contents), std::move(layer.boxes), 0, 0, 0, kRate_hz, {}};
  const double force_N = (*model.validity.force_N)[1] / 2;
  pad.dissipation_s_per_m =
      std::max(0.0, pad.damping_N_s_per_m - kPrediction_s * pad.stiffness_N_per_m) / force_N;
  pad.mu_static = contents.value("mu_static").value_or(0);
  pad.mu_dynamic = contents.value("mu_dynamic").value_or(0);
  pad.rate_hz = contents.value("updateRate").value_or(kRate_hz);
  pad.margin_m = contents.value("include_margin");
  return pad;
}

std::string geom_name(const TouchPad& pad, std::size_t array) {
  return fmt::format("{}_array_{}", pad.name, array);
}

void add_custom(const TouchPad& pad, pugi::xml_node root) {
  auto custom = root.append_child("custom");
  auto text = custom.append_child("text");
  set_attribute(text, "name", "cs::HydroelasticContactRepresentation");
  set_attribute(text, "data", "kTriangle");
  const auto add = [&](const std::string& name, const std::string& data) {
    auto numeric = custom.append_child("numeric");
    set_attribute(numeric, "name", "cs::" + name);
    set_attribute(numeric, "data", data);
  };
  add("VisualizeSurfaces", "0");
  add("ApplyContactSurfaceForces", "1");
  for (std::size_t i = 0; i < pad.boxes.size(); ++i)
    add(geom_name(pad, i), numbers_text(std::array{pad.boxes[i].modulus_Pa, pad.dissipation_s_per_m,
                                                   0.0, pad.mu_static, pad.mu_dynamic}));
}

void add_boxes(const TouchPad& pad, pugi::xml_node root) {
  auto body = root.append_child("worldbody").append_child("body");
  set_attribute(body, "name", pad.name);
  for (std::size_t i = 0; i < pad.boxes.size(); ++i) {
    const auto centre = centre_of(pad.boxes[i]);
    Vector3 half_m = pad.boxes[i].size_m;
    for (auto& along_m : half_m) along_m /= 2;
    auto geom = body.append_child("geom");
    set_attribute(geom, "name", geom_name(pad, i));
    set_attribute(geom, "type", "box");
    set_attribute(geom, "size", numbers_text(half_m));
    set_attribute(geom, "pos", numbers_text(centre.position_m));
    set_attribute(geom, "euler", numbers_text(centre.rpy_rad));
  }
}

std::string mjcf_of(const TouchPad& pad, const SlotContents& contents,
                    std::span<const std::string> opening) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(block_comment(opening).c_str());
  auto root = document.append_child("mujoco");
  set_attribute(root, "model", pad.name);
  auto compiler = root.append_child("compiler");
  set_attribute(compiler, "angle", "radian");
  set_attribute(compiler, "eulerseq", "XYZ");  // about fixed axes: roll, pitch, yaw
  add_slot_values(contents, root);
  add_comment(root,
              "cs::GEOM: modulus Pa, dissipation s/m, resolution m (0: the plugin's choice), "
              "static and sliding friction");
  add_custom(pad, root);
  add_boxes(pad, root);
  return document_text(document);
}

/// Where a tactel looks from, in its box's frame: on the upper face.
std::string taxels_text(const SensorModel& model, const TouchPad& pad, std::size_t array) {
  const auto& grid = model.sensor.arrays[array];
  std::vector<std::string> taxels;
  for (int i = 0; i < grid.tactels(); ++i)
    taxels.push_back(fmt::format("[{:.9f}, {:.9f}, {:.9f}]",
                                 (i % grid.columns - (grid.columns - 1) / 2.0) * grid.pitch_x_m,
                                 (i / grid.columns - (grid.rows - 1) / 2.0) * grid.pitch_y_m,
                                 pad.boxes[array].size_m[2] / 2));
  return fmt::format("[{}]", fmt::join(taxels, ", "));
}

std::string yaml_of(const SensorModel& model, const TouchPad& pad,
                    std::span<const std::string> opening) {
  auto text = comment_lines("# ", opening) +
              "MujocoPlugins:\n  - type: mujoco_contact_surfaces/MujocoContactSurfacesPlugin\n"
              "    SurfacePlugins:\n";
  for (std::size_t i = 0; i < pad.boxes.size(); ++i) {
    const auto& grid = model.sensor.arrays[i];
    const double half_m = std::min(grid.pitch_x_m, grid.pitch_y_m) / 2;
    text += fmt::format(
        "      - type: mujoco_contact_surface_sensors/TaxelSensor\n"
        "        sensorName: {0}\n        geomName: {0}\n        topicName: tactile/{0}\n"
        "        updateRate: {1:.9f}\n        include_margin: {2:.9f}\n        method: closest\n"
        "        sample_method: default\n        sample_resolution: {3:.9f}\n"
        "        taxels: {4}\n",
        geom_name(pad, i), pad.rate_hz, pad.margin_m.value_or(half_m), half_m / 5,
        taxels_text(model, pad, i));
  }
  return text;
}

std::vector<std::string> about_touch(const SensorModel& model, const TouchPad& pad) {
  const auto& array = model.sensor.arrays.front();
  return {
      "Tactile pad for HydroelasticTouch (mujoco_contact_surfaces, MuJoCo 2.3.6 or 2.3.7), SI.",
      "Frame: centre of the undeformed surface, +z out of it, columns along +x, rows along +y.",
      fmt::format("Tactels row by row. A reading is a pressure in Pa: times {:.6g} m^2 it is the "
                  "force on the tactel in N.",
                  array.sensing_area_m2() / array.tactels()),
      fmt::format("What touches the pad needs five numbers under <custom>, too, the first 0 for "
                  "a hard body. Dissipation is (c - 1 ms k) / F at F = {:.6g} N on a tactel, "
                  "half of the range: the plugin adds 1 ms k.",
                  (*model.validity.force_N)[1] / 2),
      fmt::format(
          "Plugin parameters: {}_touch.yaml. Where they are not known, 100 Hz stand for the "
          "sensor's rate and half a pitch for how far a tactel looks.",
          pad.name)};
}

}  // namespace

Result<Exported> HydroelasticTouchExporter::write(const SensorModel& model) const {
  const auto contents = fill_slots(model, kTouchSlots, kPlugin);
  if (!contents) return fail(contents.error());
  const auto pad = touch_pad(model, *contents);
  if (!pad) return fail(pad.error());
  auto losses = slot_losses(model, *contents, kPlugin);
  if (!model.stiffness.curve.empty())
    losses.push_back(
        {"stiffness.curve", "the plugin has one modulus per box: hardening isn't written", false});
  const auto opening = opening_lines(model, about_touch(model, *pad), losses);
  Exported exported{mjcf_of(*pad, *contents, opening), losses, export_warnings(model)};
  for (auto& warning : step_damping_warnings(*pad, kPrediction_s, kPlugin))
    exported.warnings.push_back(std::move(warning));
  exported.sidecars.push_back({pad->name + "_touch.yaml", yaml_of(model, *pad, opening)});
  return exported;
}

}  // namespace tactelier
