#!/usr/bin/python3
"""The fits of friction and damping against SciPy on the same rows, run alternately.

usage: dynamics_speed.py LUGRE_BENCH HUNT_CROSSLEY_BENCH [ROUNDS]

LuGre: six parameters, 20 s at 1 kHz, from the same start. SciPy solves by least_squares with the
exact step as one bidiagonal system per pass (LAPACK through solve_banded), once with numeric
differences and once with analytic sensitivities. Hunt-Crossley: two parameters, 10 s at 1 kHz.
Both programs on one thread, and they must reach the same cost. Prints times and the ratio to the
fastest SciPy.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402
from scipy.linalg import solve_banded  # noqa: E402
from scipy.optimize import least_squares  # noqa: E402

STEP, LOAD, NOISE = 1e-3, 2.0, 4e-3


class Friction:
    truth = np.array([np.log(4000), np.log(6), 0.8, 0.62, 0.45, np.log(0.004)])
    start = np.array([np.log(2500), np.log(3), 0.5, 0.6, 0.4, np.log(0.006)])

    def __init__(self, seed):
        t = STEP * (np.arange(20000) + 0.5)
        steps = np.array([8e-4, 5e-3, 2e-2, -2e-3, -1e-2, 3e-3, -8e-4, 1.5e-2])
        w = 2 * np.pi * 8
        later = steps[((t - 4) / 2).astype(int) % 8]
        self.v = np.where(t < 4, 20e-6 * w * np.cos(w * t), later)
        self.force = np.zeros(t.size)
        self.force = self.model(self.truth)[0]
        self.force += NOISE * np.random.default_rng(seed).normal(size=t.size)

    def model(self, p, slopes=False):
        s0, s1, ct, mus, mud, vs = np.exp(p[0]), np.exp(p[1]), p[2], p[3], p[4], np.exp(p[5])
        v = self.v
        drop = np.exp(-(v / vs) ** 2)
        g = LOAD * (mud + (mus - mud) * drop)
        a = s0 * np.abs(v) / g
        x = a * STEP
        keep = np.exp(-x)
        tiny = x < 1e-4
        safe = np.where(tiny, 1, x)
        phi = np.where(tiny, 1 - x / 2 + x * x / 6, -np.expm1(-x) / safe)
        band = np.ones((2, v.size))
        band[1, :-1] = -keep[1:]  # z+ - keep z = gain
        z = solve_banded((1, 0), band, v * STEP * phi)
        rate = v - a * z
        force = s0 * z + s1 * rate + ct * v
        if not slopes:
            return force, None
        before = np.r_[0, z[:-1]]
        turn = np.where(tiny, -0.5 + x / 3, (keep * (1 + x) - 1) / (safe * safe))
        by_rate = (-before * keep + v * STEP * turn) * STEP
        level = -a / g * LOAD
        da = np.stack([a, level * drop, level * (1 - drop),
                       level * (mus - mud) * drop * 2 * (v / vs) ** 2], axis=1)
        dz = solve_banded((1, 0), band, by_rate[:, None] * da)
        d = (s0 - s1 * a)[:, None] * dz - s1 * z[:, None] * da
        d[:, 0] += s0 * z
        return force, np.column_stack([d[:, 0], s1 * rate, v, d[:, 1], d[:, 2], d[:, 3]])

    def residuals(self, p):
        return (self.model(p)[0] - self.force) / NOISE

    def jacobian(self, p):
        return self.model(p, True)[1] / NOISE

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write("v_m_per_s,F_N\n")
            file.writelines(f"{v:.17g},{f:.17g}\n" for v, f in zip(self.v, self.force))


class Rate:
    start = np.array([1.0, 1.0])  # kN/m, s/m

    def __init__(self, seed):
        t = 1e-3 * np.arange(10000)
        w = 2 * np.pi
        self.depth = 0.5e-3 + 0.45e-3 * np.sin(w * t * (0.5 + 0.2 * t))
        self.v = 0.45e-3 * w * (0.5 + 0.4 * t) * np.cos(w * t * (0.5 + 0.2 * t))
        noise = NOISE * np.random.default_rng(seed).normal(size=t.size)
        self.force = 2000 * self.depth * (1 + 8 * self.v) + noise

    def residuals(self, p):
        return (1e3 * p[0] * self.depth * (1 + p[1] * self.v) - self.force) / NOISE

    def jacobian(self, p):
        return np.column_stack([1e3 * self.depth * (1 + p[1] * self.v),
                                1e3 * p[0] * self.depth * self.v]) / NOISE

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write("depth_m,v_m_per_s,F_N\n")
            file.writelines(f"{d:.17g},{v:.17g},{f:.17g}\n"
                            for d, v, f in zip(self.depth, self.v, self.force))


def ours(program, variable, path):
    out = subprocess.run([program, "--benchmark_format=json"], env={**os.environ, variable: path},
                         check=True, capture_output=True).stdout
    run = json.loads(out)["benchmarks"][0]
    return run["cpu_time"], run["cost"]


def scipy_fit(rows, analytic, method):
    jac = rows.jacobian if analytic else "2-point"
    begin = time.process_time()
    fit = least_squares(rows.residuals, rows.start, jac=jac, method=method)
    return 1e3 * (time.process_time() - begin), fit.cost


def compare(title, rows, program, variable, rounds):
    runs = {"tactelier": []}
    rivals = {f"scipy {m}, {'analytic' if a else 'numeric'}": (a, m)
              for a in (False, True) for m in ("trf", "lm")}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        rows.write(path)
        for _ in range(rounds):
            runs["tactelier"].append(ours(program, variable, path))
            for name, (analytic, method) in rivals.items():
                runs.setdefault(name, []).append(scipy_fit(rows, analytic, method))
    print(title)
    best = {}
    for name, results in runs.items():
        times = sorted(result[0] for result in results)
        best[name] = times[len(times) // 2]
        print(f"  {name:22} {best[name]:9.3f} ms   cost {results[0][1]:.6f}")
    costs = [results[0][1] for results in runs.values()]
    if costs[0] > min(costs) * (1 + 1e-6):
        sys.exit("SciPy reached a lower cost")
    same = [n for n in rivals if runs[n][0][1] < costs[0] * (1 + 1e-5)]
    print(f"  ratio {min(best[n] for n in same) / best['tactelier']:.1f}")


def main():
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    compare("LuGre", Friction(5), sys.argv[1], "TACTELIER_LUGRE_ROWS", rounds)
    compare("Hunt-Crossley", Rate(7), sys.argv[2], "TACTELIER_RATE_ROWS", rounds)


if __name__ == "__main__":
    main()
