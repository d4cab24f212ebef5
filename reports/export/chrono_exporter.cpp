#include "reports/export/chrono_exporter.hpp"

#include "reports/export/export_json.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/pad_slots.hpp"
#include "reports/export/tactel_pad.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kChrono = "Chrono";

constexpr std::array kChronoSlots{
    kStiffnessSlot,
    kDampingSlot,
    Slot{"friction", "friction.mu_d", "sliding friction, the one coefficient of smooth contacts",
         Bound::kNotNegative},
};

constexpr const char* kChronoLoader = R"(
import json
import pathlib

import pychrono as chrono

PAD_KG = 1e6  # fixed; so large that the effective mass is the object's


def material(file, object_kg, sliding_m_per_s=1e-3):
    """For the pad and for what presses it: Chrono takes the mean of both. Gn and Gt are per mass.
    Without a history of shear (Chrono has none) friction is a damper until it slides, here from
    sliding_m_per_s on under half of the range's force."""
    pad = json.loads(pathlib.Path(file).read_text())
    mass_kg = object_kg * PAD_KG / (object_kg + PAD_KG)
    made = chrono.ChContactMaterialSMC()
    made.SetKn(pad["stiffness_N_per_m"])
    made.SetGn(pad["damping_N_s_per_m"] / mass_kg)
    made.SetKt(0)
    made.SetGt(0)
    made.SetAdhesion(0)
    if pad["friction"] is not None:
        made.SetFriction(pad["friction"])
    if pad["friction"] is not None and pad["half_force_N"] is not None:
        made.SetGt(pad["friction"] * pad["half_force_N"] / sliding_m_per_s / mass_kg)
    return made


def add_pad(system, file, made):
    """A fixed sphere per tactel, in the order of the tactels: their GetContactForce(), along the
    tactel's normal, is the force on each in N. system: a ChSystemSMC with a collision system."""
    pad = json.loads(pathlib.Path(file).read_text())
    system.UseMaterialProperties(False)
    system.SetContactForceModel(chrono.ChSystemSMC.Hooke)
    bodies = []
    for tactel in pad["tactels"]:
        body = chrono.ChBody()
        body.SetName(tactel["name"])
        body.SetFixed(True)
        body.SetMass(PAD_KG)
        radius = tactel["radius_m"]
        centre = [p - radius * n for p, n in zip(tactel["position_m"], tactel["normal"])]
        body.SetPos(chrono.ChVector3d(*centre))
        body.AddCollisionShape(chrono.ChCollisionShapeSphere(made, radius))
        body.EnableCollision(True)
        system.AddBody(body)
        bodies.append(body)
    return bodies
)";

std::string chrono_loader(const SensorModel& model) {
  std::vector<std::string> lines{
      "Loads a tactile pad into Project Chrono (PyChrono 9 or later).",
      "The object's time step: at most a tenth of sqrt(object_kg / (tactels * k))."};
  for (auto& line : header_lines(model)) lines.push_back(std::move(line));
  return comment_lines("# ", lines) + kChronoLoader;
}

void add_readout_members(const PadReadout& readout, ordered_json& tactel) {
  tactel["reads"] = readout.reads;
  tactel["gain_N_per_count"] = or_null(readout.gain_N_per_count);
  tactel["offset_counts"] = or_null(readout.offset_counts);
  tactel["threshold_N"] = or_null(readout.threshold_N);
  tactel["saturation_N"] = or_null(readout.saturation_N());
  tactel["noise_N"] = or_null(readout.noise_N());
}

ordered_json tactels_of(const TactelPad& pad) {
  auto list = ordered_json::array();
  for (std::size_t i = 0; i < pad.places.size(); ++i) {
    const auto& place = pad.places[i];
    ordered_json tactel{{"name", place.name()},   {"tactel", place.tactel},
                        {"array", place.array},   {"row", place.row},
                        {"column", place.column}, {"position_m", place.position_m},
                        {"normal", place.normal}, {"radius_m", place.half_width_m}};
    add_readout_members(pad.readouts[i], tactel);
    list.push_back(std::move(tactel));
  }
  return list;
}

ordered_json chrono_document(const SensorModel& model, const TactelPad& pad,
                             const SlotContents& contents) {
  ordered_json document{{"format", "tactelier/chrono"}, {"version", 1}};
  document["origin"] = json_origin(model);
  document["validity"] = json_validity(model);
  document["order"] = "row by row, array after array; columns go along +x, rows along +y";
  document["falling"] = model.sensor.falling;
  document["arrays"] = json_arrays(model.sensor);
  document["values"] = slot_value_lines(contents);
  document["stiffness_N_per_m"] = pad.stiffness_N_per_m;
  document["damping_N_s_per_m"] = pad.damping_N_s_per_m;
  document["friction"] = or_null(pad.friction);
  document["half_force_N"] = nullptr;
  if (model.validity.force_N) document["half_force_N"] = (*model.validity.force_N)[1] / 2;
  document["tactels"] = tactels_of(pad);
  return document;
}

}  // namespace

Result<Exported> ChronoExporter::write(const SensorModel& model) const {
  auto contents = fill_slots(model, kChronoSlots, kChrono);
  if (!contents) return fail(contents.error());
  add_readout_paths(model, *contents);
  const auto pad = tactel_pad(model, *contents);
  auto losses = slot_losses(model, *contents, kChrono);
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve",
                      "Chrono has one stiffness per contact: k is written, hardening isn't",
                      false});
  add_unscaled_tactels(model, losses);
  Exported exported{json_text(chrono_document(model, pad, *contents), 2) + "\n", losses,
                    export_warnings(model)};
  exported.sidecars.push_back({pad.name + "_chrono.py", chrono_loader(model)});
  return exported;
}

}  // namespace tactelier
