#!/usr/bin/env python3
"""16: a mass on stiff LuGre bristles, pulled to and fro beyond what sticks. Writes
16_stiff_bristle.csv beside itself: time, place, speed and bristle deflection, by SciPy's implicit
Radau, relative tolerance 1e-10."""
import math
import pathlib

import numpy
from scipy.integrate import solve_ivp

MASS_KG, LOAD_N = 0.2, 2.0
SIGMA0, SIGMA1, C_T, MU_S, MU_D, V_S = 1e6, 60.0, 0.8, 0.62, 0.45, 4e-3
PULL_N, PULL_HZ = 1.6, 4.0
END_S, ROW_S = 0.5, 0.01


def rates(t, state):
    x, v, z = state
    level = LOAD_N * (MU_D + (MU_S - MU_D) * math.exp(-(v / V_S) ** 2))
    z_rate = v - SIGMA0 * abs(v) / level * z
    friction = SIGMA0 * z + SIGMA1 * z_rate + C_T * v
    return [v, (PULL_N * math.sin(2 * math.pi * PULL_HZ * t) - friction) / MASS_KG, z_rate]


times = numpy.arange(0, END_S + ROW_S / 2, ROW_S)
solved = solve_ivp(rates, [0, END_S], [0, 0, 0], method="Radau", t_eval=times, rtol=1e-10,
                   atol=[1e-14, 1e-12, 1e-16], max_step=1e-4)
assert solved.success
table = numpy.column_stack([solved.t, *solved.y])
path = pathlib.Path(__file__).parent / "16_stiff_bristle.csv"
numpy.savetxt(path, table, fmt="%.10e", delimiter=",", header="t_s,x_m,v_m_per_s,z_m", comments="")
