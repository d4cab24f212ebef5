#!/usr/bin/env python3
"""18: LuGre's bristles in series with a rig's spring, turned round twice. Writes 18_series.csv beside
itself: time, driven speed, force on the pad, bristle deflection, speed of the touched point; by
SciPy's implicit Radau on the spring's and the bristles' deflection, relative tolerance 1e-11. Friction
does not depend on speed here: a massless tip has no other motion where it falls faster than c_t."""
import math
import pathlib

import numpy
from scipy.integrate import solve_ivp

SPRING_M_PER_N = 5e-5
LOAD_N, MU = 1.0, 0.35
SIGMA0, SIGMA1, C_T = 4000.0, 6.0, 0.8
SPEED, TURN_HZ = 8e-3, 2.5
END_S, ROW_S = 0.6, 2e-3


def driven(t):
    return SPEED * math.sin(2 * math.pi * TURN_HZ * t)


def touched(spring_m, z):
    """Of the touched point: sigma0 z + sigma1 z' + c_t u is what the spring holds."""
    force = spring_m / SPRING_M_PER_N
    viscous = force - SIGMA0 * z
    share = SIGMA0 * z * math.copysign(1, viscous) / (MU * LOAD_N)
    return viscous / (SIGMA1 * (1 - share) + C_T)


def rates(t, state):
    spring_m, z = state
    u = touched(spring_m, z)
    return [driven(t) - u, u - SIGMA0 * abs(u) / (MU * LOAD_N) * z]


times = numpy.arange(0, END_S + ROW_S / 2, ROW_S)
solved = solve_ivp(rates, [0, END_S], [0, 0], method="Radau", t_eval=times, rtol=1e-11,
                   atol=[1e-16, 1e-16], max_step=1e-4)
assert solved.success
table = numpy.column_stack([solved.t, [driven(t) for t in solved.t],
                            solved.y[0] / SPRING_M_PER_N, solved.y[1],
                            [touched(*state) for state in solved.y.T]])
path = pathlib.Path(__file__).parent / "18_series.csv"
numpy.savetxt(path, table, fmt="%.10e", delimiter=",", header="t_s,v_m_per_s,F_N,z_m,u_m_per_s",
              comments="")
