"""Raw readings of a tactile sensor to newtons: newtons(readings)."""
# Sensor: Acme Pad 2x3, serial A-7
# Fitted: 2026-11-20T10:00:00Z by tactelier 0.1.0
# Model: sha256 ...
# Tactels: numbered row by row, array after array, from 0; columns go along +x, rows along +y
# Array 0: tactels 0 .. 5, 2 rows x 3 columns
# Force: of the calibration indenter (not named) over a tactel's centre that gives this reading;
#   not a tactel's own share, and nothing is said outside the range of validity
# Uncalibrated: 5 of 6 tactels

import numpy as np

TACTELS = 6
FLAGS = ("ok", "below", "saturated", "uncalibrated", "missing")
OK, BELOW, SATURATED, UNCALIBRATED, MISSING = range(5)

_NONE = np.nan

# offset, dead zone above it, threshold [N], gain [N/count], ceiling, saturation,
# one row per tactel, counts that rise
_OFFSET, _DEAD, _THRESHOLD_N, _GAIN_N_PER_COUNT, _CEILING, _SATURATION = np.array([
    [_NONE, _NONE, _NONE, _NONE, _NONE, _NONE],  # 0
    [_NONE, _NONE, _NONE, _NONE, _NONE, _NONE],  # 1
    [_NONE, _NONE, _NONE, _NONE, _NONE, _NONE],  # 2
    [_NONE, _NONE, _NONE, _NONE, _NONE, _NONE],  # 3
    [20, _NONE, 0, 0.0004, _NONE, _NONE],  # 4
    [_NONE, _NONE, _NONE, _NONE, _NONE, _NONE],  # 5
]).T[:, :, np.newaxis]


def _convert(readings):
    """Of a block, tactels x frames."""
    counts = readings
    saturated = counts >= _CEILING
    held = np.where(saturated, _SATURATION, counts)
    above = held - _OFFSET
    force_N = _THRESHOLD_N + _GAIN_N_PER_COUNT * above
    below = above <= _DEAD
    flag = np.where(saturated, SATURATED, OK).astype(np.uint8)
    flag[below] = BELOW
    flag[np.isnan(_OFFSET[:, 0])] = UNCALIBRATED
    flag[np.isnan(readings)] = MISSING
    force_N[(flag != OK) & (flag != SATURATED)] = np.nan
    return force_N, flag


_BLOCK = 512  # frames: what a block needs stays in the cache


def newtons(readings):
    """Raw readings, ... x TACTELS, to (force_N, flag) of the same shape.

    A reading that is NaN is MISSING. force_N is NaN where the flag is BELOW (within the dead zone,
    or below the curve), UNCALIBRATED or MISSING; where it is SATURATED, at least this force.
    """
    readings = np.asarray(readings, dtype=float)
    if readings.ndim == 0 or readings.shape[-1] != TACTELS:
        raise ValueError(f"readings of {TACTELS} tactels expected, not {readings.shape}")
    frames = readings.reshape(-1, TACTELS)
    force_N = np.empty(frames.shape)
    flag = np.empty(frames.shape, np.uint8)
    for at in range(0, len(frames), _BLOCK):
        block = slice(at, at + _BLOCK)
        force, flags = _convert(np.ascontiguousarray(frames[block].T))
        force_N[block], flag[block] = force.T, flags.T
    return force_N.reshape(readings.shape), flag.reshape(readings.shape)
