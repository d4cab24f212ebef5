#!/usr/bin/env python3
"""16: gauge repeatability and reproducibility. Writes 16_gauge.json beside itself. The table is the
worked example of AIAG, Measurement Systems Analysis (10 parts, 3 appraisers, 3 trials); all 90
readings agree with two independent public copies of it (regression suites of other programs for
gauge studies), not compared with the printed book. The second one is drawn and has an interaction. Analysis of variance as least squares over indicator columns,
intervals as percentiles of 400,000 draws of NumPy's chi-squared."""
import json
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
AIAG = [  # appraiser, trial, part
    [[0.29, -0.56, 1.34, 0.47, -0.80, 0.02, 0.59, -0.31, 2.26, -1.36],
     [0.41, -0.68, 1.17, 0.50, -0.92, -0.11, 0.75, -0.20, 1.99, -1.25],
     [0.64, -0.58, 1.27, 0.64, -0.84, -0.21, 0.66, -0.17, 2.01, -1.31]],
    [[0.08, -0.47, 1.19, 0.01, -0.56, -0.20, 0.47, -0.63, 1.80, -1.68],
     [0.25, -1.22, 0.94, 1.03, -1.20, 0.22, 0.55, 0.08, 2.12, -1.62],
     [0.07, -0.68, 1.34, 0.20, -1.28, 0.06, 0.83, -0.34, 2.19, -1.50]],
    [[0.04, -1.38, 0.88, 0.14, -1.46, -0.29, 0.02, -0.46, 1.77, -1.49],
     [-0.11, -1.13, 1.09, 0.20, -1.07, -0.67, 0.01, -0.56, 1.45, -1.77],
     [-0.15, -0.96, 0.67, 0.11, -1.45, -0.49, 0.21, -0.49, 1.87, -2.16]]]
DRAWS = 400_000


def drawn(random):
    part = random.normal(0, 30, 10)[:, None, None]
    who = random.normal(0, 8, 3)[None, :, None]
    crossed = random.normal(0, 9, (10, 3))[:, :, None]
    return np.round(1000 + part + who + crossed + random.normal(0, 5, (10, 3, 2)), 3)


def residual_squares(columns, y):
    basis = np.column_stack(columns)
    fitted = basis @ np.linalg.lstsq(basis, y, rcond=None)[0]
    return float(np.sum((y - fitted) ** 2))


def analysed(values):
    """Each source by what leaving it out adds to the residuals; in balance the order is one."""
    p, o, r = values.shape
    i, j, _ = (index.ravel() for index in np.indices(values.shape))
    y = values.ravel()
    one = [np.ones(y.size)]
    parts = [(i == a).astype(float) for a in range(p)]
    who = [(j == a).astype(float) for a in range(o)]
    cells = [((i == a) & (j == b)).astype(float) for a in range(p) for b in range(o)]
    rest = residual_squares(cells, y)
    both = residual_squares(one + parts + who, y)
    return {"part": residual_squares(one + who, y) - both,
            "who": residual_squares(one + parts, y) - both,
            "interaction": both - rest, "repeat": rest}


def deviations(ms_part, ms_who, ms_error, ms_repeat, shape, pooled):
    p, o, r = shape
    crossed = 0 if pooled else np.maximum((ms_error - ms_repeat) / r, 0)
    who = np.maximum((ms_who - ms_error) / (p * r), 0) + crossed
    part = np.maximum((ms_part - ms_error) / (o * r), 0)
    gauge = ms_repeat + who
    return {"repeatability": np.sqrt(ms_repeat), "reproducibility": np.sqrt(who),
            "gauge": np.sqrt(gauge), "part_to_part": np.sqrt(part),
            "total": np.sqrt(gauge + part), "percent_of_total": 100 * np.sqrt(gauge / (gauge + part))}


def studied(values, pooled, random):
    p, o, r = values.shape
    ss = analysed(values)
    df = {"part": p - 1, "who": o - 1, "interaction": (p - 1) * (o - 1), "repeat": p * o * (r - 1)}
    error = {"ss": ss["repeat"] + (ss["interaction"] if pooled else 0),
             "df": df["repeat"] + (df["interaction"] if pooled else 0)}

    def squares(of):
        repeat = error["ss"] / of(error["df"])
        crossed = repeat if pooled else ss["interaction"] / of(df["interaction"])
        return deviations(ss["part"] / of(df["part"]), ss["who"] / of(df["who"]), crossed, repeat,
                          values.shape, pooled)
    best = squares(lambda degrees: degrees)
    draws = squares(lambda degrees: random.chisquare(degrees, DRAWS))
    return {"values": values.tolist(), "sum_of_squares": ss, "pooled": pooled,
            "estimates": {name: [float(best[name]), *map(float, np.quantile(draw, (0.025, 0.975)))]
                          for name, draw in draws.items()}}


def main():
    random = np.random.default_rng(16)
    aiag = np.transpose(np.array(AIAG), (2, 0, 1))
    out = {"aiag": studied(aiag, True, random), "crossed": studied(drawn(random), False, random)}
    (HERE / "16_gauge.json").write_text(json.dumps(out, indent=1) + "\n")


main()
