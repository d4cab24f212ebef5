"""As much of PyBullet as verify_in_bullet.py calls, over sphere_pad.py's contacts, which are those of
Bullet (bullet_run_test.cpp); coefficients of friction are multiplied."""
import xml.etree.ElementTree as ET

from sphere_pad import SpherePad, Tactel

DIRECT, GEOM_BOX, GEOM_SPHERE, WORLD_FRAME, ACTIVATION_STATE_DISABLE_SLEEPING = range(5)
_world = {}


def connect(mode): return 0
def getAPIVersion(): return 201708270


def resetSimulation():
    _world.clear()
    _world.update(step=1 / 240, force=[0, 0, 0])


def setGravity(x, y, z): assert (x, y, z) == (0, 0, 0)
def setTimeStep(step): _world["step"] = step
def setPhysicsEngineParameter(**ignored): pass


def loadURDF(file, useFixedBase):
    assert useFixedBase
    root = ET.parse(file).getroot()
    joints = {joint.find("child").get("link"): joint for joint in root.iter("joint")}
    numbers = lambda text: [float(word) for word in text.split()]
    tactels = []
    for link in root.iter("link"):
        if link.get("name") not in joints:
            continue
        assert joints[link.get("name")].find("origin").get("rpy") == "0 0 0"
        at = numbers(joints[link.get("name")].find("origin").get("xyz"))
        shift = numbers(link.find("collision/origin").get("xyz"))
        value = lambda name: float(link.find(f"contact/{name}").get("value"))
        tactels.append(Tactel(link.get("name"), [a + b for a, b in zip(at, shift)],
                              float(link.find("collision/geometry/sphere").get("radius")),
                              value("stiffness"), value("damping"), value("lateral_friction")))
    _world["pad"] = SpherePad(tactels, _world["step"])
    return 0


def getNumJoints(body): return len(_world["pad"].tactels)
def getJointInfo(body, j): return (j,) * 12 + (_world["pad"].tactels[j].name.encode(),)
def createCollisionShape(kind, halfExtents=None, radius=None): return halfExtents, radius


def createMultiBody(mass, shape, basePosition):
    _world["pad"].lay(mass, basePosition, *shape)
    return 1


def changeDynamics(body, link, **options):
    assert body == 1 and options["contactStiffness"] > 1e12 and options["contactDamping"] == 0
    _world["mu"] = options["lateralFriction"]


def getBasePositionAndOrientation(body): return tuple(_world["pad"].at), (0, 0, 0, 1)
def getBaseVelocity(body): return tuple(_world["pad"].v), (0, 0, 0)
def resetBaseVelocity(body, linear, angular): _world["pad"].v = list(linear)
def applyExternalForce(body, link, force, at, frame): _world["force"] = list(force)


def stepSimulation():
    _world["pad"].step(_world["force"], lambda mu: mu * _world["mu"])
    _world["force"] = [0, 0, 0]


def getContactPoints(bodyA, linkIndexA):
    found = _world["pad"].on_tactels.get(_world["pad"].tactels[linkIndexA].name)
    return [(0,) * 9 + (found[0], found[1], (1, 0, 0), 0, (0, 1, 0))] if found else []
