"""The studies of scripts/accuracy: what is recorded, how it is fitted, what it is compared with.

A study holds one question, in the shortest recording that answers it, so that hundreds of sensors
of a preset can be counted. Each seed draws pad, rig and noise anew.
"""

import dataclasses
import json
import pathlib

from compare_truth import BY_BRANCH, BY_TACTEL, SCALARS

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROTOCOLS = ROOT / "data/protocols"

# Steps of `standard` that show what goes with time.
DYNAMIC_STEPS = ("zero", "plate", "speeds", "repeat", "chirp", "prompt", "slide", "preslide")
THICKNESS_MM = 3.0  # of the layer under a ball, where it is stated
PIN = {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0}
BALL = {"id": "ball10", "shape": "sphere", "diameter_mm": 10.0}

# At two speeds: at one of them steps, or two of a step, may come as a motor rings.
PLATE = [{"do": "plate", "force_N": 15, "speed_mm_s": speed, "repeats": 2} for speed in (0.09, 0.07)]

STIFFNESS = ("stiffness.k_punch", "stiffness.foundation_modulus", "stiffness.k")
SPREAD = ("psf.sigma", "psf.sigma_x", "psf.sigma_y")
RELAXATION = ("relaxation.g_inf", *BY_BRANCH)
DAMPING = ("damping.c_n", "damping.dissipation")
FRICTION = tuple(f"friction.contact.{name}"
                 for name in ("mu_s", "mu_d", "v_s", "sigma0", "sigma1", "c_t"))
SURFACE = tuple(f"friction.contact.{name}"
                for name in ("load_exponent", "running_in", "running_in_length"))
HYDROELASTIC = ("hydroelastic.modulus", "hydroelastic.dissipation")
RESPONSE = tuple(path for path in BY_TACTEL if path.startswith("response."))

SIDE_COMPLIANCE_UM_PER_N = 50  # of the virtual bench; whoever slides has to state it


@dataclasses.dataclass(frozen=True)
class Study:
    question: str
    protocol: object  # a name, or a function that makes one
    parameters: tuple
    synth: tuple = ()
    fit: tuple = ()
    relaxes: str = "no"  # pads: no, half (even seeds), all
    states: tuple = ()  # what the recording says of rig and sensor: "side compliance", "thickness"
    minutes: float = 0  # of rig time


def protocol_of(name, description, indenter, steps, minutes=90):
    return {"format": "tactelier/protocol", "version": 1, "name": name, "description": description,
            "max_minutes": minutes, "indenter": indenter, "steps": steps}


def dynamics():
    """`standard` without what needs hundreds of presses; the tactel pressed is scanned alone."""
    protocol = json.loads((PROTOCOLS / "standard.json").read_text(encoding="utf-8"))
    protocol["name"] = "dynamics"
    protocol["steps"] = [step for step in protocol["steps"] if step["do"] in DYNAMIC_STEPS]
    protocol["steps"].insert(2, scan_of_the_centre(repeats=5))
    return protocol


def scan_of_the_centre(repeats):
    """Says which tactel is pressed: damping is that tactel's, not the pad's mean."""
    return {"do": "scan", "sites": ["centre"], "speed_mm_s": 0.3, "repeats": repeats,
            "until": {"saturated": True, "force_N": 3, "depth_mm": 1.5}}


def field():
    return protocol_of("field", "a ball at three speeds", BALL, [
        {"do": "zero", "time_s": 5}, {"do": "plate", "force_N": 15, "speed_mm_s": 0.1, "repeats": 3},
        {"do": "speeds", "sites": 6, "depth_mm": 0.8, "speeds_mm_s": [0.2, 1, 4], "repeats": 2},
        {"do": "zero", "time_s": 2}])


def field_held():
    """A ball as `field` has it, on pads whose relaxation three holds of the pin tell."""
    return protocol_of("field-held", "holds of a pin, then a ball at three speeds", PIN, [
        {"do": "zero", "time_s": 5}, *PLATE,
        {"do": "speeds", "sites": ["centre"], "depth_mm": 1.1, "speeds_mm_s": [1]},
        {"do": "repeat", "times": 3, "steps": [{"do": "hold", "sites": ["centre"], "depth_mm": 1.0,
                                                "ramp_s": 0.2, "time_s": 20}]},
        {"do": "prompt", "text": "Mount the ball.", "indenter": BALL},
        {"do": "speeds", "sites": 6, "depth_mm": 0.8, "speeds_mm_s": [0.2, 1, 4], "repeats": 2},
        {"do": "zero", "time_s": 2}])


def damping():
    return protocol_of("damping", "presses at four speeds, and two holds", PIN, [
        {"do": "zero", "time_s": 5}, *PLATE,
        scan_of_the_centre(repeats=2),
        {"do": "speeds", "sites": ["centre"], "depth_mm": 1.1, "speeds_mm_s": [1]},
        {"do": "speeds", "sites": ["centre"], "depth_mm": 1.0, "speeds_mm_s": [0.3, 1, 3, 8],
         "repeats": 6},
        {"do": "repeat", "times": 2, "steps": [{"do": "hold", "sites": ["centre"], "depth_mm": 1.0,
                                                "ramp_s": 0.2, "time_s": 20}]},
        {"do": "zero", "time_s": 5}])


def spread():
    return protocol_of("spread", "49 presses in steps of 1.7 mm", PIN, [
        {"do": "zero", "time_s": 5},
        {"do": "raster", "area_mm": [-5.1, -5.1, 5.1, 5.1], "step_mm": 1.7, "depth_mm": 0.9,
         "speed_mm_s": 1},
        {"do": "zero", "time_s": 2}])


_damping = Study("damping and relaxation", damping, (*DAMPING, *RELAXATION), relaxes="all",
                 minutes=4)
_friction = Study("friction over whole slides", "p9", (*FRICTION, *SURFACE), relaxes="all",
                  fit=("--stages", "friction"), states=("side compliance",), minutes=4.3)

STUDIES = {
    "study": Study("what a tactel reads, and the stiffness under the pin", "study",
                   (*STIFFNESS, *SPREAD, *BY_TACTEL), minutes=1.4),
    "spread": Study("point spread", spread, SPREAD, minutes=3.5),
    "damping": _damping,
    "friction": _friction,
    "dynamics": Study("all that goes with time, as `standard` records it", dynamics,
                      (*DAMPING, *FRICTION, *RELAXATION, "stiffness.k_punch_tactel"),
                      relaxes="half", minutes=26),
    "field": Study("the pad as a pressure field", field, HYDROELASTIC, states=("thickness",),
                   minutes=12),
    "field-held": Study("the pad as a pressure field, relaxation held", field_held, HYDROELASTIC,
                        relaxes="all", states=("thickness",), minutes=8),
    "standard": Study("everything", "standard", (*SCALARS, *RELAXATION, *BY_TACTEL), minutes=77),
}


# Seeds of docs/accuracy.md: what two hours of processor count, half of them friction on lab.
PAGE = {
    "study": {"clean": "1-50", "lab": "501-550", "rough": "501-530"},
    "spread": {"lab": "501-520", "rough": "501-520"},
    "damping": {"clean": "1-10", "lab": "501-540", "rough": "501-530"},
    "friction": {"clean": "1-5", "lab": "501-524", "rough": "501-504"},
    "field": {"clean": "1-5"},
    "field-held": {"clean": "61-65", "lab": "61-80", "rough": "61-70"},
}


def prepare(name, folder):
    """Writes the study's protocol, rig and sensor; the arguments of synth."""
    study = STUDIES[name]
    arguments = ["--protocol", study.protocol if isinstance(study.protocol, str) else
                 written(study.protocol(), folder / f"{name}.protocol.json")]
    if "side compliance" in study.states:
        rig = json.loads((ROOT / "data/rigs/virtual-bench.json").read_text(encoding="utf-8"))
        rig["shear_compliance_um_per_N"] = SIDE_COMPLIANCE_UM_PER_N
        arguments += ["--rig", written(rig, folder / f"{name}.rig.json")]
    if "thickness" in study.states:
        sensor = json.loads((ROOT / "data/sensors/weiss-wts0614.json").read_text(encoding="utf-8"))
        sensor["thickness_mm"] = THICKNESS_MM
        arguments += ["--sensor", written(sensor, folder / f"{name}.sensor.json")]
    return arguments + list(study.synth)


def written(value, path):
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def drawn(name, preset, seed):
    """Pads of `lab` and `rough` relax unless told not to, those of `clean` where told to."""
    relaxes = STUDIES[name].relaxes
    if relaxes == "all" or preset != "clean":
        return ["--draw", "relaxation"]
    return ["--draw", "relaxation"] if relaxes == "half" and seed % 2 == 0 else []


def settle(name, truth, rig, model):
    """Turns the pad's truth into that of the very thing the model states; `rig`: the rig's truth."""
    if "thickness" in STUDIES[name].states:  # a ball shows E_h = K_f H
        modulus = truth["stiffness"]["foundation_modulus"]["value"] * THICKNESS_MM * 1e-3
        truth["hydroelastic"]["modulus"] = {"value": modulus}
        truth["hydroelastic"]["dissipation"] = truth["damping"]["dissipation"]
    at_the_tactel(truth, model)
    constants = rig["truth"].get("constants")
    if constants:
        at_the_load(truth["friction"]["contact"], constants, model["friction"]["contact"])


def at_the_tactel(truth, model):
    """Where a single tactel was pressed, k_punch and with it c_n are that tactel's."""
    own = [true for true, fitted in zip(truth["stiffness"]["k_punch_tactel"],
                                        model["stiffness"]["k_punch_tactel"]) if fitted.get("value")]
    mean = truth["stiffness"]["k_punch"].get("value")
    if len(own) == 1 and mean and own[0].get("value"):
        truth["stiffness"]["k_punch"]["value"] = own[0]["value"]
        if truth["damping"]["c_n"].get("value"):
            truth["damping"]["c_n"]["value"] *= own[0]["value"] / mean


def at_the_load(truth, constants, model):
    """mu at the load to which the model's belongs; how it goes with load and sliding."""
    for name, value in (("load_exponent", -constants["load_exponent"]),
                        ("running_in", constants["running_in"]),
                        ("running_in_length", constants["running_in_mm"] * 1e-3)):
        truth[name] = {"value": value}
    reference = (model.get("load_reference") or {}).get("value")
    at = (truth.get("normal_force") or {}).get("value") or 1.0
    if reference and truth["mu_s"].get("value"):
        for name in ("mu_s", "mu_d"):
            truth[name]["value"] *= (reference / at) ** constants["load_exponent"]


def seen_by_the_force_sensor(rig):
    """What its gains make of a true value: path -> factor."""
    gains = rig["truth"].get("force_gains")
    if not gains:
        return {}
    along, normal = gains[1], gains[2]  # slides go along y
    factors = dict.fromkeys((*STIFFNESS, *BY_TACTEL, "damping.c_n", "hydroelastic.modulus"), normal)
    factors.pop("response.tactels.saturation")
    contact = "friction.contact."
    factors.update(dict.fromkeys((contact + "sigma0", contact + "sigma1", contact + "c_t"), along))
    exponent = rig["truth"]["constants"]["load_exponent"]
    factors.update(dict.fromkeys((contact + "mu_s", contact + "mu_d"),
                                 along / normal ** (1 + exponent)))
    return factors
