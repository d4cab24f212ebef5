"""An exported pad on bristles, slid on in MuJoCo with its exported loop; see mujoco_run_test.cpp.

    mujoco_bristles.py NPM PAD_lugre.xml LOOP_MODULE

Six tactels of 58.5 N/m with mu_s 0.435, mu_d 0.23, v_s 0.01 m/s, sigma0 1000 N/m, sigma1 0.1 N s/m and
c_t 0.05 N s/m. What must come out is worked in closed form: at constant speed v from rest, under a
load N, bristles bend as z = g / sigma0 (1 - exp(-sigma0 v t / g)), g = N (mu_d + (mu_s - mu_d)
exp(-(v / v_s)^2)), and F = sigma0 z + sigma1 (v - sigma0 v z / g) + c_t v.
"""

import importlib
import math
import sys

import numpy as np

sys.path.insert(0, __file__.rsplit("/tests/", 1)[0] + "/data/verify")
from mujoco_node import Engine  # noqa: E402

MU_S, MU_D, V_S, SIGMA_0, SIGMA_1, C_T = 0.435, 0.23, 0.01, 1000.0, 0.1, 0.05
K, TACTELS = 58.5, 6
RAM = """<body name="ram" pos="0 0 0.005">
<joint name="ram_x" type="slide" axis="1 0 0" armature="1e4"/>
<joint name="ram_y" type="slide" axis="0 1 0" armature="1e4"/>
<joint name="ram_z" type="slide" axis="0 0 1" armature="1e4"/>
<geom type="box" size="0.1 0.1 0.005" mass="0.001" contype="2" conaffinity="1"/></body></worldbody>"""


class Slide:
    """A plate over all tactels at a depth, then at rest."""

    def __init__(self, npm, text, loop, depth_m):
        xml = text.replace("</worldbody>", RAM).replace("<option ", '<option gravity="0 0 0" ')
        self.engine = Engine(npm, xml)
        self.bristles = loop.Bristles(self.engine.model)
        model = self.engine.model
        self.ram = [model.joint("ram_" + axis).dofadr[0] for axis in "xyz"]
        self.dt = float(text.split('timestep="')[1].split('"')[0])
        self.move(depth_m / 0.02, (0, 0, -0.02))
        self.move(0.1, (0, 0, 0))

    def step(self, velocity):
        """Force on the plate along x and y; of where the step began, as MuJoCo's forces are."""
        data = self.engine.data
        data.qvel[self.ram] = velocity
        self.engine.step()
        data = self.engine.data
        self.bristles(self.engine.model, data)
        return -data.qfrc_constraint[self.ram[:2]]

    def move(self, time_s, velocity):
        forces = [self.step(velocity) for _ in range(round(time_s / self.dt))]
        return np.array(forces)

    @property
    def load_N(self):
        return self.engine.data.sensordata[:TACTELS]

    def close(self):
        self.engine.close()


def level(load_N, speed):
    return load_N * (MU_D + (MU_S - MU_D) * math.exp(-((speed / V_S) ** 2)))


def from_rest(load_N, speed, time_s):
    g = level(load_N, speed)
    z = g / SIGMA_0 * (1 - math.exp(-SIGMA_0 * speed * time_s / g))
    return SIGMA_0 * z + SIGMA_1 * (speed - SIGMA_0 * speed * z / g) + C_T * speed


def close_to(seen, wanted, share, what):
    print(f"{what}: {seen:.6g}, worked {wanted:.6g}, off by {100 * (seen / wanted - 1):.3f} %")
    if not abs(seen / wanted - 1) <= share:
        raise SystemExit(f"{what}: {seen}, not {wanted} within {share}")


def steady(slide, depth_m):
    load_N = K * depth_m
    for speed in (2e-3, 8e-3, 2e-2, 8e-2):
        far = 10 * MU_S * load_N / SIGMA_0  # ten times as far as bristles bend
        forces = slide.move(far / speed + 0.02, (speed, 0, 0))
        close_to(forces[-1, 0], TACTELS * from_rest(load_N, speed, 1e9), 0.01,
                 f"steady at {speed} m/s under {load_N:.4g} N")
        close_to(slide.load_N.min(), load_N, 0.01, "least load of all tactels")
        close_to(slide.load_N.max(), load_N, 0.01, "greatest load of all tactels")


def presliding(slide, depth_m):
    load_N, speed = K * depth_m, 2e-4
    forces = slide.move(0.4, (speed, 0, 0))
    for step in (100, 300, 700):
        close_to(forces[step, 0], TACTELS * from_rest(load_N, speed, step * slide.dt), 0.01,
                 f"presliding after {1e6 * speed * step * slide.dt:.3g} um")


def any_direction(slide, depth_m):
    load_N, speed = K * depth_m, 5e-3
    for angle in (0.3, math.pi / 4, 2.5):
        along = np.array([math.cos(angle), math.sin(angle)])
        far = 10 * MU_S * load_N / SIGMA_0
        force = slide.move(far / speed + 0.02, (*(speed * along), 0))[-1]
        close_to(force @ along, TACTELS * from_rest(load_N, speed, 1e9), 0.01,
                 f"along {angle:.2f} rad")
        across = force @ np.array([-along[1], along[0]])
        if abs(across) > 0.01 * force @ along:
            raise SystemExit(f"across {angle}: {across} N")


def lets_go(slide):
    slide.move(0.05, (0, 0, 0.1))  # up by 5 mm, out of contact
    data = slide.engine.data
    if abs(data.act).max() > 1e-9 or abs(data.qvel[slide.bristles.speeds]).max() > 1e-3:
        raise SystemExit("bristles stay bent or tips move without load")
    if abs(data.qpos[slide.bristles.places]).max() > 0:
        raise SystemExit("tips are not on their places")
    if not np.isfinite(data.qpos).all() or data.time < 0.1:
        raise SystemExit("the simulation has gone astray")


npm, file, module = sys.argv[1:]
sys.path.insert(0, ".")
loop = importlib.import_module(module)
text = open(file, encoding="utf-8").read()
for depth_m in (5e-4, 3e-3):
    for press in (presliding, steady, any_direction):
        slide = Slide(npm, text, loop, depth_m)
        press(slide, depth_m)
        lets_go(slide)
        slide.close()
