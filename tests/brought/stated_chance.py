"""How probable an error is by what a parameter of a model file states of itself: value, standard
error and 95 % interval say which Student's t its author believes in."""

import math


def beyond(t, dof):
    """P(|T| >= t) of Student's t: the density over sqrt(dof) tan(angle), by Simpson's rule."""
    if dof > 1000:
        return math.erfc(t / math.sqrt(2))
    steps, first = 2000, math.atan(t / math.sqrt(dof))
    width = (math.pi / 2 - first) / steps
    total = sum((1 if i in (0, steps) else 4 if i % 2 else 2) *
                max(math.cos(first + i * width), 0.0) ** (dof - 1) for i in range(steps + 1))
    scale = math.exp(math.lgamma((dof + 1) / 2) - math.lgamma(dof / 2)) / math.sqrt(math.pi)
    return min(1.0, 2 * scale * total * width / 3)


def dof_of(quantile):
    """Degrees of freedom of whose t 97.5 % lie below `quantile`."""
    low, high = 1.0, 1000.0
    if beyond(quantile, high) >= 0.05:
        return 1e9
    for _ in range(50):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if beyond(quantile, middle) < 0.05 else (middle, high)
    return low


def chance(parameter, truth):
    """Of an error as large as this one or larger; None where nothing is stated. An interval whose
    ends lie about the value by a factor is one of the logarithm."""
    value, std, interval = parameter.get("value"), parameter.get("std"), parameter.get("ci95")
    if value is None or not std or not interval:
        return None
    low, high = interval
    half, error = (high - low) / 2, value - truth
    if low > 0 and abs(math.sqrt(low * high) / value - 1) < 0.1 * abs((low + high) / 2 / value - 1):
        std, half, error = std / value, math.log(high / low) / 2, math.log(value / truth)
    return beyond(abs(error) / std, dof_of(half / std))
