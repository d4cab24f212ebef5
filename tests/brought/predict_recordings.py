#!/usr/bin/env python3
"""What models of the shipped recordings say of what they were not fitted to.

usage: predict_recordings.py TACTELIER [--check PAGE]

Of the fluid-filled strips every second place is fitted, the others are predicted: their stiffness,
their forces from the first reading and the depth, and from both readings by the stage `array`. Of
the other recordings it tells by which code the number is refused that a prediction would need.
Prints a Markdown table; with --check it fails where PAGE does not hold a row of it.
"""

import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "data" / "examples"
NOTHING_IDENTIFIED = 5  # of `fit`


def run(program, *words, fails=False):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode and not (fails and done.returncode == NOTHING_IDENTIFIED):
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def written(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)


def fitted(program, table, described, *stages):
    """The model of a table, as a file beside it."""
    session, model = table.with_suffix(".tact"), table.with_suffix(".model.json")
    run(program, "import", table, "--map", described, "-o", session, "--force", "-q")
    run(program, "fit", session, "-o", model, "--force", "-q", *stages, fails=True)
    return model, json.loads(model.read_text(encoding="utf-8"))


def strip(program, folder, kind):
    """Of a strip filled with `kind`: the three cells of its column."""
    described = EXAMPLES / "fluid-taxel" / "map.json"
    rows = read(EXAMPLES / "fluid-taxel" / f"{kind}.csv")
    places = sorted({float(row["x_mm"]) for row in rows})
    known = set(places[::2])
    ours, held = folder / f"{kind}-fitted.csv", folder / f"{kind}-held.csv"
    written(ours, [row for row in rows if float(row["x_mm"]) in known])
    left = [row for row in rows if float(row["x_mm"]) not in known]
    written(held, left)
    stiffness = fitted(program, ours, described)[1]["stiffness"]["k_affine"]
    truth = fitted(program, held, described)[1]["stiffness"]["k_affine"]["value"]
    model, described_array = fitted(program, ours, described, "--stages", "array")
    first, off_N, all_N = {}, 0, 0
    for row in left:
        depth_m, force_N = float(row["depth_mm"]) / 1e3, float(row["force_N"])
        if row["x_mm"] not in first:
            first[row["x_mm"]] = (depth_m, force_N)
            continue
        start_m, start_N = first[row["x_mm"]]
        off_N += abs(start_N + stiffness["value"] * (depth_m - start_m) - force_N)
        all_N += force_N
    return [f"{truth:.0f}, {stiffness['value']:.0f} ± {stiffness['u_total']:.0f}",
            f"{100 * off_N / all_N:.1f} %", by_readings(program, model, described_array, held, left)]


def by_readings(program, model, described, held, left):
    figures = described["quality"]["array"]["figures"]
    table = held.with_suffix(".newtons.csv")
    refused = run(program, "apply", model, held.with_suffix(".tact"), "-o", table, "--force", "-q",
                  fails=True).returncode
    told = [(float(told["total[N]"]), float(told["total.u95[N]"]), float(row["force_N"]))
            for told, row in zip(read(table) if table.exists() else [], left) if told.get("total[N]")]
    if refused or not told:
        return f"refused, AR-02: presses left out are missed by {figures['left_out_rms_N']:.2f} N"
    off_N = [abs(value - force_N) for value, _, force_N in told]
    inside = sum(off <= width for off, (_, width, _) in zip(off_N, told)) / len(told)
    return (f"rms {math.sqrt(statistics.fmean(off**2 for off in off_N)):.2f} N, median "
            f"{statistics.median(off_N):.2f} N, Σ\\|error\\|/Σ force "
            f"{100 * sum(off_N) / sum(force_N for *_, force_N in told):.1f} %; within its interval "
            f"{100 * inside:.0f} %")


def refusal(program, folder, name, table, described, number):
    """Why the number is not in the model: its code."""
    copy = folder / f"{name}.csv"
    copy.write_bytes((EXAMPLES / table).read_bytes())
    model = fitted(program, copy, EXAMPLES / described)[1]
    for key in number.split("."):
        model = model[key]
    return "identified" if model["value"] is not None else model["reason"].split()[0]


def table_of(program):
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        oil, air = strip(program, folder, "oil"), strip(program, folder, "air")
        codes = [(name, number, refusal(program, folder, name, table, described, number))
                 for name, table, described, number in (
                     ("steel under an indenter", "indent-creep/steel_load_hold_unload.csv",
                      "indent-creep/steel.map.json", "stiffness.k_punch"),
                     ("soft sample under an AFM", "indent-creep/afm_soft_creep.csv",
                      "indent-creep/afm.map.json", "relaxation.g_inf"))]
    names = ("stiffness at the 20 places left out, N/m: mean, and what the fit of the other 21 says",
             "force at those places from their first reading and the depth, Σ\\|error\\|/Σ force",
             "force from both readings (stage `array`)")
    lines = ["| | oil | air |", "|---|---|---|"]
    lines += [f"| {name} | {a} | {b} |" for name, a, b in zip(names, oil, air)]
    lines += [""] + [f"* {name}: `{number}` is refused, {code}" for name, number, code in codes]
    return lines


def main():
    lines = table_of(sys.argv[1])
    print("\n".join(lines))
    if len(sys.argv) == 4 and sys.argv[2] == "--check":
        page = pathlib.Path(sys.argv[3]).read_text(encoding="utf-8").splitlines()
        missing = [line for line in lines if line and line not in page]
        if missing:
            sys.exit("not on the page:\n" + "\n".join(missing))


if __name__ == "__main__":
    main()
