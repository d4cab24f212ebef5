#!/usr/bin/env python3
"""Measures what a sensor of a batch costs among 10, 100 and 1000, and two jobs against one.

usage: batch_scaling.py PROGRAM FOLDER [LARGEST] [JOBS_SENSORS]

Twenty drawn pads are recorded (three presses on each of two tactels); each is imported again and
again under serial numbers of its own until there are LARGEST (1000) sensors. Batches of 10, 100 and
LARGEST of them are planned and run with two jobs, those of 10 ten times before and ten times after;
then JOBS_SENSORS (40) with one job and with two, in turn, three times. Prints the time of this
computer and, since other programs may run beside it, the processor time (user and system, of all
workers). Exits with 1 when the processor time per sensor grows by more than 5 %; whether two jobs
are 1.8 times as fast as one only an idle computer of two cores shows.
"""

import json
import os
import pathlib
import resource
import shutil
import sys
import time

from batch_speed import PROTOCOL, Measured, many_sensors

PADS = 20
SMALL = 10
ROUNDS = 10
GROWTH = 0.05
JOBS_ROUNDS = 3


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(m, *words):
    before, begun = children_s(), time.monotonic()
    m.must(*words)
    return time.monotonic() - begun, children_s() - before


def record(m, largest):
    (m.folder / "tiny.json").write_text(json.dumps(PROTOCOL))
    for pad in range(PADS):
        m.must("synth", "--protocol", "tiny.json", "-o", f"raw{pad}.tact", "--seed", str(pad + 1))
        m.must("unpack", f"raw{pad}.tact", f"raw{pad}")
    for i in range(largest):
        folder = m.folder / f"raw{i % PADS}"
        session = json.loads((folder / "session.json").read_text())
        session["sensor_serial"] = f"F{i:05}"
        (folder / "session.json").write_text(json.dumps(session))
        m.must("import", folder.name, "-o", f"rec/F{i:05}.tact")


def batch_of(m, count, jobs):
    """Plan and run of the first `count`: times of this computer and of its processors."""
    shutil.rmtree(m.folder / "fleet.results", ignore_errors=True)
    (m.folder / "list.csv").write_text("session\n" + "".join(
        f"rec/F{i:05}.tact\n" for i in range(count)))
    plan = timed(m, "batch", "plan", "list.csv", "-o", "fleet.json", "--force")
    run = timed(m, "batch", "run", "fleet.json", "--jobs", str(jobs), "-q")
    return plan, run


def told(count, runs):
    """Means, so that many small batches and one large one are alike; processor s per sensor."""
    wall, cpu = (sum(run[k] for _, run in runs) / len(runs) / count for k in (0, 1))
    plan = sum(plan[0] for plan, _ in runs) / len(runs)
    print(f"{count} sensors: {wall:.4f} s per sensor, processors {cpu:.4f} s; plan {plan:.2f} s; "
          f"mean of {len(runs)}", flush=True)
    return cpu


def scaling(m, largest):
    small = [batch_of(m, SMALL, 2) for _ in range(ROUNDS)]  # before and after the large one
    told(100, [batch_of(m, 100, 2)])
    large = told(largest, [batch_of(m, largest, 2)])
    again = timed(m, "batch", "run", "fleet.json", "-q")
    print(f"{largest} sensors, second run: {again[0]:.2f} s, processors {again[1]:.2f} s",
          flush=True)
    catalogue = m.folder / "catalogue.sqlite"
    shutil.copy(m.folder / "fleet.results" / "catalogue.sqlite", catalogue)
    small += [batch_of(m, SMALL, 2) for _ in range(ROUNDS)]
    growth = large / told(SMALL, small) - 1
    m.check(growth <= GROWTH, f"growth of the processor time per sensor, {SMALL} to {largest}: "
                              f"{100 * growth:+.1f} %")
    return catalogue


def jobs(m, sensors):
    best = {}
    for _ in range(JOBS_ROUNDS):
        for count in (1, 2):
            wall, cpu = batch_of(m, sensors, count)[1]
            best[count] = min(best.get(count, (1e9, 0)), (wall, cpu))
    for count, (wall, cpu) in best.items():
        print(f"{sensors} sensors, {count} jobs: {wall:.2f} s, processors {cpu:.2f} s")
    print(f"two jobs: {best[1][0] / best[2][0]:.2f} times as fast as one; load "
          f"{os.getloadavg()[0]:.1f}", flush=True)


def main():
    folder = pathlib.Path(sys.argv[2]).resolve()
    (folder / "rec").mkdir(parents=True)
    m = Measured(sys.argv[1], folder)
    largest = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    record(m, largest)
    many = many_sensors(m, scaling(m, largest))
    wall, cpu = timed(m, "catalogue", "query", str(many), "--parameter", "stiffness.k_punch", "-q")
    m.check(cpu <= 1, f"one parameter over 10,000 sensors: {wall:.2f} s, processors {cpu:.2f} s")
    jobs(m, int(sys.argv[4]) if len(sys.argv) > 4 else 40)
    return 1 if m.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
