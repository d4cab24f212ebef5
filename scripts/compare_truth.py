#!/usr/bin/env python3
"""Prints what a fit found beside what is true of a simulated pad.

usage: compare_truth.py MODEL.json TRUTH.json

One line per parameter; for those of every tactel the median over the tactels fitted, and how often
the truth lies within the stated 95 % interval (u_total, where the model gives one).
"""

import json
import statistics
import sys

SCALARS = ("stiffness.k_punch", "stiffness.foundation_modulus", "stiffness.k", "damping.c_n",
           "damping.dissipation", "psf.sigma", "psf.sigma_x", "psf.sigma_y", "timing.latency_s",
           "friction.contact.mu_s", "friction.contact.mu_d", "friction.contact.v_s",
           "friction.contact.sigma0", "friction.contact.sigma1", "friction.contact.c_t",
           "relaxation.g_inf")
BY_BRANCH = ("relaxation.g", "relaxation.tau")
BY_TACTEL = ("response.tactels.press_gain", "response.tactels.press_threshold",
             "response.tactels.gain", "response.tactels.threshold", "response.tactels.saturation",
             "stiffness.k_punch_tactel")


def half_width(parameter):
    if parameter.get("u_total") is not None:
        return parameter["u_total"]
    if parameter.get("ci95"):
        return (parameter["ci95"][1] - parameter["ci95"][0]) / 2
    return None


def find(model, path):
    for key in path.split("."):
        model = model.get(key) if isinstance(model, dict) else None
    return model


def of_tactels(model, path):
    parts = path.split(".")
    if parts[1] == "tactels":
        return [tactel.get(parts[2]) for tactel in model["response"]["tactels"]]
    return find(model, path) or []


def of_branches(model, truth, path):
    """Pairs, fastest branch first; none where the fit found another number of branches."""
    fitted, true = find(model, path) or [], find(truth, path) or []
    return list(zip(fitted, true)) if len(fitted) == len(true) else []


def compared(pairs):
    """(relative error, within the interval, relative half-width) of identified parameters."""
    for fitted, truth in pairs:
        if not fitted or not truth or fitted.get("status") != "identified":
            continue
        width = half_width(fitted)
        if fitted.get("value") is None or not truth.get("value") or width is None:
            continue
        error = fitted["value"] - truth["value"]
        yield (error / truth["value"], abs(error) <= width, width / abs(truth["value"]))


def line(path, fitted, truth, found):
    errors = [abs(error) for error, _, _ in found]
    held = sum(inside for _, inside, _ in found)
    width = statistics.median(width for _, _, width in found)
    return (f"{path:34} {fitted:>12.5g} {truth:>12.5g} {100 * statistics.median(errors):>9.3f} % "
            f"{100 * width:>8.2f} % {held:>5} of {len(found)}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        model = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        truth = json.load(file)
    print(f"{'parameter':34} {'fitted':>12} {'true':>12} {'error':>11} {'+- (95 %)':>10} {'held':>5}")
    for path in SCALARS:
        pair = (find(model, path), find(truth, path))
        found = list(compared([pair]))
        if found:
            print(line(path, pair[0]["value"], pair[1]["value"], found))
    lists = [(path, of_branches(model, truth, path)) for path in BY_BRANCH]
    lists += [(path, list(zip(of_tactels(model, path), of_tactels(truth, path))))
              for path in BY_TACTEL]
    for path, pairs in lists:
        found = list(compared(pairs))
        if found:
            used = [p for p in pairs if list(compared([p]))]
            print(line(path + " (median)", statistics.median(p[0]["value"] for p in used),
                       statistics.median(p[1]["value"] for p in used), found))


if __name__ == "__main__":
    main()
