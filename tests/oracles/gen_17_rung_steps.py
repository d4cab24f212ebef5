#!/usr/bin/env python3
"""17: steps of a motor that begin when they are due and ring. Writes 17_rung_steps.json beside
itself. A line there and back, from rest to rest: when each step is due comes from the trapezoid in
closed form, play and microstep error from the screw's turn, and SciPy's DOP853 integrates what the
rotor makes of it from one step to the next, on a linear spring and on a magnetic field."""
import json
import math
import pathlib

import numpy
from scipy.integrate import solve_ivp

HERE = pathlib.Path(__file__).parent
STEP_UM, PLAY_UM, RIPPLE_UM, FULL_STEP_UM, PHASE_RAD = 2.5, 12.0, 4.0, 40.0, 0.7
FIELD_UM = 4 * FULL_STEP_UM
RING_HZ, DAMPING = 90.0, 0.12
SPEED_MM_S, ACCELERATION_MM_S2 = 3.0, 100.0
WAY_MM, REST_S, START_S = 0.3, 0.2, 0.01
TICK_S, END_S = 0.5e-3, 0.62
RELEASED_UM, RELEASED_S = 30.0, 0.05


def time_at(way_mm):
    """Seconds after the line began."""
    up_mm = SPEED_MM_S ** 2 / (2 * ACCELERATION_MM_S2)
    lasts = WAY_MM / SPEED_MM_S + SPEED_MM_S / ACCELERATION_MM_S2
    if way_mm < up_mm:
        return math.sqrt(2 * way_mm / ACCELERATION_MM_S2)
    if way_mm > WAY_MM - up_mm:
        return lasts - math.sqrt(2 * (WAY_MM - way_mm) / ACCELERATION_MM_S2)
    return SPEED_MM_S / ACCELERATION_MM_S2 + (way_mm - up_mm) / SPEED_MM_S


def steps():
    """When the screw turned, and to which step."""
    lasts = WAY_MM / SPEED_MM_S + SPEED_MM_S / ACCELERATION_MM_S2
    count = round(1e3 * WAY_MM / STEP_UM)
    ways = [(i + 0.5) * STEP_UM * 1e-3 for i in range(count)]
    there = [(START_S + time_at(way), i + 1) for i, way in enumerate(ways)]
    back_s = START_S + lasts + REST_S
    back = [(back_s + time_at(way), count - i - 1) for i, way in enumerate(ways)]
    return there + back, back_s


def held_um(turned, ripple_um):
    """Where the rotor is held after each turn; towards larger places the screw drives."""
    driven, places = 0.0, []
    for _, nut in turned:
        driven = min(max(driven, nut * STEP_UM), nut * STEP_UM + PLAY_UM)
        places.append(driven + ripple_um * math.sin(2 * math.pi * driven / FULL_STEP_UM
                                                    + PHASE_RAD))
    return places


def spring_um(lag_um, field):
    if not field:
        return lag_um
    return FIELD_UM / (2 * math.pi) * math.sin(2 * math.pi * lag_um / FIELD_UM)


def rung_um(times, turned, held, start_um, field):
    """Places at `times`, from rest at `start_um` where it is held at first."""
    w = 2 * math.pi * RING_HZ
    state, places = [start_um, 0.0], [start_um] * len(times)
    begins = [0.0] + [t for t, _ in turned]
    for begin, end, at in zip(begins, begins[1:] + [times[-1] + TICK_S], [start_um] + held):
        due = [i for i, t in enumerate(times) if begin < t <= end]

        def rate(_, y, at=at):
            return [y[1], -2 * DAMPING * w * y[1] - w * w * spring_um(y[0] - at, field)]

        solved = solve_ivp(rate, (begin, end), state, method="DOP853", rtol=1e-11, atol=1e-9,
                           t_eval=sorted({*(times[i] for i in due), end}))
        for i in due:
            places[i] = float(solved.y[0][numpy.searchsorted(solved.t, times[i])])
        state = [float(solved.y[0][-1]), float(solved.y[1][-1])]
    return places


def main():
    turned, back_s = steps()
    times = [round(i * TICK_S, 6) for i in range(round(END_S / TICK_S))]
    at_first = RIPPLE_UM * math.sin(PHASE_RAD)
    with_ripple = rung_um(times, turned, held_um(turned, RIPPLE_UM), at_first, False)
    both = rung_um(times, turned, held_um(turned, RIPPLE_UM), at_first, True)
    on_field = rung_um(times, turned, held_um(turned, 0.0), 0.0, True)
    released = [round(i * TICK_S, 6) for i in range(round(RELEASED_S / TICK_S))]
    w = 2 * math.pi * RING_HZ
    swing = solve_ivp(lambda _, y: [y[1], -2 * DAMPING * w * y[1] - w * w * spring_um(y[0], True)],
                      (0, RELEASED_S), [RELEASED_UM, 0.0], method="DOP853", rtol=1e-11, atol=1e-9,
                      t_eval=released)
    document = {"step_um": STEP_UM, "play_um": PLAY_UM, "field_um": FIELD_UM,
                "microstep_error_um": RIPPLE_UM, "full_step_um": FULL_STEP_UM,
                "phase_rad": PHASE_RAD, "ring_hz": RING_HZ, "damping": DAMPING,
                "speed_mm_s": SPEED_MM_S, "acceleration_mm_s2": ACCELERATION_MM_S2,
                "way_mm": WAY_MM, "begin_s": [START_S, back_s], "tick_s": TICK_S,
                "spring_um": [round(x, 5) for x in with_ripple],
                "field_um_by_tick": [round(x, 5) for x in on_field],
                "field_with_microstep_error_um": [round(x, 5) for x in both],
                "released_from_um": RELEASED_UM,
                "released_um": [round(float(x), 5) for x in swing.y[0]]}
    (HERE / "17_rung_steps.json").write_text(json.dumps(document) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
