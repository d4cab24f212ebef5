#!/usr/bin/env python3
"""14: where a stage was, from the lines it was sent. Writes 14_moves.json and 14_moves.csv beside
itself. Steps through time: the speed of each instant from the corners of the trapezoid, the place
as its sum, then delay, steps, play and microstep error one instant after the other."""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).parent
TICK_S = 20e-6
TICKS = 160000
EVERY = 100  # ticks between rows
LATE_TICKS = 200
STEP_UM, PLAY_UM = 2.5, 20.0
HARMONICS = [(5.0, 40.0, 0.7), (1.5, 20.0, 2.1)]  # amplitude and period in um, phase in rad

# queued [s], from, to [mm], mm/s, mm/s2; the fourth is too short to reach its speed, the fifth stops
# early, the sixth goes on from where that came to rest.
LINES = [
    [0.10, 0.2371, -0.4629, 3.0, 100.0],
    [0.60, -0.4629, -0.1129, 1.0, 100.0],
    [1.10, -0.1129, -0.6433, 5.3, 100.0],
    [1.50, -0.6433, -0.6133, 8.0, 100.0],
    [1.70, -0.6133, -1.2133, 1.0, 50.0],
    [2.40, None, 0.2371, 4.0, 100.0],
]
STOPPED, STOPPED_S = 4, 2.05


def between(t, corners, values):
    if t <= corners[0] or t >= corners[-1]:
        return 0.0
    for i in range(1, len(corners)):
        if t <= corners[i]:
            share = (t - corners[i - 1]) / (corners[i] - corners[i - 1])
            return values[i - 1] + share * (values[i] - values[i - 1])
    return 0.0


def speed_of(line, stopped_s):
    """Speed over time, mm/s."""
    begin_s, start, end, v, a = line
    length = abs(end - start)
    v = min(v, math.sqrt(length * a))
    up, whole = v / a, length / v + v / a
    corners = [begin_s, begin_s + up, begin_s + whole - up, begin_s + whole]
    values = [0.0, v, v, 0.0]
    if stopped_s is not None:
        at = between(stopped_s, corners, values)
        corners = corners[:2] + [stopped_s, stopped_s + at / a]
        values = values[:2] + [at, 0.0]
    return lambda t: between(t, corners, values)


def commanded():
    """Place in mm at each tick."""
    places, at = [], LINES[0][1]
    following = 0
    speed, sign, before = None, 0, 0.0
    for tick in range(TICKS):
        t = tick * TICK_S
        if following < len(LINES) and t >= LINES[following][0] - 1e-9:
            line = LINES[following]
            if line[1] is None:
                line[1] = round(at, 9)
            at = line[1]
            speed = speed_of(line, STOPPED_S if following == STOPPED else None)
            sign, before = math.copysign(1, line[2] - line[1]), 0.0
            following += 1
        elif speed:
            now = speed(t)
            at += sign * (before + now) / 2 * TICK_S
            before = now
        places.append(at)
    return places


def driven(nuts_um, up_drives):
    places, now = [], nuts_um[0]
    for nut in nuts_um:
        low, high = (nut, nut + PLAY_UM) if up_drives else (nut - PLAY_UM, nut)
        now = min(max(now, low), high)
        places.append(now)
    return places


def with_microsteps(place_um):
    return place_um + sum(a * math.sin(2 * math.pi * place_um / period + phase)
                          for a, period, phase in HARMONICS)


def main():
    places = commanded()
    told_um = [1e3 * places[max(0, i - LATE_TICKS)] for i in range(TICKS)]
    nuts_um = [round(s / STEP_UM) * STEP_UM for s in told_um]
    down, up = driven(nuts_um, False), driven(nuts_um, True)
    with open(HERE / "14_moves.csv", "w", encoding="utf-8") as file:
        file.write("t_s,told_um,down_um,up_um\n")
        for i in range(0, TICKS, EVERY):
            if abs(told_um[i] / STEP_UM % 1 - 0.5) < 1e-3:
                continue  # within rounding of the next step: nobody's to decide
            file.write(f"{i * TICK_S:.3f},{told_um[i]:.5f},{with_microsteps(down[i]):.6f},"
                       f"{with_microsteps(up[i]):.6f}\n")
    keys = ("queued_s", "from_mm", "to_mm", "speed_mm_s", "acceleration_mm_s2")
    document = {
        "lines": [dict(zip(keys, line)) for line in LINES],
        "stopped": {"line": STOPPED, "at_s": STOPPED_S},
        "delay_s": LATE_TICKS * TICK_S, "step_um": STEP_UM, "play_um": PLAY_UM,
        "harmonics": [dict(zip(("amplitude_um", "period_um", "phase_rad"), h)) for h in HARMONICS],
    }
    (HERE / "14_moves.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
