#!/usr/bin/python3
"""How fast `simulate --batch` makes a set of images, and how that grows.

usage: image_set_speed.py TACTELIER [METHOD...]

The set of the HydroelasticTouch paper: 5 shapes x 50 angles x 3 forces x 5 offsets x 4 quadrants on
16 x 16 tactels of 5 mm, each of the 15 000 computed by itself, the load balance included; then the
paper's larger set, 105 000. Then per method how images/s change with tactels, samples (spacing of
the field), triangles of a mesh and threads. Prints seconds of the clock and of the processor, images/s and bytes written.
"""

import csv
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

SHAPES = [
    {"shape": "cylinder", "diameter_mm": 20},
    {"shape": "sphere", "diameter_mm": 50},
    {"shape": "hexagon", "across_flats_mm": 25},
    {"shape": "box", "x_mm": 40, "y_mm": 15},
    {"shape": "lying_cylinder", "diameter_mm": 45, "length_mm": 60},
]
QUADRANTS = [(1, 1), (-1, 1), (-1, -1), (1, -1)]


def parameter(value, unit):
    return {"value": value, "unit": unit, "status": "assumed", "from": "benchmark"}


def model(side, spacing_mm=None):
    field = {"modulus": parameter(3e4, "Pa"), "thickness": parameter(9e-3, "m"),
             "receptive_radius": parameter(3.5e-3, "m")}
    if spacing_mm:
        field["spacing"] = parameter(spacing_mm / 1e3, "m")
    return {
        "format": "tactelier/sensor-model", "version": 2, "tool": "benchmark",
        "sensor": {"name": "square", "vendor": "Test", "model": f"{side} x {side}",
                   "arrays": [{"rows": side, "columns": side, "pitch_x_m": 5e-3, "pitch_y_m": 5e-3}],
                   "channels": 1, "adc": {"bits": 12, "min": 0, "max": 4095}},
        "psf": {"form": "integrated", "edge": "zero", "sigma_x": parameter(2e-3, "m"),
                "sigma_y": parameter(2e-3, "m")},
        "stiffness": {"foundation_modulus": parameter(3.3e6, "Pa/m"),
                      "k": parameter(3.3e6 * 25e-6, "N/m")},
        "hydroelastic": field,
    }


def ball(faces, path):
    """A sphere of 25 mm as a closed OBJ mesh of about that many triangles."""
    around = max(8, round(math.sqrt(faces)))
    down = around // 2
    points = [(0, 0, -25)]
    for i in range(1, down):
        for j in range(around):
            polar, turn = math.pi * i / down, 2 * math.pi * j / around
            points.append((25 * math.sin(polar) * math.cos(turn), 25 * math.sin(polar) * math.sin(turn),
                           -25 * math.cos(polar)))
    points.append((0, 0, 25))
    ring = lambda i, j: 2 + (i - 1) * around + j % around
    triangles = []
    for j in range(around):
        triangles.append((1, ring(1, j + 1), ring(1, j)))
        triangles.append((len(points), ring(down - 1, j), ring(down - 1, j + 1)))
        for i in range(1, down - 1):
            triangles.append((ring(i, j), ring(i, j + 1), ring(i + 1, j + 1)))
            triangles.append((ring(i, j), ring(i + 1, j + 1), ring(i + 1, j)))
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(f"v {x} {y} {z}\n" for x, y, z in points)
        out.writelines("f %d %d %d\n" % triangle for triangle in triangles)
    return len(triangles)


def poses(path, shapes, angles=50, forces=(3, 6, 9), offsets=5):
    rows = [["x_mm", "y_mm", "rz_deg", "force_N", "indenter"]]
    for shape in shapes:
        for a in range(angles):
            for force in forces:
                for offset in range(offsets):
                    for sx, sy in QUADRANTS:
                        rows.append([sx * (1 + 1.1 * offset), sy * (0.6 + 0.7 * offset),
                                     round(180 * a / angles, 4), force, json.dumps(shape)])
    with open(path, "w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(rows)
    return len(rows) - 1


def run(program, method, folder, described, table, threads=None):
    path, out = folder / "model.json", folder / "images.npz"
    path.write_text(json.dumps(described), encoding="utf-8")
    # Meshes are looked for in the folder that the program runs in.
    command = [program, "simulate", "--model", path, "--method", method, "--batch", table, "-o", out,
               "--overwrite"]
    if threads:
        command = ["taskset", "-c", ",".join(map(str, range(threads))), *command]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    clock = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return clock, used, out.stat().st_size


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    methods = sys.argv[2:] or ["psf", "soft-contact", "hydroelastic"]
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        table = folder / "poses.csv"
        print("what\tmethod\timages\tclock s\tprocessor s\timages/s of processor\tMB")

        def row(what, method, count, described, threads=None):
            clock, used, size = run(program, method, folder, described, table, threads)
            print(f"{what}\t{method}\t{count}\t{clock:.2f}\t{used:.2f}\t{count / used:.0f}\t{size / 1e6:.1f}",
                  flush=True)

        count = poses(table, SHAPES)
        for method in methods:
            row("the set", method, count, model(16))
        count = poses(table, SHAPES, angles=350)
        for method in methods:
            row("its 105 000", method, count, model(16))
        count = poses(table, SHAPES)
        for threads in range(1, (os.cpu_count() or 1) + 1):
            row(f"{threads} threads", methods[0], count, model(16), threads)
        count = poses(table, SHAPES, angles=10, offsets=2)
        for side in (8, 16, 32, 64):
            for method in methods:
                row(f"{side} x {side} tactels", method, count, model(side))
        if "hydroelastic" in methods:
            for spacing in (2, 1, 0.5, 0.25):
                row(f"samples {spacing} mm apart", "hydroelastic", count, model(16, spacing))
        for faces in (100, 1000, 10000, 100000):
            triangles = ball(faces, folder / "ball.obj")
            count = poses(table, [{"shape": "mesh", "file": "ball.obj", "scale_mm": 1}], 10, (3, 9), 2)
            for method in methods:
                row(f"{triangles} triangles", method, count, model(16))


if __name__ == "__main__":
    main()
