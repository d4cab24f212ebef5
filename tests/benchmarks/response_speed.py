#!/usr/bin/python3
"""The response fit against SciPy on the same readings, run alternately.

usage: response_speed.py RESPONSE_BENCH [ROUNDS]

Trigger and gain of 84 tactels, 20 000 readings each, dead zone and ceiling included, both on one
thread. SciPy gets its start for nothing and solves by leastsq (what curve_fit calls) and
least_squares, with numeric and with analytic derivatives; it gives parameters and their plain
covariance, as does the first of ours, which finds its own start. The second adds what honest standard
errors need: serial correlation, run test, each press's own step. All must reach the same cost. Prints times, costs and the ratio to the fastest SciPy.
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
from scipy.optimize import least_squares, leastsq  # noqa: E402

TACTELS, READINGS = 84, 20000
OFFSET, NOISE, CEILING = 60.0, 8.0, 3840.0


class Tactel:
    """Parameters: threshold in N, slope in 1000 counts/N."""

    def __init__(self, rng):
        slope = 2400 * np.exp(0.12 * rng.normal())
        threshold = 0.2 * np.exp(0.2 * rng.normal())
        self.force = np.linspace(0, 2.2, READINGS)
        line = OFFSET + slope * np.maximum(0, self.force - threshold)
        self.counts = np.minimum(CEILING, line + NOISE * rng.normal(size=READINGS))
        self.rise = self.counts - OFFSET
        self.full = self.counts >= CEILING
        self.start = np.array([0.15, 2.0])

    def residuals(self, p):
        line = 1e3 * p[1] * (self.force - p[0])
        free = self.rise - np.maximum(0, line)
        return np.where(self.full, np.maximum(0, CEILING - OFFSET - line), free) / NOISE

    def jacobian(self, p):
        above = self.force - p[0]
        line = 1e3 * p[1] * above
        on = np.where(self.full, line < CEILING - OFFSET, line > 0) * (1e3 / NOISE)
        return np.stack([on * p[1], -on * above], axis=1)


def by_leastsq(analytic):
    def fit(tactel):
        result = leastsq(tactel.residuals, tactel.start, full_output=True,
                         Dfun=tactel.jacobian if analytic else None)
        return 0.5 * np.sum(result[2]["fvec"] ** 2)
    return fit


def by_least_squares(method, analytic):
    def fit(tactel):
        jacobian = tactel.jacobian if analytic else "2-point"
        return least_squares(tactel.residuals, tactel.start, jac=jacobian, method=method).cost
    return fit


RIVALS = {
    "leastsq, numeric": by_leastsq(False),
    "leastsq, analytic": by_leastsq(True),
    "least_squares lm, analytic": by_least_squares("lm", True),
    "least_squares trf, analytic": by_least_squares("trf", True),
}


OURS = {"tactelier": "response_line", "tactelier, honest errors": "response_fit"}


def ours(program, name, path):
    out = subprocess.run([program, "--benchmark_format=json", f"--benchmark_filter={name}"],
                         env={**os.environ, "TACTELIER_RESPONSE_ROWS": path}, check=True,
                         capture_output=True).stdout
    run = json.loads(out)["benchmarks"][0]
    return run["cpu_time"], run["cost"]


def scipy_run(fit, tactels):
    begin = time.process_time()
    cost = sum(fit(tactel) for tactel in tactels)
    return 1e3 * (time.process_time() - begin), cost


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rng = np.random.default_rng(11)
    tactels = [Tactel(rng) for _ in range(TACTELS)]
    runs = {name: [] for name in [*OURS, *RIVALS]}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.bin")
        with open(path, "wb") as file:
            for tactel in tactels:
                tactel.force.tofile(file)
                tactel.counts.tofile(file)
        for _ in range(rounds):
            for name, benchmark in OURS.items():
                runs[name].append(ours(program, benchmark, path))
            for name, fit in RIVALS.items():
                runs[name].append(scipy_run(fit, tactels))
    best = {}
    for name, results in runs.items():
        times = sorted(result[0] for result in results)
        best[name] = times[len(times) // 2]
        print(f"{name:28} {best[name]:9.2f} ms   cost {results[0][1]:.6f}")
    costs = {name: results[0][1] for name, results in runs.items()}
    if costs["tactelier"] > min(costs.values()) * (1 + 1e-6):
        sys.exit("tactelier did not reach SciPy's cost")
    same = [name for name in RIVALS if costs[name] <= costs["tactelier"] * (1 + 1e-5)]
    rival = min(best[name] for name in same)
    ratios = [f"{rival / best[name]:.1f} ({name})" for name in OURS]
    print("times the speed of the fastest that reached the same cost:", ", ".join(ratios))


if __name__ == "__main__":
    main()
