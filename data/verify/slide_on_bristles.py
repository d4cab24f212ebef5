"""Slides a plate over an exported pad on bristles, in the MuJoCo of npm and with the exported loop.

    slide_on_bristles.py FOLDER

Reads request.json there and writes answer.json; the exported files lie beside. Exit status 3 without
NumPy. A visit is a load: the plate is driven to its depth and slides, one slide after the other,
along +x; of each the lateral force on the plate and the load on each tactel are told at the
distances asked for.
"""

import importlib
import json
import os
import sys
import xml.etree.ElementTree as ET

try:
    import numpy as np
except ImportError:
    sys.exit(3)

from mujoco_node import Engine  # noqa: E402

PLATE_HALF_M = 0.005
APPROACH_M_PER_S = 0.02
SETTLED_S = 0.1


def scene(request):
    """The pad without gravity, and a plate that moves as it is told."""
    root = ET.parse(request["file"]).getroot()
    option = root.find("option")
    option.set("gravity", "0 0 0")
    edge = request["half_edge_m"]
    ram = ET.fromstring(f"""<body name="ram" pos="0 0 {request['surface_m'] + PLATE_HALF_M}">
<joint name="ram_x" type="slide" axis="1 0 0" armature="1e7"/>
<joint name="ram_z" type="slide" axis="0 0 1" armature="1e7"/>
<geom type="box" size="{edge} {edge} {PLATE_HALF_M}" mass="0.001" contype="2" conaffinity="1"/>
</body>""")
    root.find("worldbody").append(ram)
    return ET.tostring(root, encoding="unicode"), float(option.get("timestep"))


class Plate:
    def __init__(self, npm, xml, time_step_s, loop):
        self.engine, self.dt = Engine(npm, xml), time_step_s
        model = self.engine.model
        self.bristles = loop.Bristles(model)
        self.ram = [model.joint("ram_" + axis).dofadr[0] for axis in "xz"]

    def move(self, steps, along_m_per_s, inward_m_per_s=0.0):
        """Lateral force after each step; forces are those of where a step begins."""
        forces = []
        for _ in range(steps):
            self.engine.data.qvel[self.ram] = (along_m_per_s, -inward_m_per_s)
            self.engine.step()
            self.bristles(self.engine.model, self.engine.data)
            forces.append(float(-self.engine.data.qfrc_constraint[self.ram[0]]))
        return forces

    def press(self, depth_m):
        steps = int(np.ceil(depth_m / APPROACH_M_PER_S / self.dt))
        self.move(steps, 0.0, depth_m / steps / self.dt)
        self.move(int(SETTLED_S / self.dt), 0.0)

    def slide(self, slide):
        found, way = [], 0
        for distance_m in slide["distances_m"]:
            # After so many steps it has moved on, while the forces are those of one step before.
            steps = round(distance_m / slide["speed_m_per_s"] / self.dt) + 1 - way
            forces = self.move(steps, slide["speed_m_per_s"])
            way += steps
            found.append({"distance_m": (way - 1) * slide["speed_m_per_s"] * self.dt,
                          "lateral_N": forces[-1],
                          "load_N": self.engine.data.sensordata[self.bristles.loads].tolist()})
        return found


def main(folder):
    os.chdir(folder)
    sys.path.insert(0, ".")
    with open("request.json", encoding="utf-8") as file:
        request = json.load(file)
    loop = importlib.import_module(request["module"])
    xml, time_step_s = scene(request)
    visits = []
    for visit in request["visits"]:
        plate = Plate(request["npm"], xml, time_step_s, loop)
        plate.press(visit["depth_m"])
        visits.append([plate.slide(slide) for slide in visit["slides"]])
        plate.engine.close()
    with open("answer.json", "w", encoding="utf-8") as file:
        json.dump({"visits": visits}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
