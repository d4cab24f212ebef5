"""As much of Genesis as the exported loader calls, with the checks that its options make
(genesis/options/sensors/tactile.py and options.py of genesis-world)."""
import math
import xml.etree.ElementTree as ET
from types import SimpleNamespace


def shape(value):
    return (len(value), *shape(value[0])) if isinstance(value, (list, tuple)) else ()


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, (list, tuple)) else [value]


def not_negative(options, *names):
    for name in names:
        assert all(x >= 0 for x in flat(options.get(name, 0))), name


class _Options:
    known = {"entity_idx", "link_idx_local", "resolution", "bias", "noise", "random_walk", "delay",
             "jitter", "interpolate"}

    def __init__(self, **options):
        unknown = set(options) - self.known
        assert not unknown, f"{type(self).__name__}: unknown options {unknown}"
        assert all(math.isfinite(x) for name in options if name != "max_force"
                   for x in flat(options[name]))
        not_negative(options, "delay", "noise", "resolution")
        self.__dict__.update(options)
        self.check(options)


class KinematicTaxel(_Options):
    known = _Options.known | {
        "probe_local_pos", "probe_radius", "normal_stiffness", "normal_damping", "normal_exponent",
        "shear_scalar", "twist_scalar", "probe_gain", "probe_gain_resample_range",
        "crosstalk_strength", "crosstalk_sigma",
        "crosstalk_kernel", "hysteresis_strength", "hysteresis_tau"}

    def check(self, options):
        *layout, three = shape(options["probe_local_pos"])
        assert three == 3 and len(layout) in (1, 2)
        count = math.prod(layout)
        radii = flat(options["probe_radius"])
        assert len(radii) == count and min(radii) >= 0 and max(radii) > 0
        assert shape(options["probe_gain"]) == (count,) and min(options["probe_gain"]) > 0
        not_negative(options, "normal_stiffness", "normal_damping", "shear_scalar", "twist_scalar",
                     "crosstalk_strength", "crosstalk_sigma", "hysteresis_strength")
        assert options["normal_exponent"] >= 1
        low, high = options.get("probe_gain_resample_range", (1, 1))
        assert 0 < low <= high
        kernel = options.get("crosstalk_kernel")
        assert kernel is None or "crosstalk_strength" not in options
        assert kernel is None or all(side % 2 == 1 for side in shape(kernel))
        if options.get("crosstalk_strength", 0) > 0:
            assert options["crosstalk_sigma"] > 0
        if kernel is not None or "crosstalk_strength" in options:
            assert len(layout) == 2 and min(layout) > 1, "crosstalk wants a grid"
        assert options.get("hysteresis_strength", 0) == 0 or options["hysteresis_tau"] > 0

    def force(self, probe, depth, speed):
        """Of the documentation: k s + d s v, s the depth times the probe's gain."""
        seen = depth * self.probe_gain[probe] if flat(self.probe_radius)[probe] > 0 else 0
        return self.normal_stiffness * seen + self.normal_damping * seen * speed


class ContactForce(_Options):
    known = _Options.known | {"min_force", "max_force"}

    def check(self, options):
        not_negative(options, "min_force")
        assert options.get("max_force", math.inf) > options.get("min_force", 0)


class Rigid:
    def __init__(self, friction=None):
        assert friction is None or 1e-2 <= friction <= 5
        self.friction = friction


class URDF:
    def __init__(self, file, fixed=False, merge_fixed_links=True, pos=(0, 0, 0)):
        root = ET.parse(file).getroot()
        names = [link.get("name") for link in root.iter("link")]
        children = {joint.find("child").get("link"): joint for joint in root.iter("joint")}
        assert all(joint.get("type") == "fixed" for joint in children.values())
        assert set(names) - set(children) == {names[0]}
        self.links = names[:1] if merge_fixed_links else names


class Scene:
    def __init__(self):
        self.entities, self.sensors = [], []

    def add_entity(self, morph, material=None):
        links = {name: SimpleNamespace(idx_local=i) for i, name in enumerate(morph.links)}
        entity = SimpleNamespace(idx=len(self.entities), get_link=lambda name: links[name],
                                 n_links=len(links), material=material)
        self.entities.append(entity)
        return entity

    def add_sensor(self, options):
        assert options.link_idx_local < self.entities[options.entity_idx].n_links if hasattr(
            options, "link_idx_local") else True
        self.sensors.append(options)
        return options


materials = SimpleNamespace(Rigid=Rigid)
morphs = SimpleNamespace(URDF=URDF)
sensors = SimpleNamespace(KinematicTaxel=KinematicTaxel, ContactForce=ContactForce)
