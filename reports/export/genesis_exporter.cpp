#include "reports/export/genesis_exporter.hpp"

#include "reports/export/export_json.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"
#include "reports/export/flat_arrays.hpp"
#include "reports/export/genesis_options.hpp"
#include "reports/export/urdf_pad.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kGenesis = "Genesis";

constexpr const char* kLoader = R"(
import json
import pathlib

import genesis as gs

URDF = pathlib.Path(__file__).with_suffix(".urdf")


def _pad(scene, options, morph, **more):
    material = gs.materials.Rigid(**options["material"])
    morph = gs.morphs.URDF(file=str(URDF), fixed=True, **more, **morph)
    return scene.add_entity(morph, material=material)


def add_taxels(scene, file, resample=False, **morph):
    """The pad and a KinematicTaxel per array: N by depth, each tactel's own sensitivity and noise.
    file: of options, .json; morph: pos, quat ... of the pad. resample: each scene.reset() draws
    every tactel's sensitivity anew, between the pad's least and greatest, instead of its own."""
    options = json.loads(pathlib.Path(file).read_text())
    pad, sensors = _pad(scene, options, morph), []
    for taxels, gains in zip(options["KinematicTaxel"], options["probe_gain_ranges"]):
        drawn = {"probe_gain_resample_range": gains} if resample else {}
        sensors.append(scene.add_sensor(
            gs.sensors.KinematicTaxel(entity_idx=pad.idx, **taxels, **drawn)))
    return pad, sensors


def add_contact_forces(scene, file, **morph):
    """The pad with a link per tactel and a ContactForce on each: the solver's N along the link's z,
    from the tactel's threshold up to its saturation, by the link's name."""
    options = json.loads(pathlib.Path(file).read_text())
    pad, sensors = _pad(scene, options, morph, merge_fixed_links=False), {}
    for force in options["ContactForce"]:
        name = force.pop("link")
        sensors[name] = scene.add_sensor(gs.sensors.ContactForce(
            entity_idx=pad.idx, link_idx_local=pad.get_link(name).idx_local, **force))
    return pad, sensors
)";

std::string loader_text(const SensorModel& model) {
  std::vector<std::string> lines{
      "Loads a tactile pad and its sensors into Genesis (KinematicTaxel is of 2026 and later).",
      "Sensors are no part of physics: KinematicTaxel says k * depth, whatever the solver let in; "
      "for loads take ContactForce."};
  for (auto& line : header_lines(model)) lines.push_back(std::move(line));
  return comment_lines("# ", lines) + kLoader;
}

std::string genesis_urdf(const SensorModel& model, const GenesisPad& pad) {
  std::vector<std::string> lines{
      "The pad's shape for Genesis: a sphere per tactel, SI. Its sensors: the .json beside it."};
  for (auto& line : header_lines(model)) lines.push_back(std::move(line));
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(block_comment(lines).c_str());
  auto robot = document.append_child("robot");
  set_attribute(robot, "name", pad.name);
  add_comment(robot, fmt::format("The pad's mass is not known: {:g} kg and {:g} kg a tactel stand "
                                 "for it.",
                                 kUrdfPad_kg, kUrdfTip_kg));
  add_urdf_links(pad, robot, [](pugi::xml_node) {});
  return document_text(document);
}

std::vector<std::string> genesis_notes(const GenesisPad& pad) {
  std::vector<std::string> notes{
      "probe_local_pos: a tactel's radius below its centre; rows along +y, columns along +x",
      "probe_gain: a tactel's own sensitivity over the middle one's; times counts_per_N a force is "
      "a reading above the offset, or below it where `falling` is true",
      "probe_radius 0: a dead or stuck tactel, which reads 0",
      "probe_gain_ranges: least and greatest probe_gain of each array's tactels that read, for "
      "probe_gain_resample_range, which takes the place of each tactel's own"};
  if (pad.damping_N_s_per_m2)
    notes.push_back(fmt::format("normal_damping is c / x at x = {:.6g} m: right there alone",
                                pad.damping_at_m));
  if (pad.hysteresis)
    notes.emplace_back("hysteresis: the strongest branch of relaxation over what stays");
  return notes;
}

ordered_json genesis_document(const SensorModel& model, const GenesisPad& pad,
                              const SlotContents& contents) {
  ordered_json document{{"format", "tactelier/genesis"}, {"version", 1}};
  document["origin"] = json_origin(model);
  document["validity"] = json_validity(model);
  document["order"] = "row by row, array after array; columns go along +x, rows along +y";
  document["arrays"] = json_arrays(model.sensor);
  document["notes"] = genesis_notes(pad);
  document["values"] = slot_value_lines(contents);
  document["counts_per_N"] = or_null(pad.counts_per_N);
  auto offsets = ordered_json::array();
  for (const auto& readout : pad.readouts) offsets.push_back(or_null(readout.offset_counts));
  document["offset_counts"] = offsets;
  document["falling"] = model.sensor.falling;
  document["material"] = ordered_json::object();
  if (pad.friction) document["material"]["friction"] = *pad.friction;
  document["KinematicTaxel"] = ordered_json::array();
  document["probe_gain_ranges"] = ordered_json::array();
  std::size_t first = 0;
  for (std::size_t i = 0; i < model.sensor.arrays.size(); ++i) {
    if (auto options = kinematic_taxel(model, pad, i, first)) {
      document["KinematicTaxel"].push_back(std::move(*options));
      document["probe_gain_ranges"].push_back(
          probe_gain_range(pad, first, static_cast<std::size_t>(model.sensor.arrays[i].tactels())));
    }
    first += static_cast<std::size_t>(model.sensor.arrays[i].tactels());
  }
  document["ContactForce"] = contact_forces(pad);
  return document;
}

void add_relaxation_paths(const SensorModel& model, const GenesisPad& pad, SlotContents& contents) {
  if (!pad.hysteresis) return;
  contents.paths.emplace_back("relaxation.g_inf");
  if (model.relaxation.g.size() > 1) return;  // the others are left out
  contents.paths.emplace_back("relaxation.g[0]");
  contents.paths.emplace_back("relaxation.tau[0]");
}

void add_genesis_losses(const SensorModel& model, const GenesisPad& pad,
                        std::vector<Loss>& losses) {
  if (!model.stiffness.curve.empty())
    losses.push_back(
        {"stiffness.curve", "one stiffness for all depths: k is written, hardening isn't", false});
  if (!pad.damping_N_s_per_m2)
    losses.push_back({"damping.c_n",
                      "normal_damping is damping by depth, which wants a range of forces: 0 is "
                      "written",
                      false});
  for (std::size_t i = 0; i < model.sensor.arrays.size(); ++i)
    if (const auto& array = model.sensor.arrays[i];
        (pad.spread_m || pad.kernel_s_tactels) &&
        (!is_flat_grid(array) || array.rows < 2 || array.columns < 2))
      losses.push_back({fmt::format("sensor.arrays[{}]", i),
                        "crosstalk wants a flat grid of two rows and columns at least: none is "
                        "written for this array",
                        false});
  add_unscaled_tactels(model, losses);
}

}  // namespace

Result<Exported> GenesisExporter::write(const SensorModel& model) const {
  auto contents = fill_slots(model, genesis_slots(), kGenesis);
  if (!contents) return fail(contents.error());
  const auto pad = genesis_pad(model, *contents);
  add_readout_paths(model, *contents);
  add_relaxation_paths(model, pad, *contents);
  auto losses = slot_losses(model, *contents, kGenesis);
  add_genesis_losses(model, pad, losses);
  Exported exported{json_text(genesis_document(model, pad, *contents), 2) + "\n", losses,
                    export_warnings(model)};
  exported.sidecars.push_back({pad.name + "_genesis.py", loader_text(model)});
  exported.sidecars.push_back({pad.name + "_genesis.urdf", genesis_urdf(model, pad)});
  return exported;
}

}  // namespace tactelier
