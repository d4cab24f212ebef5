#!/usr/bin/python3
"""Presses an exported world in DART, the engine of gz-sim, set up as gz-sim sets it up.

usage: sdf_dart.py WORLD.sdf STIFFNESS DAMPING    (of one tactel, as the model has them; SI)

Exit status 0 where depth, forces, damping and decay are what these two say; 77 without dartpy
(python3-dartpy).
"""

import math
import sys
import xml.etree.ElementTree as ET

try:
    import dartpy
except ImportError:
    sys.exit(77)


def numbers(node):
    return [float(word) for word in node.text.split()]


class Press:
    """The pad of the file and a plate on it, free of gravity."""

    def __init__(self, file):
        world = ET.parse(file).getroot().find("world")
        self.step_s = float(world.find("physics/max_step_size").text)
        self.world = dartpy.simulation.World()
        self.world.setTimeStep(self.step_s)
        self.world.setGravity([0, 0, 0])
        detector = dartpy.collision.OdeCollisionDetector()  # gz-sim's choice
        self.world.getConstraintSolver().setCollisionDetector(detector)
        pad = [m for m in world.findall("model") if m.get("name") != "weight"][0]
        self.links = {link.get("name"): link for link in pad.findall("link")}
        self.skeleton = dartpy.dynamics.Skeleton("pad")
        self.tips = [self.tip(j) for j in pad.findall("joint") if j.get("type") == "prismatic"]
        self.world.addSkeleton(self.skeleton)
        self.add_plate()

    def slide(self, skeleton, name, at_m):
        joint, body = skeleton.createPrismaticJointAndBodyNodePair()
        joint.setName(name)
        body.setName(name)
        joint.setAxis([0, 0, 1])
        pose = dartpy.math.Isometry3()
        pose.set_translation(at_m)
        joint.setTransformFromParentBodyNode(pose)
        return joint, body

    def tip(self, spring):
        link = self.links[spring.find("child").text]
        joint, body = self.slide(self.skeleton, link.get("name"), numbers(link.find("pose"))[:3])
        joint.setSpringStiffness(0, float(spring.find("axis/dynamics/spring_stiffness").text))
        joint.setDampingCoefficient(0, float(spring.find("axis/dynamics/damping").text))
        body.setMass(float(link.find("inertial/mass").text))
        radius_m = float(link.find("collision/geometry/sphere/radius").text)
        shape = body.createShapeNode(dartpy.dynamics.SphereShape(radius_m))
        shape.setRelativeTranslation(numbers(link.find("collision/pose"))[:3])
        shape.createCollisionAspect()
        mu = float(link.find("collision/surface/friction/ode/mu").text)
        shape.createDynamicsAspect().setFrictionCoeff(mu)
        return joint

    def add_plate(self):
        skeleton = dartpy.dynamics.Skeleton("plate")
        self.plate, self.body = self.slide(skeleton, "plate", [0, 0, 0.025])
        shape = self.body.createShapeNode(dartpy.dynamics.BoxShape([0.1, 0.1, 0.05]))
        shape.createCollisionAspect()
        shape.createDynamicsAspect()
        self.world.addSkeleton(skeleton)

    def depth_m(self):
        return -self.plate.getPosition(0)

    def stand(self, depth_m):
        for joint in [self.plate, *self.tips]:
            joint.setPosition(0, -depth_m)
            joint.setVelocity(0, 0)

    def step(self, load_N):
        self.plate.setForce(0, -load_N)
        self.world.step()

    def tips_kg(self):
        return sum(self.skeleton.getBodyNode(j.getName()).getMass() for j in self.tips)


def at_rest(file, k, c):
    """Depth and each spring's own depth under a load that comes slowly."""
    press = Press(file)
    n = len(press.tips)
    load_N = n * k * 1e-3
    press.body.setMass(load_N / 9.81)
    press.stand(0)
    time_s = 0
    while time_s < 4:
        press.step(load_N * min(1, time_s / 2))
        time_s += press.step_s
    return [press.depth_m() / 1e-3] + [-tip.getPosition(0) / 1e-3 for tip in press.tips]


def moving(file, k, c):
    """Impulse that the pad takes from a heavy plate in a step, against k depth + c speed."""
    press = Press(file)
    n = len(press.tips)
    mass_kg = n * k * 0.01  # hardly slowed down in a step
    press.body.setMass(mass_kg)
    shares = []
    for speed in (0.01, 0.1):
        press.stand(0)
        while press.depth_m() < 2e-3:
            begin_m = press.depth_m()
            press.plate.setVelocity(0, -speed)
            press.step(0)
            # The tips are at the plate's speed; a step's change of it is the force on the plate.
            seen_N = mass_kg * (press.plate.getVelocity(0) + speed) / press.step_s
        shares.append(seen_N / (n * (k * begin_m + c * speed)))
    return shares


def decay(file, k, c):
    """Of a swing of the plate about where a load holds it, 1/s."""
    press = Press(file)
    n, rest_m = len(press.tips), 3.4e-3
    mass_kg = max(0.3 * k / 58.5, 4 * press.tips_kg())
    press.body.setMass(mass_kg)
    press.stand(rest_m + 1e-3)
    peaks, before, time_s = [], 0, 0
    while time_s < 1:
        press.step(n * k * rest_m)
        time_s += press.step_s
        speed = -press.plate.getVelocity(0)
        height_m = press.depth_m() - rest_m
        if before > 0 >= speed and height_m > 5e-5:
            peaks.append((time_s, height_m))
        before = speed
    (t0, first), (t1, last) = peaks[0], peaks[-1]
    return math.log(first / last) / (t1 - t0) / (n * c / (2 * (mass_kg + press.tips_kg())))


def main():
    file, k, c = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    wrong = 0
    for what, ratios, tolerance in (("at rest", at_rest(file, k, c), 0.001),
                                    ("moving", moving(file, k, c), 0.01),
                                    ("decay", [decay(file, k, c)], 0.03)):
        worst = max(ratios, key=lambda ratio: abs(ratio - 1))
        print(f"{what}: worst {worst:.6f} of what is expected")
        wrong += abs(worst - 1) > tolerance
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
