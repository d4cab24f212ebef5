"""As much of Isaac Sim as verify_in_isaac.py calls, over sphere_pad.py's contacts: its own modules,
and those of Omniverse and USD. The pad's file is read as far as it is laid out as ours are."""
import re
import sys
import types
from types import SimpleNamespace

import numpy

from sphere_pad import SpherePad, Tactel


def module(name, **contents):
    made = types.ModuleType(name)
    made.__dict__.update(contents)
    sys.modules[name] = made


class Prim(SimpleNamespace):
    """Keeps what is set by CreateXAttr(value), AddXOp().Set(value), Bind(...)."""

    def GetPrim(self): return self
    def GetReferences(self): return self
    def AddReference(self, file): self.file = file
    def Bind(self, material, materialPurpose): self.material = (material, materialPurpose)

    def __getattr__(self, name):
        if name.startswith("Create") and name.endswith("Attr"):
            return lambda value: setattr(self, name[6:-4], value)
        if name.startswith("Add") and name.endswith("Op"):
            return lambda: SimpleNamespace(Set=lambda value: setattr(self, name[3:-2], value))
        raise AttributeError(name)


_stage = {}


class Schema:
    def __init__(self, kind): self.kind = kind
    def Apply(self, prim): return prim

    def Define(self, stage, path):
        return _stage.setdefault(path, Prim(kind=self.kind, path=path))


class Stage:
    def DefinePrim(self, path, kind): return Schema(kind).Define(self, path)


def read_pad(file):
    text = open(file, encoding="utf-8").read()
    assert "metersPerUnit = 1" in text and 'upAxis = "Z"' in text
    number = lambda name, where=text: float(re.search(rf"\b{name} = ([-+.e\d]+)", where).group(1))
    k, c = (number(f"physxMaterial:compliantContact{name}") for name in ("Stiffness", "Damping"))
    mu = number("physics:dynamicFriction")
    tactels = []
    for name, inside in re.findall(r'def Sphere "(\w+)".*?\{(.*?)\n    \}', text, re.S):
        at = re.search(r"xformOp:translate = \(([^)]*)\)", inside).group(1)
        tactels.append(Tactel(name, [float(word) for word in at.split(",")],
                              number("radius", inside), k, c, mu))
    return tactels


class SimulationApp:
    def __init__(self, options): assert options["headless"]
    def update(self): pass


class World:
    now = None

    def __init__(self, physics_dt, stage_units_in_meters, physics_prim_path, **options):
        assert stage_units_in_meters == 1 and options["device"] == "cpu"
        self.step_s, self.scene, World.now = physics_dt, physics_prim_path, self

    @staticmethod
    def clear_instance(): World.now = None

    def reset(self):
        scene, body = _stage[self.scene], _stage["/World/object"]
        assert scene.GravityMagnitude == 0 and scene.SolverType == "PGS"
        assert body.LockedRotAxis == 7 and body.SleepThreshold == 0
        material, purpose = body.material
        assert purpose == "physics"
        self.mu, self.force = material.DynamicFriction, [0, 0, 0]
        self.pad = SpherePad(read_pad(_stage["/World/pad"].file), self.step_s)
        self.pad.lay(body.Mass, body.Translate,
                     [s / 2 for s in body.Scale] if body.kind == "Cube" else None,
                     body.Radius if body.kind == "Sphere" else None)

    def step(self, render):
        assert not render
        self.pad.step(self.force, lambda mu: (mu + self.mu) / 2)
        self.force = [0, 0, 0]


class RigidPrim:
    def __init__(self, path): assert path == "/World/object"
    def initialize(self): pass
    def get_world_poses(self): return numpy.array([World.now.pad.at]), numpy.array([[1, 0, 0, 0]])
    def get_linear_velocities(self): return numpy.array([World.now.pad.v])
    def set_linear_velocities(self, to): World.now.pad.v = to[0].tolist()

    def apply_forces(self, forces, is_global):
        assert is_global
        World.now.force = forces[0].tolist()


class Reports:
    """Colliders are numbers; the tactel comes first or second."""

    def get_full_contact_report(self):
        pad, headers, points, anchors = World.now.pad, [], [], []
        for i, (name, (normal, shear)) in enumerate(pad.on_tactels.items()):
            pair = [hash_of("/World/object"), hash_of(f"/World/pad/{name}")]
            headers.append(SimpleNamespace(
                collider0=pair[i % 2], collider1=pair[1 - i % 2], contact_data_offset=len(points),
                num_contact_data=1, friction_anchors_offset=len(anchors),
                num_friction_anchors_data=1))
            points.append(SimpleNamespace(impulse=(0, 0, normal * pad.step_s)))
            anchors.append(SimpleNamespace(impulse=(shear * pad.step_s, 0, 0)))
        return headers, points, anchors


_paths = []


def hash_of(path):
    if path not in _paths:
        _paths.append(path)
    return _paths.index(path)


def schemas(*names, **more): return SimpleNamespace(**{name: Schema(name) for name in names}, **more)


module("isaacsim.core")
module("isaacsim.core.api", World=World)
module("isaacsim.core.prims", RigidPrim=RigidPrim)
context = SimpleNamespace(new_stage=_stage.clear, get_stage=Stage)
omni = types.ModuleType("omni")
omni.usd = SimpleNamespace(get_context=lambda: context)
omni.kit = SimpleNamespace(app=SimpleNamespace(
    get_app=lambda: SimpleNamespace(get_app_version=lambda: "5.0.0")))
omni.physx = SimpleNamespace(get_physx_simulation_interface=Reports)
sys.modules.update({"omni": omni, "omni.usd": omni.usd, "omni.kit": omni.kit,
                    "omni.kit.app": omni.kit.app, "omni.physx": omni.physx})
module("pxr", Gf=SimpleNamespace(Vec3f=lambda *xyz: xyz, Vec3d=lambda *xyz: xyz),
       PhysicsSchemaTools=SimpleNamespace(intToSdfPath=_paths.__getitem__),
       PhysxSchema=schemas("PhysxSceneAPI", "PhysxRigidBodyAPI", "PhysxContactReportAPI"),
       UsdPhysics=schemas("Scene", "CollisionAPI", "RigidBodyAPI", "MassAPI", "MaterialAPI"),
       UsdShade=schemas("Material", "MaterialBindingAPI"),
       UsdGeom=schemas("Cube", "Sphere", Tokens=SimpleNamespace(z="Z"),
                       SetStageUpAxis=lambda stage, axis: None))
