#!/usr/bin/env python3
"""Do the intervals of recordings that people bring hold, and does nothing wrong come out tight?

usage: count_recordings.py TACTELIER [--each N] [--first-seed N] [--jobs N] [--kind WORD]
                           [--most-missed N] [--least-near PERCENT] [--show]

Draws N recordings of each kind (drawn_recordings.py), takes each through `import --guess`, `import`
and `fit` as a new user would, and counts by recording: interval holds the truth, misses it, or the
number was refused. Numbers of laws that are no line are held against SciPy's (plain_regressions.py)
where this Python has it. Prints a table. Exits with 1 when a step failed, a warning was missing, a
value lies so far off that its own stated t gives it with p < 1e-4, more than --most-missed
recordings missed, or fewer numbers than --least-near are those of a regression.
"""

import argparse
import collections
import concurrent.futures
import csv
import io
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from drawn_recordings import KINDS, recording  # noqa: E402
from stated_chance import chance  # noqa: E402

try:
    import plain_regressions
except ImportError:  # no SciPy
    plain_regressions = None

LEAST_CHANCE = 1e-4
HELD, MISSED, REFUSED, FAILED = "held", "missed", "refused", "failed"


def member(model, path):
    for key in path.split("."):
        if isinstance(model, list):
            if int(key) >= len(model):
                return None
            model = model[int(key)]
        else:
            model = model.get(key)
        if model is None:
            return None
    return model


class Case:
    """One recording on its way through the program."""

    def __init__(self, program, kind, seed):
        self.program, self.seed = str(pathlib.Path(program).resolve()), seed
        self.made = recording(kind, seed)
        self.failure, self.warnings = "", ""
        self.found = {}   # path -> (verdict, value, half width, why)
        self.chances = {}  # path -> probability of such an error, by what the value states
        self.regressions = {self.made.main: self.made.regression}  # path -> value
        if plain_regressions and self.made.fitted_by:
            name, *given = self.made.fitted_by
            fitted = getattr(plain_regressions, name)(*given)
            self.regressions = fitted if isinstance(fitted, dict) else {self.made.main: fitted}

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            (self.folder / "table.csv").write_text(self.made.table, encoding="utf-8")
            steps = [["import", "table.csv", "--guess", "--import", "-o", "t.tact"] +
                     self.made.answers,
                     ["fit", "t.tact", "-o", "m.json"]]
            for step in steps:
                done = self.tactelier(step)
                if step[0] == "import":
                    self.warnings = done.stdout + done.stderr
                wrote = self.folder / ("t.tact" if step[0] == "import" else "m.json")
                if not wrote.exists():
                    self.failure = f"{step[0]}: {done.stderr.strip()[-300:]}"
                    return self
            text = (self.folder / "m.json").read_text(encoding="utf-8")
            if self.made.never_warns and self.made.never_warns in text:
                self.failure = f"fit says {self.made.never_warns}"
            model = json.loads(text)
            for path, truth in self.made.truth.items():
                if path == "newtons":
                    self.found[path] = self.newtons()
                    continue
                parameter = member(model, path)
                self.found[path] = judge(parameter, truth)
                stated = chance(parameter, truth) if parameter else None
                if stated is not None:
                    self.chances[path] = stated
            for path, stated in self.chances.items():
                if stated < LEAST_CHANCE:
                    self.failure = f"{path} is as far off as its own t gives with p = {stated:.1g}"
            if self.made.warns and self.made.warns not in self.warnings:
                self.failure = f"import does not say {self.made.warns}"
        return self

    def tactelier(self, arguments):
        return subprocess.run([self.program] + arguments, cwd=self.folder, capture_output=True,
                              text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)

    def newtons(self):
        """Readings made newtons: all of them within what is said of them."""
        lines = "t[s],0\n" + "".join(f"{i},{c:.4f}\n"
                                     for i, (c, _) in enumerate(self.made.readings))
        (self.folder / "r.csv").write_text(lines, encoding="utf-8")
        done = self.tactelier(["apply", "m.json", "r.csv", "-o", "n.csv"])
        if done.returncode:
            return (REFUSED, math.nan, math.nan, done.stderr.strip()[-200:])
        text = (self.folder / "n.csv").read_text(encoding="utf-8")
        rows = list(csv.DictReader(io.StringIO(
            "\n".join(line for line in text.splitlines() if not line.startswith("#")))))
        middle = rows[len(rows) // 2]
        value, u95 = float(middle["0[N]"]), float(middle["0.u95[N]"])
        truth = self.made.truth["newtons"]
        return (HELD if abs(value - truth) <= u95 else MISSED, value, u95, "")


def judge(parameter, truth):
    if parameter is None:
        return (REFUSED, math.nan, math.nan, "absent")
    if parameter.get("value") is None or not parameter.get("ci95"):
        return (REFUSED, math.nan, math.nan, parameter.get("reason") or parameter.get("status"))
    low, high = parameter["ci95"]
    verdict = HELD if low <= truth <= high else MISSED
    return (verdict, parameter["value"], (high - low) / 2, "")


def is_near(case, path):
    """Within max(0.5 %, 0.3 u) of the plain regression."""
    value, u = case.found[path][1], case.found[path][2] / 1.96
    regression = case.regressions[path]
    return abs(value - regression) <= max(0.005 * abs(regression), 0.3 * u)


def nearness(cases):
    """Of each number that has a regression."""
    return [is_near(case, path) for case in cases for path in case.regressions
            if path in case.found and case.found[path][0] != REFUSED
            and not math.isnan(case.regressions[path])]


def code(why):
    return (why or "").split(" ")[0][:16]


def row_of(name, cases):
    main = [(case, case.found.get(case.made.main)) for case in cases]
    main = [(case, found) for case, found in main if found]
    verdicts = collections.Counter(found[0] for _, found in main)
    counted = verdicts[HELD] + verdicts[MISSED]
    numbers = [(case, found) for case, found in main if found[0] != REFUSED]
    errors = [100 * abs(f[1] / case.made.truth[case.made.main] - 1) for case, f in numbers]
    widths = [100 * f[2] / abs(f[1]) for _, f in numbers]
    near = nearness(cases)
    others = [found[0] for case in cases for path, found in case.found.items()
              if path != case.made.main and found[0] != REFUSED]
    reasons = collections.Counter(code(f[3]) for _, f in main if f[0] == REFUSED)

    chances = [stated for case in cases for stated in case.chances.values()]

    def percent(part, of):
        return f"{100 * part / of:.1f}" if of else ""

    return (f"| {name} | {len(cases)} | {verdicts[HELD]} | {verdicts[MISSED]} | "
            f"{', '.join(f'{c} {n}' for c, n in sorted(reasons.items()))} | "
            f"{percent(verdicts[HELD], counted)} | "
            f"{statistics.median(errors):.2g} | {statistics.median(widths):.2g} | "
            f"{percent(sum(near), len(near))} | {percent(others.count(HELD), len(others))} | "
            f"{f'{min(chances):.1g}' if chances else ''} |"
            if numbers else
            f"| {name} | {len(cases)} | 0 | 0 | "
            f"{', '.join(f'{c} {n}' for c, n in sorted(reasons.items()))} | | | | | | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tactelier")
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kind", default="")
    parser.add_argument("--most-missed", type=int)
    parser.add_argument("--least-near", type=float, default=0)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    kinds = [kind for kind in KINDS if arguments.kind in kind.__name__]
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.each)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        cases = list(pool.map(lambda c: c.run(), [Case(arguments.tactelier, kind, seed)
                                                  for kind in kinds for seed in seeds]))
    by_kind = collections.defaultdict(list)
    for case in cases:
        by_kind[case.made.kind].append(case)
        if arguments.show or case.failure:
            print(case.made.kind, case.seed, case.failure,
                  {path: (f[0], f"{f[1]:.6g} +- {f[2]:.2g} for {case.made.truth[path]:.6g}", f[3])
                   for path, f in case.found.items()},
                  "regression", {path: f"{value:.6g}" for path, value in case.regressions.items()},
                  file=sys.stderr)
    print("| kind | recordings | held | missed | refused | held % | median error % | "
          "interval ± % | as a regression % | other numbers held % | least p |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, some in by_kind.items():
        print(row_of(name, some))
    missed = sum(case.found.get(case.made.main, (FAILED,))[0] == MISSED for case in cases)
    failed = sum(bool(case.failure) for case in cases)
    too_many = arguments.most_missed is not None and missed > arguments.most_missed
    near = nearness(cases)
    far = sum(near) < arguments.least_near / 100 * len(near)
    return 1 if failed or too_many or far else 0


if __name__ == "__main__":
    sys.exit(main())
