"""Tables of scripts/accuracy: errors and coverage, counted with the sensor as unit."""

import collections
import math
import statistics

from accuracy_studies import STUDIES
from compare_truth import BY_BRANCH, BY_TACTEL, find, of_branches, of_tactels

# Median relative errors that a clean pad must be found with, in percent.
GOALS = {"press_gain": 0.5, "gain": 1, "threshold": 5, "k_punch": 1, "sigma": 0.7, "c_n": 5,
         "tau": 10, "mu_s": 2, "mu_d": 2, "v_s": 8, "sigma0": 5, "sigma1": 15}


def half_width(parameter, with_certificate):
    """On a clean pad the force sensor is exact, so its certificate doesn't count."""
    if parameter.get("ci95") and not with_certificate:
        return (parameter["ci95"][1] - parameter["ci95"][0]) / 2
    if parameter.get("u_total") is not None:
        return parameter["u_total"]
    # Some slots hold a standard uncertainty alone.
    return 2 * parameter["std"] if parameter.get("std") is not None else None


def why(parameter):
    return ((parameter or {}).get("reason") or "?").split(" ")[0]


def compare(study, model, truth, with_certificate, gains=None):
    """What a model says beside the truth: {"found": path -> [[relative error, half-width, error with
    the force sensor's gains (path -> factor) taken out], ...], "refused": path -> codes of what is
    true of the pad and was not reported, "warned": codes}."""
    found, refused = {}, {}
    for path in STUDIES[study].parameters:
        if path in BY_BRANCH:
            pairs = of_branches(model, truth, path)
            if not pairs and find(truth, path):
                other = "other number" if find(model, path) else why(find(model, "relaxation.g_inf"))
                refused[path] = [other] * len(find(truth, path))
        elif path in BY_TACTEL:
            pairs = list(zip(of_tactels(model, path), of_tactels(truth, path)))
        else:
            pairs = [(find(model, path), find(truth, path))]
        for fitted, true in pairs:
            if not true or not true.get("value"):
                continue
            if not fitted or fitted.get("status") != "identified":
                if path not in BY_TACTEL:
                    refused.setdefault(path, []).append(why(fitted))
                continue
            half = half_width(fitted, with_certificate)
            if half is None:
                continue
            error = fitted["value"] - true["value"]
            size = abs(true["value"])
            seen = true["value"] * (gains or {}).get(path, 1)
            found.setdefault(path, []).append([error / size, half / size,
                                               (fitted["value"] - seen) / abs(seen)])
    codes = sorted({w["code"] for stage in model["quality"].values()
                    for w in stage.get("warnings", [])})
    return {"found": found, "refused": refused, "warned": codes}


def wilson(held, of):
    """95 % bounds of a proportion."""
    z, p = 1.96, held / of
    centre, half = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return [(centre + way * half) / (1 + z * z / of) for way in (-1, 1)]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def row(path, results, goal):
    sensors = [result["found"][path] for result in results if path in result["found"]]
    codes = collections.Counter(code for result in results
                                for code in result["refused"].get(path, []))
    refusals = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
    asked = sum(1 for result in results if path in result["found"] or path in result["refused"])
    if not sensors:
        return f"| {path} | 0 of {asked} | | | | | | | | | {refusals} |"
    every = [pair for sensor in sensors for pair in sensor]
    errors = [abs(apart) for _, _, apart in every]
    means = [statistics.mean(apart for _, _, apart in sensor) for sensor in sensors]
    scatter = statistics.stdev(means) if len(means) > 1 else math.nan
    z = [1.96 * error / half for error, half, _ in every if half > 0]
    share = [statistics.mean(abs(error) <= half for error, half, _ in sensor) for sensor in sensors]
    held = sum(share)
    low, high = wilson(held, len(sensors))
    return (f"| {path.replace('response.tactels.', '')} | {len(sensors)} of {asked} "
            f"| {100 * statistics.median(errors):.3g} | {goal or ''} "
            f"| {100 * percentile(errors, 0.95):.3g} "
            f"| {100 * statistics.mean(means):+.2g} | {100 * scatter:.2g} "
            f"| {100 * statistics.median(half for _, half, _ in every):.3g} "
            f"| {math.sqrt(statistics.mean(v * v for v in z)) if z else math.nan:.2f} "
            f"| {100 * held / len(sensors):.1f} ({100 * low:.0f}–{100 * high:.0f}) | {refusals} |")


def seeds_of(results):
    """Runs of seeds: "1–50, 101–120"."""
    runs = []
    for seed in sorted(results):
        if runs and runs[-1][1] == seed - 1:
            runs[-1][1] = seed
        else:
            runs.append([seed, seed])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)


def table(study, preset, by_seed):
    results = [by_seed[seed] for seed in sorted(by_seed)]
    lines = [f"## `{study}`, pad `{preset}`: seeds {seeds_of(by_seed)}", "",
             "| parameter | sensors | median error % | goal % | 95th percentile % | bias % "
             "| scatter % | interval ± % | scatter of z | held % | refused |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for path in STUDIES[study].parameters:
        if not any(path in r["found"] or path in r["refused"] for r in results):
            continue
        goal = GOALS.get(path.split(".")[-1]) if preset == "clean" else None
        lines.append(row(path, results, goal))
    warned = collections.Counter(code for result in results for code in result["warned"])
    said = ", ".join(f"{code} {count}" for code, count in sorted(warned.items()))
    seconds = statistics.mean(result["processor_s"] for result in results)
    return lines + ["", f"Warnings, in how many of {len(results)} models: {said or 'none'}. "
                    f"{seconds:.2g} s of processor a sensor.", ""]
