#!/usr/bin/env python3
"""The same recording, written down in another way, gives the same numbers.

usage: same_recording.py TACTELIER

Order of sessions, scale of readings, shift of the clock, times of day over a midnight, names of
columns, rows in thousandths of their unit, and one recording cut into two files: what a fit reads off must stay. Exits with 1 and
says what differs.
"""

import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from drawn_recordings import bad_contact, falling_with_floor, recording, rows_of_weights  # noqa: E402

NUMBERS = ("press_gain", "press_threshold", "offset", "saturation")
EXACT = 1e-6       # of a number: rounding of times and of digits
CUT_IN_TWO = 0.3   # of the standard error: free air is parted elsewhere


def rows_of(table):
    lines = table.splitlines()
    return lines[0].split(","), [line.split(",") for line in lines[1:]]


def text_of(names, rows):
    return "\n".join([",".join(names)] + [",".join(row) for row in rows]) + "\n"


def shifted(table, by_s):
    names, rows = rows_of(table)
    return text_of(names, [[f"{float(row[0]) + by_s:.3f}"] + row[1:] for row in rows])


def times_of_day(table, form, columns):
    """As a logger of the evening of a leap year's 28 February writes them, on either side of
    midnight."""
    names, rows = rows_of(table)
    half = float(rows[len(rows) // 2][0])
    begin = datetime.datetime(2024, 2, 29) - datetime.timedelta(seconds=round(half, 3))
    for row in rows:
        now = begin + datetime.timedelta(milliseconds=round(1000 * float(row[0])))
        row[0] = now.strftime(form)[:-3]
    return text_of([columns] + names[1:], rows)


def renamed(table, new):
    names, rows = rows_of(table)
    return text_of([new.get(name, name) for name in names], rows)


def scaled(table, factor):
    """Readings, the last column, times `factor`, a power of ten."""
    names, rows = rows_of(table)
    return text_of(names, [row[:-1] + [f"{float(row[-1]) * factor:.10g}"] for row in rows])


def other_unit(table, column, name):
    """The column in thousandths of its unit, under a name that says so."""
    names, rows = rows_of(table)
    at = names.index(column)
    names[at] = name
    for row in rows:
        row[at] = f"{1000 * float(row[at]):.6g}"
    return text_of(names, rows)


def cut_in_free_air(table):
    """Two tables, cut in the longest free air near the middle."""
    names, rows = rows_of(table)
    forces = [abs(float(row[1])) < 0.05 for row in rows]
    quiet = [i for i in range(60, len(rows) - 60) if all(forces[i - 30:i + 30])]
    middle = min(quiet, key=lambda i: abs(i - len(rows) / 2))
    return text_of(names, rows[:middle]), text_of(names, rows[middle:])


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.failures = []

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
        return done

    def session(self, name, table, answers):
        (self.folder / f"{name}.csv").write_text(table, encoding="utf-8")
        done = self.run("import", f"{name}.csv", "--guess", "--import", "-o", f"{name}.tact",
                        *answers)
        if done.returncode:
            sys.exit(f"{name}: {done.stderr}")
        return f"{name}.tact"

    def fit(self, *sessions):
        (self.folder / "m.json").unlink(missing_ok=True)
        self.run("fit", *sessions, "-o", "m.json")
        model = json.loads((self.folder / "m.json").read_text(encoding="utf-8"))
        return model["response"]["tactels"][0]

    def expect(self, what, expected, found, factors, tolerance=EXACT, of_error=False):
        for name in NUMBERS:
            a, b = expected[name], found[name]
            if a["value"] is None and b["value"] is None:
                continue
            if a["value"] is None or b["value"] is None:
                self.failures.append(f"{what}: {name} {a['value']} against {b['value']}")
                continue
            wanted = a["value"] * factors.get(name, 1)
            width = (a["ci95"][1] - a["ci95"][0]) / 4 if a.get("ci95") else 0
            scale = width if of_error else abs(wanted)
            if abs(b["value"] - wanted) > tolerance * max(scale, 1e-12):
                self.failures.append(f"{what}: {name} {b['value']:.9g} for {wanted:.9g}")


def check(bench, kind, seed):
    made = recording(kind, seed)
    table, answers = made.table, made.answers
    plain = bench.fit(bench.session("plain", table, answers))
    series = rows_of(table)[0][0] == "t_s"

    def same(what, other, factors=None, **tolerance):
        found = bench.fit(bench.session("other", other, answers + ["--force"]))
        bench.expect(f"{made.kind}: {what}", plain, found, factors or {}, **tolerance)

    same("other names", renamed(table, {"counts": "zeta", "adc": "zeta", "t_s": "elapsed_s",
                                        "force_N": "load_N"}))
    for factor in (1e-3, 1e3):
        same(f"readings times {factor:g}", scaled(table, factor),
             {"press_gain": 1 / factor, "offset": factor, "saturation": factor})
    if series:
        same("on the clock of 1970", shifted(table, 1763978400))
        same("times of day", times_of_day(table, "%H:%M:%S.%f", "Time"))
        same("dates", times_of_day(table, "%Y-%m-%dT%H:%M:%S.%f", "timestamp"))
        same("force in mN", other_unit(table, "force_N", "force_mN"))
        parts = [bench.session(f"part{i}", part, answers)
                 for i, part in enumerate(cut_in_free_air(table))]
        both = bench.fit(*parts)
        bench.expect(f"{made.kind}: cut in two", plain, both, {}, CUT_IN_TWO, of_error=True)
        bench.expect(f"{made.kind}: second part first", both, bench.fit(*reversed(parts)), {}, 0)


def main():
    failures = []
    for kind, seed in ((falling_with_floor, 2), (bad_contact, 3), (rows_of_weights, 2)):
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(sys.argv[1], folder)
            check(bench, kind, seed)
            failures += bench.failures
    print("\n".join(failures) or "the same")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
