"""As much of PyBullet as verify_in_bullet.py calls: a body that moves without turning on fixed
spheres, whose contacts give way as Bullet's do (bullet_run_test.cpp): k depth + (c + k dt) v, and
friction up to the product of both coefficients."""
import math
import xml.etree.ElementTree as ET

DIRECT, GEOM_BOX, GEOM_SPHERE, WORLD_FRAME, ACTIVATION_STATE_DISABLE_SLEEPING = range(5)
_world = {}


def connect(mode): return 0
def getAPIVersion(): return 201708270


def resetSimulation():
    _world.clear()
    _world.update(step=1 / 240, tactels=[], contacts={})


def setGravity(x, y, z): assert (x, y, z) == (0, 0, 0)
def setTimeStep(step): _world["step"] = step
def setPhysicsEngineParameter(**ignored): pass


def loadURDF(file, useFixedBase):
    assert useFixedBase
    root = ET.parse(file).getroot()
    joints = {joint.find("child").get("link"): joint for joint in root.iter("joint")}
    numbers = lambda text: [float(word) for word in text.split()]
    for link in root.iter("link"):
        if link.get("name") not in joints:
            continue
        assert joints[link.get("name")].find("origin").get("rpy") == "0 0 0"
        at = numbers(joints[link.get("name")].find("origin").get("xyz"))
        shift = numbers(link.find("collision/origin").get("xyz"))
        value = lambda name: float(link.find(f"contact/{name}").get("value"))
        _world["tactels"].append({
            "name": link.get("name"), "centre": [a + b for a, b in zip(at, shift)],
            "radius": float(link.find("collision/geometry/sphere").get("radius")),
            "k": value("stiffness"), "c": value("damping"), "mu": value("lateral_friction")})
    return 0


def getNumJoints(body): return len(_world["tactels"])
def getJointInfo(body, j): return (j,) * 12 + (_world["tactels"][j]["name"].encode(),)
def createCollisionShape(kind, halfExtents=None, radius=None): return kind, halfExtents or radius


def createMultiBody(mass, shape, basePosition):
    _world.update(mass=mass, shape=shape, at=list(basePosition), v=[0, 0, 0], force=[0, 0, 0])
    return 1


def changeDynamics(body, link, **options):
    assert body == 1 and options["contactStiffness"] > 1e12 and options["contactDamping"] == 0
    _world["mu"] = options["lateralFriction"]


def getBasePositionAndOrientation(body): return tuple(_world["at"]), (0, 0, 0, 1)
def getBaseVelocity(body): return tuple(_world["v"]), (0, 0, 0)
def resetBaseVelocity(body, linear, angular): _world["v"] = list(linear)
def applyExternalForce(body, link, force, at, frame): _world["force"] = list(force)


def _depth(tactel):
    kind, size = _world["shape"]
    if kind == GEOM_BOX:
        below = _world["at"][2] - size[2]
        inside = all(abs(t - a) <= s for t, a, s in zip(tactel["centre"][:2], _world["at"], size))
        return tactel["centre"][2] + tactel["radius"] - below if inside else 0
    return tactel["radius"] + size - math.dist(tactel["centre"], _world["at"])


def stepSimulation():
    step, v, total = _world["step"], _world["v"], list(_world["force"])
    _world["contacts"] = {}
    for j, tactel in enumerate(_world["tactels"]):
        depth = _depth(tactel)
        if depth <= 0:
            continue
        normal = max(0, tactel["k"] * depth - (tactel["c"] + tactel["k"] * step) * v[2])
        shear = -math.copysign(tactel["mu"] * _world["mu"] * normal, v[0]) if v[0] else 0
        total[2] += normal
        total[0] += shear
        _world["contacts"][j] = (0,) * 9 + (normal, -shear, (1, 0, 0), 0, (0, 1, 0))
    _world["v"] = [a + step * f / _world["mass"] for a, f in zip(v, total)]
    _world["at"] = [a + step * b for a, b in zip(_world["at"], _world["v"])]
    _world["force"] = [0, 0, 0]


def getContactPoints(bodyA, linkIndexA):
    return [_world["contacts"][linkIndexA]] if linkIndexA in _world["contacts"] else []
