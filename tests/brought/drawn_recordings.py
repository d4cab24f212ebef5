"""Recordings as people bring them, drawn at random, each with the truth it was made of.

Nothing here knows the simulated pad or any code of the program: each kind is a few lines of the
physics that its field writes down, with the flaws that such tables have. A recording is one table
of text, the answers that a user gives to `import --guess` (three at most), and what a fit must
find. The same kind and seed give the same recording on every machine.
"""

import dataclasses
import math
import random

GRAVITY_M_PER_S2 = 9.80665


@dataclasses.dataclass
class Recording:
    kind: str
    table: str
    answers: list  # of import --guess, option and value
    truth: dict    # path in the model file, or "newtons", to its true value
    main: str      # the member of `truth` by which the recording is counted
    regression: float = math.nan  # what a plain regression over the usable rows gives for it
    warns: str = ""               # a warning of the import that must be there
    never_warns: str = ""         # a warning of the fit that would be wrong
    readings: list = dataclasses.field(default_factory=list)  # (reading, newtons) for `apply`
    # Of a law that is no line: a function of plain_regressions.py and what it is given.
    fitted_by: tuple = ()


def table_of(names, rows):
    return ",".join(names) + "\n" + "".join(",".join(row) + "\n" for row in rows)


def slope_of(pairs):
    """Of y over x, least squares with an intercept."""
    n = len(pairs)
    mean_x, mean_y = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    return (sum((x - mean_x) * (y - mean_y) for x, y in pairs) /
            sum((x - mean_x) ** 2 for x, _ in pairs))


@dataclasses.dataclass
class Presses:
    """Ramps of a force gauge on one cell: up and down, with free air between them."""
    law: object                # counts at a force
    peak_N: float
    count: int
    scatter: float = 0.005     # between presses, relative, of what arrives at the cell
    force_noise_N: float = 0.005
    noise: float = 2.5         # counts
    rate_hz: float = 100.0
    lowest: float = -1e9
    highest: float = 1e9


def ramps(draw, presses, disturb=lambda time_s, press, reading: reading):
    """Rows (time, press or -1 in free air, force read, counts, loading)."""
    rows, time_s = [], 0.0

    def row(force_N, factor, press, loading):
        nonlocal time_s
        reading = presses.law(factor * force_N) + draw.gauss(0, presses.noise)
        reading = disturb(time_s, press, reading)
        reading = round(min(max(reading, presses.lowest), presses.highest))
        rows.append((time_s, press, force_N + draw.gauss(0, presses.force_noise_N), reading,
                     loading))
        time_s += 1 / presses.rate_hz

    for press in range(presses.count):
        factor = 1 + presses.scatter * draw.gauss(0, 1)
        peak_N = presses.peak_N * draw.uniform(0.85, 1.0)
        each = int(presses.rate_hz * draw.uniform(1.0, 2.0))
        for _ in range(int(presses.rate_hz * draw.uniform(0.8, 1.5))):
            row(0.0, factor, -1, False)
        for i in range(each):
            row(peak_N * (i + 1) / each, factor, press, True)
        for i in range(each):
            row(peak_N * (each - i - 1) / each, factor, press, False)
    for _ in range(int(presses.rate_hz)):
        row(0.0, 1.0, -1, False)
    return rows


def as_table(rows, force="force_N", reading="counts"):
    return table_of(["t_s", force, reading],
                    [[f"{t:.3f}", f"{f:.4f}", str(c)] for t, _, f, c, _ in rows])


def loading_pairs(rows, keep):
    return [(c, f) for _, press, f, c, up in rows if press >= 0 and up and keep(c)]


def falling_with_floor(draw):
    """A pressure-sensitive resistor in a divider: readings fall, and stop at a floor."""
    slope, top = draw.uniform(120, 600), draw.uniform(2500, 4000)
    presses = Presses(lambda f: top - slope * f, 0, draw.randint(4, 8))
    presses.peak_N = draw.uniform(0.45, 0.7) * top / slope
    presses.lowest = round(top - slope * presses.peak_N * draw.uniform(0.6, 0.8))
    rows = ramps(draw, presses)
    pairs = loading_pairs(rows, lambda c: presses.lowest + 10 < c < top - 30)
    return Recording("falling with a floor", as_table(rows),
                     ["--indenter", "cylinder 5"],
                     {"response.tactels.0.press_gain": 1 / slope,
                      "response.tactels.0.offset": top,
                      "response.tactels.0.saturation": presses.lowest},
                     "response.tactels.0.press_gain", abs(slope_of(pairs)))


def plateaus_of_weights(draw):
    """A log of readings while weights are put on, several rounds, read at 20 rows per second."""
    per_gram, rest = draw.uniform(0.5, 4), draw.uniform(50, 800)
    steps = [round(draw.uniform(40, 120)) for _ in range(draw.randint(3, 5))]
    masses = []
    for _ in range(draw.randint(3, 5)):
        masses += [0] + [sum(steps[:i + 1]) for i in range(len(steps))]
    masses.append(0)
    rows, time_s, before_g, pairs = [], 0.0, 0.0, []

    def row(mass_g, factor):
        nonlocal time_s
        counts = round(rest + per_gram * factor * mass_g + draw.gauss(0, 1.5))
        rows.append([f"{time_s:.2f}", str(counts)])
        time_s += 0.05
        return counts

    for mass_g in masses:
        factor = 1 + 0.005 * draw.gauss(0, 1)
        for i in range(15):
            row(before_g + (mass_g - before_g) * (i + 1) / 15, factor)
        for _ in range(draw.randint(60, 100)):
            pairs.append((row(mass_g, factor), mass_g))
        before_g = mass_g
    newtons = [(c, m * 1e-3 * GRAVITY_M_PER_S2) for c, m in pairs]
    return Recording("plateaus of weights", table_of(["time_s", "reading"], rows),
                     ["--weights", ",".join(str(m) for m in masses)],
                     {"response.tactels.0.press_gain": 1e-3 * GRAVITY_M_PER_S2 / per_gram,
                      "response.tactels.0.offset": rest},
                     "response.tactels.0.press_gain", slope_of(newtons))


def rows_of_weights(draw):
    """A notebook page: mass and reading, some rounds, each row read at rest."""
    per_gram, rest = draw.uniform(0.5, 4), draw.uniform(50, 800)
    masses = [50 * i for i in range(draw.randint(8, 12))]
    rows, pairs = [], []
    for _ in range(draw.randint(3, 6)):
        factor = 1 + 0.006 * draw.gauss(0, 1)
        for mass_g in masses:
            counts = round(rest + per_gram * factor * mass_g + draw.gauss(0, 1.5))
            rows.append([str(mass_g), str(counts)])
            pairs.append((counts, mass_g * 1e-3 * GRAVITY_M_PER_S2))
    return Recording("rows of weights", table_of(["mass_g", "adc"], rows), [],
                     {"response.tactels.0.press_gain": 1e-3 * GRAVITY_M_PER_S2 / per_gram,
                      "response.tactels.0.offset": rest},
                     "response.tactels.0.press_gain", slope_of(pairs))


def static_raster(draw):
    """A flat array of point-like cells, a pin at known places, each row read at rest."""
    rows_of_array, columns, pitch_mm = 4, 4, draw.uniform(4, 8)
    sigma_mm = pitch_mm * draw.uniform(0.45, 0.8)
    cells = [(pitch_mm * (c - 1.5), pitch_mm * (r - 1.5))
             for r in range(rows_of_array) for c in range(columns)]
    slopes = [draw.uniform(800, 2000) for _ in cells]
    rests = [draw.uniform(100, 300) for _ in cells]
    table = []
    for i in range(-3, 4):
        for k in range(-3, 4):
            x_mm, y_mm = i * pitch_mm / 2, k * pitch_mm / 2
            factor = 1 + 0.01 * draw.gauss(0, 1)
            for force_N in (0, 0.4, 0.8, 1.2, 1.6, 2.0):
                cells_read = []
                for (cx, cy), slope, rest in zip(cells, slopes, rests):
                    away2 = (cx - x_mm) ** 2 + (cy - y_mm) ** 2
                    share = (pitch_mm ** 2 / (2 * math.pi * sigma_mm ** 2) *
                             math.exp(-away2 / (2 * sigma_mm ** 2)))
                    cells_read.append(str(round(rest + slope * factor * share * force_N +
                                                draw.gauss(0, 2))))
                table.append([f"{x_mm:.4f}", f"{y_mm:.4f}", f"{force_N:.3f}"] + cells_read)
    return Recording("raster of static rows",
                     table_of(["x_mm", "y_mm", "force_N"] + [f"s{i}" for i in range(16)], table),
                     ["--layout", "4x4", "--pitch", f"{pitch_mm:.6f}", "--indenter",
                      "cylinder 0.2"],
                     {"psf.sigma": 1e-3 * sigma_mm,
                      "response.tactels.5.gain": 1 / slopes[5]}, "psf.sigma",
                     fitted_by=("of_raster",
                                [(float(r[0]), float(r[1]), float(r[2]), [int(c) for c in r[3:]])
                                 for r in table], cells, pitch_mm))


def disc_of(diameter_mm):
    """Places under a flat round tip, each standing for as much of its area."""
    rings, around = 10, 16
    return [(diameter_mm / 2 * math.sqrt((i + 0.5) / rings) * math.cos(angle),
             diameter_mm / 2 * math.sqrt((i + 0.5) / rings) * math.sin(angle))
            for i in range(rings)
            for angle in (2 * math.pi * (k + i / rings) / around for k in range(around))]


def shares_of(cells, pitch_mm, sigma_mm, x_mm, y_mm, disc):
    """Part of a press at (x, y) that each point-like cell reads, times its pitch squared."""
    height = pitch_mm ** 2 / (2 * math.pi * sigma_mm ** 2) / len(disc)
    return [height * sum(math.exp(-((cx - x_mm - u) ** 2 + (cy - y_mm - v) ** 2) /
                                  (2 * sigma_mm ** 2)) for u, v in disc)
            for cx, cy in cells]


def cells_of(rows, columns, pitch_mm):
    return [(pitch_mm * (c - (columns - 1) / 2), pitch_mm * (r - (rows - 1) / 2))
            for r in range(rows) for c in range(columns)]


def wide_array_from_corner(draw):
    """60 cells under a wide flat tip, one place beside each, which are counted from the array's
    corner; each row read at rest."""
    pitch_mm, tip_mm = draw.uniform(4, 8), 10
    sigma_mm = pitch_mm * draw.uniform(0.45, 0.8)
    cells, disc = cells_of(6, 10, pitch_mm), disc_of(tip_mm)
    slopes = [draw.uniform(800, 2000) for _ in cells]
    rests = [draw.uniform(100, 300) for _ in cells]
    table = []
    for cx, cy in cells:
        x_mm, y_mm = cx + draw.uniform(-0.4, 0.4) * pitch_mm, cy + draw.uniform(-0.4, 0.4) * pitch_mm
        factor = 1 + 0.01 * draw.gauss(0, 1)
        shares = shares_of(cells, pitch_mm, sigma_mm, x_mm, y_mm, disc)
        for force_N in (0, 1, 2, 3, 4, 5):
            table.append([f"{x_mm + 5 * pitch_mm:.4f}", f"{y_mm + 3 * pitch_mm:.4f}",
                          f"{force_N:.3f}"] +
                         [str(round(rest + slope * factor * share * force_N + draw.gauss(0, 2)))
                          for slope, rest, share in zip(slopes, rests, shares)])
    return Recording("wide array, from its corner",
                     table_of(["x_mm", "y_mm", "force_N"] + [f"s{i}" for i in range(60)], table),
                     ["--layout", "6x10", "--pitch", f"{pitch_mm:.6f}", "--indenter",
                      f"cylinder {tip_mm}"],
                     {"psf.sigma": 1e-3 * sigma_mm, "response.tactels.33.gain": 1 / slopes[33]},
                     "psf.sigma")


def row_per_place(draw):
    """A small array of cells, a pin set down anywhere on it, each time at another place and under
    another force, one row each; some rows unloaded."""
    pitch_mm = draw.uniform(4, 8)
    sigma_mm = pitch_mm * draw.uniform(0.5, 0.9)
    cells = cells_of(3, 4, pitch_mm)
    slopes = [draw.uniform(800, 2000) for _ in cells]
    rests = [draw.uniform(100, 300) for _ in cells]
    table = []
    for i in range(120):
        x_mm, y_mm = draw.uniform(-2, 2) * pitch_mm, draw.uniform(-1.5, 1.5) * pitch_mm
        force_N = 0 if i < 10 else draw.uniform(0.5, 2)
        factor = 1 + 0.01 * draw.gauss(0, 1)
        shares = shares_of(cells, pitch_mm, sigma_mm, x_mm, y_mm, [(0, 0)])
        table.append([f"{x_mm:.4f}", f"{y_mm:.4f}", f"{force_N:.4f}"] +
                     [str(round(rest + slope * factor * share * force_N + draw.gauss(0, 2)))
                      for slope, rest, share in zip(slopes, rests, shares)])
    return Recording("a row per place",
                     table_of(["x_mm", "y_mm", "force_N"] + [f"s{i}" for i in range(12)], table),
                     ["--layout", "3x4", "--pitch", f"{pitch_mm:.6f}", "--indenter",
                      "cylinder 0.2"],
                     {"psf.sigma": 1e-3 * sigma_mm} |
                     {f"response.tactels.{i}.gain": 1 / slope for i, slope in enumerate(slopes)},
                     "psf.sigma")


def row_per_place_of_a_strip(draw):
    """Cells in one row, a pin set down anywhere along them, one row each; nobody wrote down how far
    beside the row, which was nowhere."""
    count, pitch_mm = draw.randint(6, 10), draw.uniform(4, 8)
    sigma_mm = pitch_mm * draw.uniform(0.5, 0.9)
    cells = cells_of(1, count, pitch_mm)
    slopes = [draw.uniform(800, 2000) for _ in cells]
    rests = [draw.uniform(100, 300) for _ in cells]
    table = []
    for i in range(90):
        x_mm = draw.uniform(-count / 2, count / 2) * pitch_mm
        force_N = 0 if i < 10 else draw.uniform(0.5, 2)
        factor = 1 + 0.01 * draw.gauss(0, 1)
        shares = shares_of(cells, pitch_mm, sigma_mm, x_mm, 0, [(0, 0)])
        table.append([f"{x_mm:.4f}", f"{force_N:.4f}"] +
                     [str(round(rest + slope * factor * share * force_N + draw.gauss(0, 2)))
                      for slope, rest, share in zip(slopes, rests, shares)])
    on_centre = pitch_mm ** 2 / (2 * math.pi * sigma_mm ** 2)
    return Recording("a row per place of a strip",
                     table_of(["x_mm", "force_N"] + [f"s{i}" for i in range(count)], table),
                     ["--layout", f"1x{count}", "--pitch", f"{pitch_mm:.6f}", "--indenter",
                      "cylinder 0.2"],
                     {"psf.sigma": 1e-3 * sigma_mm} |
                     {f"response.tactels.{i}.press_gain": 1 / (slope * on_centre)
                      for i, slope in enumerate(slopes)},
                     "psf.sigma")


def resistive_foam(draw):
    """Foam under a force gauge: conductance, readings over F/(F + b), to newtons by `apply`."""
    span, half_N, rest = draw.uniform(3000, 8000), draw.uniform(3, 8), draw.uniform(50, 200)
    law = lambda f: rest + span * max(f, 0) / (max(f, 0) + half_N)
    presses = Presses(law, draw.uniform(5, 10), draw.randint(4, 8))
    rows = ramps(draw, presses)
    readings = [(law(share * presses.peak_N), share * presses.peak_N) for share in (0.3, 0.5, 0.7)]
    return Recording("resistive foam", as_table(rows), ["--indenter", "cylinder 10"],
                     {"newtons": readings[1][1]}, "newtons", readings=readings,
                     fitted_by=("of_foam",
                                [(f, c) for _, press, f, c, up in rows if press >= 0 and up],
                                readings[1][0]))


def weights_on_a_resistor(draw):
    """A pressure-sensitive resistor in a divider, some rounds of weights, each read at rest."""
    span, half_N, rest = draw.uniform(800, 3000), draw.uniform(2, 9), draw.uniform(20, 120)
    law = lambda f: rest + span * f / (f + half_N)
    masses = [100 * i for i in range(draw.randint(7, 12))]
    rows, pairs = [], []
    for _ in range(draw.randint(3, 6)):
        factor = 1 + 0.006 * draw.gauss(0, 1)
        for mass_g in masses:
            force_N = mass_g * 1e-3 * GRAVITY_M_PER_S2
            counts = round(law(factor * force_N) + draw.gauss(0, 1))
            rows.append([str(mass_g), str(counts)])
            pairs.append((force_N, counts))
    peak_N = masses[-1] * 1e-3 * GRAVITY_M_PER_S2
    readings = [(law(share * peak_N), share * peak_N) for share in (0.3, 0.5, 0.7)]
    return Recording("weights on a resistor", table_of(["mass_g", "adc"], rows), [],
                     {"newtons": readings[1][1]}, "newtons", readings=readings,
                     fitted_by=("of_foam", pairs, readings[1][0]))


def bad_contact(draw):
    """A wire that lets go in the middle of one press, for some hundredths of a second."""
    slope, rest = draw.uniform(120, 600), draw.uniform(100, 500)
    presses = Presses(lambda f: rest + slope * f, draw.uniform(3, 6), draw.randint(4, 8))
    which, lost, length_s = draw.randrange(presses.count), [None], draw.uniform(0.03, 0.08)

    def disturb(time_s, press, reading):
        if press == which and lost[0] is None and reading > rest + 0.5 * slope * presses.peak_N:
            lost[0] = time_s
        if lost[0] is not None and lost[0] <= time_s < lost[0] + length_s:
            return draw.uniform(0, rest)
        return reading

    rows = ramps(draw, presses, disturb)
    kept = [row for row in rows if row[1] != which]
    return Recording("bad contact in a press", as_table(rows), ["--indenter", "cylinder 5"],
                     {"response.tactels.0.press_gain": 1 / slope,
                      "response.tactels.0.offset": rest},
                     "response.tactels.0.press_gain",
                     slope_of(loading_pairs(kept, lambda c: c > rest + 30)))


def drifting(draw):
    """The reading at rest creeps away by some percent of the range while presses go on."""
    slope, rest = draw.uniform(120, 600), draw.uniform(200, 800)
    presses = Presses(lambda f: rest + slope * f, draw.uniform(3, 6), draw.randint(5, 8))
    whole_s = 4.0 * presses.count
    drift = draw.choice([-1, 1]) * draw.uniform(0.01, 0.05) * slope * presses.peak_N
    rows = ramps(draw, presses, lambda t, press, reading: reading + drift * t / whole_s)
    gains = [slope_of([(c, f) for _, p, f, c, up in rows if p == press and up and f > 0.1])
             for press in range(presses.count)]
    return Recording("drift of the rest", as_table(rows), ["--indenter", "cylinder 5"],
                     {"response.tactels.0.press_gain": 1 / slope},
                     "response.tactels.0.press_gain", sum(gains) / len(gains))


def copied_rows(draw):
    """A logger quicker than its sensor: each row is written twice, time stamp and all."""
    slope, rest = draw.uniform(120, 600), draw.uniform(100, 500)
    presses = Presses(lambda f: rest + slope * f, draw.uniform(3, 6), draw.randint(4, 8))
    rows = ramps(draw, presses)
    twice = [row for row in rows for _ in range(2)]
    return Recording("rows written twice", as_table(twice), ["--indenter", "cylinder 5"],
                     {"response.tactels.0.press_gain": 1 / slope,
                      "response.tactels.0.offset": rest},
                     "response.tactels.0.press_gain",
                     slope_of(loading_pairs(rows, lambda c: c > rest + 30)), "repeated-times")


def slip_of_sign(draw):
    """A force that reads negative when pressing, in another unit, under a name that says it."""
    slope, rest = draw.uniform(120, 600), draw.uniform(100, 500)
    presses = Presses(lambda f: rest + slope * f, draw.uniform(3, 6), draw.randint(4, 8))
    rows = ramps(draw, presses)
    name, scale = draw.choice([("Fz_mN", 1e3), ("load [gf]", 1e3 / GRAVITY_M_PER_S2),
                               ("force (N)", 1.0)])
    sign = draw.choice([-1, 1])
    written = [(t, p, sign * scale * f, c, up) for t, p, f, c, up in rows]
    return Recording("sign and unit of the force", as_table(written, name),
                     ["--indenter", "cylinder 5"],
                     {"response.tactels.0.press_gain": 1 / slope,
                      "response.tactels.0.offset": rest},
                     "response.tactels.0.press_gain",
                     slope_of(loading_pairs(rows, lambda c: c > rest + 30)))


def begun_late(draw):
    """A logger that was started while the first press was on, at any place of it."""
    slope, rest = draw.uniform(120, 600), draw.uniform(100, 500)
    presses = Presses(lambda f: rest + slope * f, draw.uniform(3, 6), draw.randint(4, 8))
    rows = ramps(draw, presses)
    first = [i for i, row in enumerate(rows) if row[1] == 0]
    rows = rows[first[int(draw.uniform(0.1, 0.9) * len(first))]:]
    sign = draw.choice([-1, 1])
    written = [(t, p, sign * f, c, up) for t, p, f, c, up in rows]
    whole = [row for row in rows if row[1] != 0]
    return Recording("logger started under load", as_table(written), ["--indenter", "cylinder 5"],
                     {"response.tactels.0.press_gain": 1 / slope,
                      "response.tactels.0.offset": rest},
                     "response.tactels.0.press_gain",
                     slope_of(loading_pairs(whole, lambda c: c > rest + 30)))


def one_way_friction(draw):
    """A sled pulled one way at several speeds under a load, lifted on its way back; 500 rows per
    second, an encoder of a tenth of a micrometre."""
    kinetic, static = draw.uniform(0.25, 0.5), 0.0
    static = kinetic * draw.uniform(1.2, 1.5)
    scale_mm_s, load_N = draw.uniform(1.0, 3.0), draw.uniform(1, 4)
    speeds = [0.3, 0.6, 1, 1.5, 2.2, 3, 4.5, 6.5, 10, 15]
    rows, runs, time_s, x_mm = [], [], 0.0, 0.0

    def row(v_mm_s, under_load, factor=1.0):
        nonlocal time_s, x_mm
        mu = 0.0
        if v_mm_s > 0 and under_load:
            mu = factor * (kinetic +
                           (static - kinetic) * math.exp(-(v_mm_s / scale_mm_s) ** 2))
        load = load_N if under_load else 0.0
        rows.append([f"{time_s:.3f}", f"{x_mm + draw.gauss(0, 0.0001):.5f}", f"{load + draw.gauss(0, 0.004):.4f}",
                     f"{mu * load + draw.gauss(0, 0.004):.4f}"])
        time_s += 0.002
        x_mm += 0.002 * v_mm_s

    order = speeds * 2
    draw.shuffle(order)
    for v_mm_s in order:
        for _ in range(400):
            row(0, False)
        for _ in range(150):
            row(0, True)
        factor = 1 + 0.005 * draw.gauss(0, 1)
        begin = len(rows)
        for _ in range(int(max(1.0, min(4.0, 12 / v_mm_s)) / 0.002)):
            row(v_mm_s, True, factor)
        pulled = [(float(load), float(shear)) for _, _, load, shear in rows[begin:]]
        runs.append((v_mm_s, sum(s for _, s in pulled) / sum(n for n, _ in pulled)))
        for _ in range(150):
            row(0, True)
        back = int(x_mm / (20 * 0.002)) + 1
        step = x_mm / (back * 0.002)
        for _ in range(back):
            row(-step, False)
    return Recording("one-way friction", table_of(["t_s", "x_mm", "load_N", "shear_N"], rows), [],
                     {"friction.contact.mu_d": kinetic, "friction.contact.mu_s": static,
                      "friction.contact.v_s": 1e-3 * scale_mm_s}, "friction.contact.mu_d",
                     fitted_by=("of_friction", runs))


def log_spaced_relaxation(draw):
    """A ball held in a soft polymer, force read at times that grow apart."""
    stiffness = draw.uniform(1, 4)  # N/mm, at once
    parts = [draw.uniform(0.15, 0.3), draw.uniform(0.1, 0.25)]
    times_s = [draw.uniform(1, 4), draw.uniform(30, 120)]
    rest = 1 - sum(parts)
    rows, depth_mm, ramp_s = [], 1.0, 0.2
    until_s = times_s[1] * draw.uniform(8, 15)

    def force(held_s):
        """Ramp of `ramp_s` at constant speed, then held: each branch in closed form."""
        total = rest
        for part, tau in zip(parts, times_s):
            total += (part * tau / ramp_s * (1 - math.exp(-ramp_s / tau)) *
                      math.exp(-held_s / tau))
        return stiffness * depth_mm * total

    def rising(at_s):
        total = rest * at_s
        for part, tau in zip(parts, times_s):
            total += part * tau * (1 - math.exp(-at_s / tau))
        return stiffness * depth_mm / ramp_s * total

    def row(time_s, depth, force_N):
        rows.append([f"{time_s:.5f}", f"{depth:.5f}", f"{force_N + draw.gauss(0, 0.002):.5f}"])

    for i in range(100):
        row(0.01 * i, 0.0, 0.0)
    for i in range(100):
        at_s = ramp_s * i / 100
        row(1 + at_s, depth_mm * at_s / ramp_s, rising(at_s))
    many, held = draw.randint(250, 400), []
    for i in range(many):
        held_s = 0.005 * (until_s / 0.005) ** (i / (many - 1))
        row(1 + ramp_s + held_s, depth_mm, force(held_s))
        held.append((held_s, float(rows[-1][2])))
    return Recording("log-spaced relaxation", table_of(["t_s", "depth_mm", "force_N"], rows),
                     ["--indenter", "sphere 6"],
                     {"relaxation.g_inf": rest, "relaxation.tau.0": times_s[0],
                      "relaxation.tau.1": times_s[1]}, "relaxation.g_inf",
                     fitted_by=("of_relaxation", held, ramp_s), never_warns="TOO-FAST")


def joint_friction(draw):
    """A joint driven to and fro at several speeds: its encoder and the torque of its motor, 200
    rows per second, with a weight that pulls one way and a torque more while it speeds up."""
    coulomb = draw.uniform(0.2, 1.5)  # N*m
    breakaway = coulomb * draw.uniform(1.25, 1.7)
    scale_rad_s, viscous = draw.uniform(0.08, 0.25), coulomb * draw.uniform(0.02, 0.2)
    pull, inertia = coulomb * draw.uniform(-0.2, 0.2), coulomb * draw.uniform(0.01, 0.05)
    speeds = [0.02, 0.04, 0.07, 0.11, 0.17, 0.25, 0.4, 0.7, 1.2, 2.0]
    rows, runs, time_s, angle_rad = [], [], 0.0, 0.0

    def row(w_rad_s, torque_Nm):
        nonlocal time_s, angle_rad
        rows.append([f"{time_s:.3f}", f"{angle_rad:.7f}",
                     f"{torque_Nm + draw.gauss(0, 0.004 * coulomb):.5f}"])
        time_s += 0.005
        angle_rad += 0.005 * w_rad_s

    order = [sign * w for w in speeds for sign in (-1, 1)] * 2
    draw.shuffle(order)
    for w_rad_s in order:
        for _ in range(60):
            row(0, pull)
        for i in range(20):  # speeds up within a tenth of a second
            row(w_rad_s * (i + 1) / 20, pull + math.copysign(breakaway, w_rad_s) +
                inertia * w_rad_s / 0.1)
        slow = math.exp(-(w_rad_s / scale_rad_s) ** 2)
        level = ((coulomb + (breakaway - coulomb) * slow) * (1 + 0.008 * draw.gauss(0, 1)) +
                 viscous * abs(w_rad_s))
        begin = len(rows)
        for _ in range(draw.randint(200, 400)):
            row(w_rad_s, pull + math.copysign(level, w_rad_s))
        torques = [float(torque) for _, _, torque in rows[begin:]]
        runs.append((w_rad_s, sum(torques) / len(torques)))
    for _ in range(60):
        row(0, pull)
    name, scale = draw.choice([("angle_rad", 1), ("joint angle [deg]", 180 / math.pi)])
    table = [[t, f"{float(angle) * scale:.7f}", torque] for t, angle, torque in rows]
    return Recording("friction of a joint", table_of(["t_s", name, "torque (Nm)"], table), [],
                     {"joints.0.coulomb": coulomb, "joints.0.breakaway": breakaway,
                      "joints.0.stribeck_speed": scale_rad_s, "joints.0.viscous": viscous,
                      "joints.0.offset": pull}, "joints.0.coulomb",
                     fitted_by=("of_joint", runs))


def falling_and_drifting(draw):
    """A cell that falls from a high rest which creeps away, under a gauge whose zero is off."""
    slope, top = draw.uniform(120, 600), draw.uniform(2500, 4000)
    presses = Presses(lambda f: top - slope * f, draw.uniform(0.3, 0.6) * top / slope,
                      draw.randint(5, 8))
    whole_s = 4.0 * presses.count
    drift = draw.choice([-1, 1]) * draw.uniform(0.01, 0.05) * slope * presses.peak_N
    bias_N = draw.choice([-1, 1]) * draw.uniform(0.02, 0.1) * presses.peak_N
    rows = ramps(draw, presses, lambda t, press, reading: reading + drift * t / whole_s)
    gains = [slope_of([(c, f) for _, p, f, c, up in rows if p == press and up and f > 0.1])
             for press in range(presses.count)]
    written = [(t, p, f + bias_N, c, up) for t, p, f, c, up in rows]
    return Recording("falling, drift and bias", as_table(written), ["--indenter", "cylinder 5"],
                     {"response.tactels.0.press_gain": 1 / slope},
                     "response.tactels.0.press_gain", abs(sum(gains) / len(gains)))


def sled_of_two_speeds(draw):
    """A sled or a seal to and fro, another speed either way, with a side force of the set-up."""
    mu, load_N = draw.uniform(0.15, 0.8), draw.uniform(2, 20)
    side_N = draw.uniform(-0.2, 0.2) * mu * load_N
    forth_mm_s = draw.uniform(4, 12)
    back_mm_s = forth_mm_s * draw.uniform(1.2, 2.5)
    rows, time_s, x_mm, means = [], 0.0, 0.0, {1: [], -1: []}

    def row(v_mm_s, factor):
        nonlocal time_s, x_mm
        way = 0 if v_mm_s == 0 else math.copysign(1, v_mm_s)
        shear_N = side_N + way * factor * mu * load_N + draw.gauss(0, 0.01 * mu * load_N)
        rows.append([f"{time_s:.2f}", f"{x_mm + draw.gauss(0, 0.002):.4f}",
                     f"{load_N + draw.gauss(0, 0.002 * load_N):.4f}", f"{shear_N:.5f}"])
        time_s += 0.01
        x_mm += 0.01 * v_mm_s
        return shear_N

    for stroke in range(2 * draw.randint(4, 8)):
        way = 1 if stroke % 2 == 0 else -1
        speed = way * (forth_mm_s if way > 0 else back_mm_s)
        for _ in range(60):
            row(0, 1)
        factor = 1 + 0.01 * draw.gauss(0, 1)
        means[way].append([row(speed, factor)
                           for _ in range(int(30 / abs(speed) / 0.01))])
    for _ in range(60):
        row(0, 1)
    both = [sum(sum(run) / len(run) for run in runs) / len(runs) for runs in means.values()]
    return Recording("sled of two speeds", table_of(["t_s", "x_mm", "load_N", "shear_N"], rows), [],
                     {"friction.contact.mu_d": mu}, "friction.contact.mu_d",
                     (both[0] - both[1]) / 2 / load_N)


KINDS = [falling_with_floor, plateaus_of_weights, rows_of_weights, static_raster,
         wide_array_from_corner, row_per_place, row_per_place_of_a_strip, resistive_foam,
         weights_on_a_resistor, bad_contact, drifting, copied_rows, slip_of_sign, begun_late,
         falling_and_drifting, one_way_friction, sled_of_two_speeds, log_spaced_relaxation,
         joint_friction]


def recording(kind, seed):
    """`kind`: one of KINDS."""
    return kind(random.Random(f"{kind.__name__} {seed}"))
