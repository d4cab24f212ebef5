#!/usr/bin/python3
"""The joint point-spread fit against SciPy on the same rows, run alternately.

usage: psf_speed.py PSF_BENCH [ROUNDS]

84 gains, 84 thresholds and sigma over 84 x 200 presses, dead zone and saturation included, both on
one thread and from the same start. SciPy solves by least_squares (trf) in its two sparse
formulations: numeric differences with the sparsity pattern, and an analytic sparse Jacobian. Both
programs must reach the same cost. Prints times, costs and the ratio to the faster of the two.
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
from scipy.optimize import least_squares  # noqa: E402
from scipy.sparse import coo_matrix  # noqa: E402
from scipy.special import erf  # noqa: E402

ROWS, COLUMNS, PRESSES = 14, 6, 200
TACTELS = ROWS * COLUMNS
PITCH, SLOPE, THRESHOLD, CEILING, NOISE = 3.4, 4800.0, 0.1, 3800.0, 6.0


def slices(sigma, edges, place):
    """Shares of the cells between edges and their derivatives by sigma; one row per press."""
    z = (edges[None, :] - place[:, None]) / sigma
    below = 0.5 * erf(z / np.sqrt(2))
    slope = -z / sigma * np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi)
    return np.diff(below, axis=1), np.diff(slope, axis=1)


class Rows:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.x = rng.uniform(-0.5, 0.5, PRESSES) * COLUMNS * PITCH
        self.y = rng.uniform(-0.5, 0.5, PRESSES) * ROWS * PITCH
        self.force = rng.uniform(0.5, 3.0, PRESSES)[:, None]
        self.x_edges = (np.arange(COLUMNS + 1) - COLUMNS / 2) * PITCH
        self.y_edges = (np.arange(ROWS + 1) - ROWS / 2) * PITCH
        slope = SLOPE * np.exp(0.12 * rng.normal(size=TACTELS))
        line = slope * (self.shares(1.6)[0] * self.force - THRESHOLD)
        counts = np.maximum(0, line) + NOISE * rng.normal(size=line.shape)
        self.counts = np.minimum(counts, CEILING)
        self.full = counts >= CEILING
        tactel = np.tile(np.arange(TACTELS), PRESSES)
        rows = np.arange(tactel.size)
        self.index = (np.concatenate([rows, rows, rows]),
                      np.concatenate([tactel, TACTELS + tactel, np.full(rows.size, 2 * TACTELS)]))
        self.shape = (rows.size, 2 * TACTELS + 1)
        self.pattern = coo_matrix((np.ones(3 * rows.size), self.index), shape=self.shape).tocsr()
        # gains in units of the nominal one, intercepts likewise, log sigma: no scaling needed
        self.start = np.r_[np.ones(TACTELS), np.ones(TACTELS), np.log(1.3)]

    def shares(self, sigma):
        columns, by_columns = slices(sigma, self.x_edges, self.x)
        lines, by_lines = slices(sigma, self.y_edges, self.y)
        share = lines[:, :, None] * columns[:, None, :]
        by_sigma = by_lines[:, :, None] * columns[:, None, :] + lines[:, :, None] * by_columns[:, None, :]
        return share.reshape(PRESSES, TACTELS), by_sigma.reshape(PRESSES, TACTELS)

    def residuals(self, p):
        share, _ = self.shares(np.exp(p[-1]))
        line = SLOPE * (p[:TACTELS] * share * self.force - THRESHOLD * p[TACTELS:-1])
        return self.whitened(line).ravel()

    def whitened(self, line):
        low = self.counts - np.maximum(0, line)
        return np.where(self.full, np.maximum(0, CEILING - line), low) / NOISE

    def jacobian(self, p):
        sigma = np.exp(p[-1])
        share, by_sigma = self.shares(sigma)
        line = SLOPE * (p[:TACTELS] * share * self.force - THRESHOLD * p[TACTELS:-1])
        on = np.where(self.full, line < CEILING, line > 0) * (-SLOPE / NOISE)
        values = np.concatenate([(on * share * self.force).ravel(), (-on * THRESHOLD).ravel(),
                                 (on * p[:TACTELS] * self.force * by_sigma * sigma).ravel()])
        return coo_matrix((values, self.index), shape=self.shape).tocsr()

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write("press,tactel,x_m,y_m,F_N,counts\n")
            for k in range(PRESSES):
                for t in range(TACTELS):
                    file.write(f"{k},{t},{self.x[k] * 1e-3:.17g},{self.y[k] * 1e-3:.17g},"
                               f"{self.force[k, 0]:.17g},{self.counts[k, t]:.17g}\n")


def ours(program, path):
    out = subprocess.run([program, "--benchmark_format=json", "--benchmark_filter=psf_joint_fit"],
                         env={**os.environ, "TACTELIER_PSF_ROWS": path}, check=True,
                         capture_output=True).stdout
    run = json.loads(out)["benchmarks"][0]
    return run["cpu_time"], run["cost"], run["sigma_mm"]


def scipy_fit(rows, analytic):
    options = {"jac": rows.jacobian} if analytic else {"jac_sparsity": rows.pattern}
    begin = time.process_time()
    fit = least_squares(rows.residuals, rows.start, method="trf", **options)
    return 1e3 * (time.process_time() - begin), fit.cost, np.exp(fit.x[-1])


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rows = Rows(11)
    runs = {"tactelier": [], "scipy, numeric, sparsity": [], "scipy, analytic, sparse": []}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        rows.write(path)
        for _ in range(rounds):
            runs["tactelier"].append(ours(program, path))
            runs["scipy, numeric, sparsity"].append(scipy_fit(rows, False))
            runs["scipy, analytic, sparse"].append(scipy_fit(rows, True))
    best = {}
    for name, results in runs.items():
        times = sorted(result[0] for result in results)
        best[name] = times[len(times) // 2]
        print(f"{name:26} {best[name]:9.3f} ms   cost {results[0][1]:.6f}   "
              f"sigma {results[0][2]:.6f} mm")
    costs = [results[0][1] for results in runs.values()]
    if costs[0] > min(costs) * (1 + 1e-6) or max(costs) > min(costs) * (1 + 1e-5):
        sys.exit("the programs did not reach the same cost")
    rival = min(best[name] for name in best if name.startswith("scipy"))
    print(f"ratio {rival / best['tactelier']:.1f}")


if __name__ == "__main__":
    main()
