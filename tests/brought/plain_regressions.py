"""What a plain SciPy regression makes of a drawn recording: least squares of the law that the field
writes down, each row weighed alike. Knows nothing of the program."""

import math

import numpy as np
from scipy.optimize import curve_fit, least_squares


def of_foam(rows, reading):
    """Newtons of a reading, from (newtons, counts) of the loading branches."""
    force_N, counts = np.array(rows).T

    def law(f, rest, span, half_N):
        return rest + span * np.maximum(f, 0) / (np.maximum(f, 0) + half_N)

    start = [counts.min(), 2 * np.ptp(counts), np.median(force_N)]
    (rest, span, half_N), _ = curve_fit(law, force_N, counts, p0=start)
    share = (reading - rest) / span
    return half_N * share / (1 - share)


def of_friction(runs):
    """mu_d, mu_s and v_s in m/s, from (mm/s, mean of shear over load) of each pull, whose
    scatter is a share of it; a viscous part may be there."""
    speed, mu = np.array(runs).T

    def stribeck(v, kinetic, static, scale, viscous):
        return kinetic + (static - kinetic) * np.exp(-(v / scale) ** 2) + viscous * v

    (kinetic, static, scale, _), _ = curve_fit(stribeck, speed, mu, sigma=mu,
                                               p0=[mu.min(), mu.max(), 2, 0])
    return {"friction.contact.mu_d": kinetic, "friction.contact.mu_s": static,
            "friction.contact.v_s": 1e-3 * abs(scale)}


def of_joint(runs):
    """Friction of a joint, from (rad/s, mean torque in N*m) of each run at constant speed."""
    speed, torque = np.array(runs).T

    def law(w, coulomb, breakaway, scale, viscous, pull):
        level = coulomb + (breakaway - coulomb) * np.exp(-(w / scale) ** 2)
        return np.sign(w) * level + viscous * w + pull

    middle = np.median(np.abs(torque))
    (coulomb, breakaway, scale, viscous, pull), _ = curve_fit(
        law, speed, torque, p0=[middle, 1.3 * middle, 0.15, 0, 0])
    return {"joints.0.coulomb": coulomb, "joints.0.breakaway": breakaway,
            "joints.0.stribeck_speed": abs(scale), "joints.0.viscous": viscous,
            "joints.0.offset": pull}


def of_relaxation(rows, ramp_s):
    """g_inf and both times, from (seconds since the ramp ended, newtons)."""
    held_s, force_N = np.array(rows).T

    def law(t, k, g1, g2, log_tau1, log_tau2):
        total = 1 - g1 - g2
        for g, tau in ((g1, math.exp(log_tau1)), (g2, math.exp(log_tau2))):
            total = total + g * tau / ramp_s * (1 - math.exp(-ramp_s / tau)) * np.exp(-t / tau)
        return k * total

    start = [force_N.max(), 0.2, 0.2, math.log(2), math.log(60)]
    (_, g1, g2, tau1, tau2), _ = curve_fit(law, held_s, force_N, p0=start, maxfev=20000)
    first, second = sorted(((math.exp(tau1), g1), (math.exp(tau2), g2)))
    return {"relaxation.g_inf": 1 - g1 - g2, "relaxation.tau.0": first[0],
            "relaxation.tau.1": second[0]}


def of_raster(rows, cells_mm, pitch_mm):
    """sigma in metres, from (x mm, y mm, newtons, readings of all cells): a gain and a rest of each
    cell, one spread, and a factor of each place, as presses scatter."""
    at_mm = np.array([row[:2] for row in rows])
    force_N = np.array([row[2] for row in rows])
    read = np.array([row[3] for row in rows])
    places, place = np.unique(at_mm, axis=0, return_inverse=True)
    away2 = ((at_mm[:, None, :] - np.array(cells_mm)[None, :, :]) ** 2).sum(axis=2)
    cells = len(cells_mm)

    def residuals(p):
        sigma, rests, slopes = p[0], p[1:1 + cells], p[1 + cells:1 + 2 * cells]
        factors = np.exp(p[1 + 2 * cells:])
        share = pitch_mm ** 2 / (2 * math.pi * sigma ** 2) * np.exp(-away2 / (2 * sigma ** 2))
        model = rests + slopes * share * (force_N * factors[place])[:, None]
        # The factors' mean is one, as the force gauge says.
        return np.append((model - read).ravel(), 1e4 * p[1 + 2 * cells:].sum())

    start = np.concatenate([[0.6 * pitch_mm], read.min(axis=0), np.full(cells, 1000.0),
                            np.zeros(len(places))])
    found = least_squares(residuals, start, x_scale="jac")
    return 1e-3 * abs(found.x[0])
