#!/usr/bin/env python3
"""15: slides on a coarse stage, and what a force sensor makes of them. Writes the session folder
15_slides and 15_slides.json beside itself. The tip follows trapezoids in steps, with play and
microstep error; LuGre's bristle is integrated by SciPy (LSODA) from one millisecond to the next,
under a load that varies, with friction that goes with the load and runs in. The sensor is late,
leans, has a bias that drifts, and noise."""
import json
import math
import pathlib

import numpy
from scipy.integrate import solve_ivp

HERE = pathlib.Path(__file__).parent
TICK_S = 1e-3
ACCELERATION_MM_S2 = 100.0
LENGTH_MM = 2.0
SPEEDS_MM_S = [12.0, 12.0, 5.0, 2.0]
LOADS_N = [0.5, 2.0]
REST_S, AIR_S, LOWER_S = 0.25, 0.8, 0.4
STEP_UM, PLAY_UM, RIPPLE_UM, FULL_STEP_UM, PHASE_RAD = 2.5, 12.0, 4.0, 40.0, 0.7
LATE_TICKS = 3
TRUTH = {"mu_s": 0.55, "mu_d": 0.33, "v_s_m_per_s": 3.5e-3, "sigma0_N_per_m": 3500.0,
         "sigma1_N_s_per_m": 6.0, "c_t_N_s_per_m": 0.9, "at_load_N": 1.0, "load_exponent": -0.3,
         "running_in": 0.12, "running_in_length_m": 0.012}
LEAN, NOISE_N = 0.02, 3e-3
BIAS_N, DRIFT_N_PER_S, SIDE_BIAS_N, SIDE_DRIFT_N_PER_S = 0.25, 3e-3, -0.1, 2e-3


def trapezoid_mm(t, speed):
    """Way after t seconds."""
    up = speed / ACCELERATION_MM_S2
    whole = LENGTH_MM / speed + up
    t = min(max(t, 0.0), whole)
    if t < up:
        return ACCELERATION_MM_S2 * t * t / 2
    if t > whole - up:
        return LENGTH_MM - ACCELERATION_MM_S2 * (whole - t) ** 2 / 2
    return speed * (t - up / 2)


def timeline():
    """Lines along y and z, slides, and stretches under load; all times in whole ticks."""
    t, number, moves, slides, loaded = 0.0, 0, [], [], []
    for load_N in LOADS_N:
        t += AIR_S
        moves.append((t, "z", 0.4, -0.2, 1.0))
        begin = t
        t += LOWER_S + 0.6
        side = -1
        for speed in SPEEDS_MM_S:
            for _ in range(2):
                t = round(t + REST_S, 3)
                side, number = -side, number + 1
                lasts = LENGTH_MM / speed + speed / ACCELERATION_MM_S2
                moves.append((t, "y", -side * LENGTH_MM / 2, side * LENGTH_MM / 2, speed))
                slides.append((number, t, t + lasts, side * speed, load_N))
                t += lasts
        t = round(t + REST_S, 3)
        moves.append((t, "z", -0.2, 0.4, 1.0))
        loaded.append((begin + LOWER_S, t, load_N))
        t = round(t + LOWER_S + 0.6, 3)
    return round(t + AIR_S, 3), moves, slides, loaded


def commanded_mm(t, moves):
    at = -LENGTH_MM / 2
    for begin, axis, start, end, speed in moves:
        if axis == "y" and t >= begin:
            at = start + math.copysign(trapezoid_mm(t - begin, speed), end - start)
    return at


def tip_um(command_mm):
    """Steps, play (towards +y drives), microstep error, one instant after the other."""
    driven, places = None, []
    for mm in command_mm:
        nut = round(1e3 * mm / STEP_UM) * STEP_UM
        driven = nut if driven is None else min(max(driven, nut), nut + PLAY_UM)
        places.append(driven + RIPPLE_UM * math.sin(2 * math.pi * driven / FULL_STEP_UM
                                                    + PHASE_RAD))
    return places


def load_at(t, loaded):
    for begin, end, load_N in loaded:
        if begin <= t <= end:
            ramp = min(1.0, (t - begin) / 0.2, (end - t) / 0.05)
            return load_N * ramp * (1 + 0.04 * math.sin(2 * math.pi * 0.7 * t))
    return 0.0


def bristle(z, v, N, slid):
    """Deflection after one tick, and friction then."""
    p = TRUTH
    level = (N * (N / p["at_load_N"]) ** p["load_exponent"]
             * (1 + p["running_in"] * math.exp(-slid / p["running_in_length_m"]))
             * (p["mu_d"] + (p["mu_s"] - p["mu_d"]) * math.exp(-(v / p["v_s_m_per_s"]) ** 2)))

    def rate(_, y):
        return [v - p["sigma0_N_per_m"] * abs(v) / level * y[0]]

    if v != 0:
        z = solve_ivp(rate, (0, TICK_S), [z], method="LSODA", rtol=1e-10, atol=1e-14).y[0][-1]
    force = (p["sigma0_N_per_m"] * z + p["sigma1_N_s_per_m"] * rate(0, [z])[0]
             + p["c_t_N_s_per_m"] * v)
    return z, force


def frictions(times, places_um, loaded):
    z, slid, forces, loads = 0.0, 0.0, [], []
    for i, t in enumerate(times):
        v = 1e-6 * (places_um[i] - places_um[i - 1]) / TICK_S if i else 0.0
        N = load_at(t, loaded)
        if N <= 0:
            z, force = 0.0, 0.0
        else:
            z, force = bristle(z, v, N, slid)
            slid += abs(v) * TICK_S
        forces.append(force)
        loads.append(N)
    return forces, loads


def quoted(data):
    return '"' + json.dumps(data).replace('"', '""') + '"'


def write_events(folder, moves, slides):
    rows = []
    for line, (t, axis, start, end, speed) in enumerate(moves):
        y = next((m[3] for m in reversed(moves[:line]) if m[1] == "y"), -LENGTH_MM / 2)
        z = next((m[3] for m in reversed(moves[:line]) if m[1] == "z"), 0.4)
        ends = [[0, start, z], [0, end, z]] if axis == "y" else [[0, y, start], [0, y, end]]
        rows.append((t, "move", {"line": line + 1, "from_mm": ends[0], "to_mm": ends[1],
                                 "speed_mm_s": speed, "acceleration_mm_s2": ACCELERATION_MM_S2,
                                 "answered_s": round(t, 6)}))
    for number, begin, end, speed, load_N in slides:
        rows.append((begin, "slide_begin", {"slide": number, "vx_mm_s": 0, "vy_mm_s": speed,
                                            "load_N": load_N}))
        rows.append((end, "slide_end", {"slide": number}))
    with open(folder / "events.csv", "w", encoding="utf-8") as file:
        file.write("t[s],event,data\n")
        order = sorted(rows, key=lambda row: (round(row[0], 6), row[1] != "slide_end"))
        for t, name, data in order:
            file.write(f"{t:.6f},{name},{quoted(data)}\n")


def main():
    end_s, moves, slides, loaded = timeline()
    times = [i * TICK_S for i in range(int(round(end_s / TICK_S)))]
    told = [commanded_mm(t, moves) for t in times]
    forces, loads = frictions(times, tip_um(told), loaded)
    folder = HERE / "15_slides"
    folder.mkdir(exist_ok=True)
    noise = numpy.random.default_rng(15).normal(0, NOISE_N, (len(times), 2))
    with open(folder / "force.csv", "w", encoding="utf-8") as file:
        file.write("t[s],Fx[N],Fy[N],Fz[N]\n")
        for i, t in enumerate(times):
            late = max(0, i - LATE_TICKS)
            side = (-forces[late] - LEAN * loads[late] + SIDE_BIAS_N + SIDE_DRIFT_N_PER_S * t
                    + noise[i][0])
            press = loads[late] + BIAS_N + DRIFT_N_PER_S * t + noise[i][1]
            file.write(f"{t:.3f},0,{side:.3f},{press:.3f}\n")
    with open(folder / "stage.csv", "w", encoding="utf-8") as file:
        file.write("t[s],x[mm],y[mm],z[mm]\n")
        for i in range(0, len(times), 100):
            y = round(1e3 * told[i] / STEP_UM) * STEP_UM * 1e-3
            file.write(f"{times[i]:.3f},0,{y:.4f},0\n")
    write_events(folder, moves, slides)
    session = {"format": "tactelier/session", "version": 1,
               "sensor": {"rows": 1, "columns": 1, "pitch_x_mm": 5, "pitch_y_mm": 5},
               "indenter": {"shape": "sphere", "diameter_mm": 10},
               "force_sensor": {"press_axis": "z"},
               "rig": {"shear_compliance_um_per_N": 0}}
    (folder / "session.json").write_text(json.dumps(session, indent=1) + "\n", encoding="utf-8")
    shown = range(int(round(slides[1][1] / TICK_S)) - 20, int(round(slides[2][1] / TICK_S)) - 20)
    places = tip_um(told)
    document = {"truth": TRUTH, "play_um": PLAY_UM, "microstep_error_um": RIPPLE_UM,
                "delay_s": LATE_TICKS * TICK_S, "tick_s": TICK_S,
                "trace": {"from_s": times[shown[0]],
                          "slid_m": 1e-6 * sum(abs(places[i] - places[i - 1])
                                               for i in range(1, shown[0]) if loads[i] > 0),
                          "place_um": [round(places[i], 6) for i in shown],
                          "load_N": [round(loads[i], 9) for i in shown],
                          "friction_N": [round(forces[i], 7) for i in shown]}}
    (HERE / "15_slides.json").write_text(json.dumps(document) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
