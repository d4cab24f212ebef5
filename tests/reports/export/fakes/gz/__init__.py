"""As much of gz-sim 8's modules for Python as verify_in_sdf.py calls, over sphere_pad.py's contacts,
of whose springs DART lets through what sdf_dart.py finds. Messages come after the step, in order."""
import sys
import types
import xml.etree.ElementTree as ET

from sphere_pad import SpherePad, Tactel


def module(name, **contents):
    made = types.ModuleType(name)
    made.__dict__.update(contents)
    sys.modules[name] = made


def numbers(text): return [float(word) for word in text.split()]


class Vector3d:
    def __init__(self, x, y, z): self.xyz = (x, y, z)
    def x(self): return self.xyz[0]
    def y(self): return self.xyz[1]
    def z(self): return self.xyz[2]


class Contacts:
    def __init__(self, force):
        one = types.SimpleNamespace(x=force[0], y=force[1], z=force[2])
        body = types.SimpleNamespace(body_1_wrench=types.SimpleNamespace(force=one))
        self.contact = [types.SimpleNamespace(wrench=[body])]


class Empty:
    pass


_topics = {}


class Node:
    def subscribe(self, kind, topic, callback):
        _topics[topic] = (kind, callback)
        return True

    def advertise(self, topic, kind):
        return types.SimpleNamespace(publish=lambda message: deliver(topic, message))


def deliver(topic, message):
    kind, callback = _topics[topic]
    assert isinstance(message, kind), topic
    callback(message)


def let_through(link, joint, dt):
    """Of a tip's spring and damper, as DART steps them."""
    k = float(joint.find("axis/dynamics/spring_stiffness").text)
    c = float(joint.find("axis/dynamics/damping").text)
    m = float(link.find("inertial/mass").text)
    share = m / (m + dt * c + dt * dt * k)
    return share * k, share * c


class TestFixture:
    def __init__(self, file):
        world = ET.parse(file).getroot().find("world")
        assert numbers(world.find("gravity").text) == [0, 0, 0]
        plugins = {plugin.get("name") for plugin in world.findall("plugin")}
        assert plugins == {"gz::sim::systems::Physics", "gz::sim::systems::Contact"}
        dt = float(world.find("physics/max_step_size").text)
        models = {model.get("name"): model for model in world.findall("model")}
        body = models.pop("object").find("link")
        (self.name, pad), = models.items()
        assert pad.find("joint[@type='fixed']/parent").text == "world"
        assert pad.find("link/sensor/update_rate") is None  # every step
        links = {link.get("name"): link for link in pad.findall("link")}
        tactels = []
        for joint in pad.findall("joint[@type='prismatic']"):
            link = links[joint.find("child").text]
            shift = numbers(link.find("collision/pose").text)[:3]
            at = numbers(link.find("pose").text)[:3]
            mu = float(link.find("collision/surface/friction/ode/mu").text)
            tactels.append(Tactel(link.get("name"), [a + b for a, b in zip(at, shift)],
                                  float(link.find("collision/geometry/sphere/radius").text),
                                  *let_through(link, joint, dt), mu))
        self.pad, self.force = SpherePad(tactels, dt), [0, 0, 0]
        size = body.find("collision/geometry/box/size")
        self.pad.lay(float(body.find("inertial/mass").text), numbers(body.find("pose").text)[:3],
                     [s / 2 for s in numbers(size.text)] if size is not None else None,
                     None if size is not None else
                     float(body.find("collision/geometry/sphere/radius").text))

    def on_pre_update(self, callback): self.before = callback
    def on_post_update(self, callback): self.after = callback
    def finalize(self): pass
    def server(self): return self

    def run(self, blocking, iterations, paused):
        assert (blocking, iterations, paused) == (True, 1, False)
        self.before(None, self)
        self.pad.step(self.force)
        self.force = [0, 0, 0]
        self.after(None, self)
        for i, tactel in enumerate(self.pad.tactels):
            if tactel.name in self.pad.on_tactels:
                normal, shear = self.pad.on_tactels[tactel.name]
                sign = 1 if i % 2 else -1  # either body's
                deliver(f"{self.name}/{tactel.name}", Contacts([sign * shear, 0, -sign * normal]))


class Link:
    def __init__(self, entity): assert entity == "object link"
    def enable_velocity_checks(self, fixture, enable): assert enable
    def set_linear_velocity(self, fixture, to): fixture.pad.v = list(to.xyz)
    def add_world_force(self, fixture, force): fixture.force = force.xyz
    def world_pose(self, fixture): return Vector3d(*fixture.pad.at)
    def world_linear_velocity(self, fixture): return Vector3d(*fixture.pad.v)


class World:
    def __init__(self, entity): assert entity == "world"
    def model_by_name(self, fixture, name): return name


class Model:
    def __init__(self, entity): self.entity = entity
    def link_by_name(self, fixture, name): return f"{name} link"


module("gz.sim8", TestFixture=TestFixture, World=World, Model=Model, Link=Link,
       world_entity=lambda fixture: "world")
module("gz.math7", Vector3d=Vector3d)
module("gz.transport13", Node=Node)
module("gz.msgs10")
module("gz.msgs10.contacts_pb2", Contacts=Contacts)
module("gz.msgs10.empty_pb2", Empty=Empty)
