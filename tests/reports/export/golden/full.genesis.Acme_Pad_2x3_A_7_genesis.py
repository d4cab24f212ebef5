# Loads a tactile pad and its sensors into Genesis (KinematicTaxel is of 2026 and later).
# Sensors are no part of physics: KinematicTaxel says k * depth, whatever the solver let in; for loads take ContactForce.
# Sensor: Acme Pad 2x3, serial A-7
# Fitted: 2026-11-20T10:00:00Z by tactelier 0.1.0
# Model: sha256 ...
# Recording: monday.tact, content aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, edited
# Valid for normal force 0 .. 0.2 N
# Valid for indentation depth 0 .. 0.001 m
# Indenters: cylinder 1 mm
# Assumed: sensor.thickness_m=0.006 (user); stiffness.k=58.5 (user); friction.mu_s=0.435 (user); friction.mu_d=0.23 (user); damping.c_n=0.0583 (user)

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
