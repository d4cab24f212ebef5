import argparse
import datetime
import json
import math
import pathlib
import statistics
import sys
import tempfile


class NotPossible(Exception):
    """What a target can't do. The record says so, and why."""


class Engine:
    """A simulator with the exported pad in it, pressed by a plate or a ball. Lengths in m, forces
    in N. A subclass says how its simulator does the following; forces belong to where a step
    begins."""

    time_step_s = 1e-3
    driven_only = False  # nothing rests on the pad's springs: forces are compared by depth

    def __init__(self, folder, reference):
        self.folder, self.pad, self.main = folder, reference["pad"], reference["main"]

    def facts(self):
        """engine, version, time_step_s, solver_tolerance"""
        raise NotImplementedError

    def place(self, shape, mass_kg, position_m, normal):
        """A fresh scene without gravity: "plate" or "ball", which moves along normal and x alone
        and doesn't turn, with its centre at position_m."""
        raise NotImplementedError

    def push(self, force_N):
        """Against the normal, in the next step."""
        raise NotImplementedError

    def drive(self, inward_m_per_s, along_x_m_per_s):
        """Sets the object's speed for the next step."""
        raise NotImplementedError

    def step(self):
        raise NotImplementedError

    def inward_m(self):
        """How far the object has moved against the normal since it was placed."""
        raise NotImplementedError

    def inward_m_per_s(self):
        raise NotImplementedError

    def forces_N(self):
        """On each tactel along its normal, in the order of the tactels."""
        raise NotImplementedError

    def lateral_N(self):
        """Along x, of all tactels."""
        raise NotImplementedError


PLATE_HALF_M = 0.01
STILL_M_PER_S = 1e-8
STILL_STEPS = 50
SLIDE_M = 0.01


class Presses:
    """The list of presses that every target is asked for."""

    def __init__(self, engine, pad):
        self.engine, self.pad = engine, pad

    def _place(self, shape, mass_kg, tactel=None):
        if shape == "plate":
            height = self.pad["tactels"][0]["position_m"][2] + PLATE_HALF_M
            return self.engine.place(shape, mass_kg, [0, 0, height], [0, 0, 1])
        at, radius = self.pad["tactels"][tactel], self.pad["ball_radius_m"]
        centre = [p + radius * n for p, n in zip(at["position_m"], at["normal"])]
        return self.engine.place(shape, mass_kg, centre, at["normal"])

    def at_rest(self, shape, load_N, tactels, tactel=None):
        """Damped from outside, so that it comes to rest without swinging."""
        engine, dt = self.engine, self.engine.time_step_s
        stiffness = self.pad["stiffness_N_per_m"] * tactels
        mass_kg = max(0.01, 16 * stiffness * dt * dt)
        damping = 2 * math.sqrt(mass_kg * stiffness)
        self._place(shape, mass_kg, tactel)
        longest = 30 + 40 * self.pad["damping_N_s_per_m"] / self.pad["stiffness_N_per_m"]
        still = 0
        for _ in range(int(longest / dt)):
            engine.push(load_N - damping * engine.inward_m_per_s())
            engine.step()
            still = still + 1 if abs(engine.inward_m_per_s()) < STILL_M_PER_S else 0
            if still == STILL_STEPS:
                return engine.inward_m(), engine.forces_N()
        raise NotPossible(f"not at rest after {longest:g} s under {load_N:g} N")

    def moving(self, depth_m, speed_m_per_s):
        self._place("plate", 1e4)
        return self._drive_to(depth_m, speed_m_per_s)

    def _drive_to(self, depth_m, speed_m_per_s):
        """The forces belong to where the step began in which the depth was reached."""
        engine = self.engine
        most = int(2 * depth_m / speed_m_per_s / engine.time_step_s) + 1000
        for _ in range(most):
            begin = engine.inward_m()
            engine.drive(speed_m_per_s, 0)
            engine.step()
            if begin >= depth_m:
                return begin, engine.forces_N()
        raise NotPossible(f"a plate driven at {speed_m_per_s:g} m/s did not arrive")

    def sliding(self, depth_m, speed_m_per_s):
        self.moving(depth_m, speed_m_per_s)
        lateral = normal = 0
        for _ in range(int(SLIDE_M / speed_m_per_s / self.engine.time_step_s)):
            self.engine.drive(0, speed_m_per_s)
            self.engine.step()
            lateral += abs(self.engine.lateral_N())
            normal += sum(self.engine.forces_N())
        return lateral / normal


def press(name, expected, seen, reference):
    return {"press": name, "expected": expected, "seen": seen,
            "error_percent": 100 * (seen - expected) / reference}


def quantity(name, unit, tolerance_percent, presses):
    errors = [abs(one["error_percent"]) for one in presses]
    return {"name": name, "unit": unit, "tolerance_percent": tolerance_percent,
            "median_percent": statistics.median(errors), "worst_percent": max(errors),
            "passed": max(errors) <= tolerance_percent, "presses": presses}


class Verification:
    def __init__(self, engine, reference, say=lambda text: None):
        self.reference, self.pad, self.say = reference, reference["pad"], say
        self.presses = Presses(engine, self.pad)
        self.quantities, self.left_out = [], list(reference["left_out"])

    def run(self):
        for what in (self.plate, self.held, self.damping, self.friction, self.balls):
            try:
                what()
            except NotPossible as why:
                self.left_out.append(f"{what.__name__}: {why}")
        return self

    def plate(self):
        depths, forces = [], []
        for one in self.reference["plate"]:
            self.say(one["press"])
            depth, seen = self.presses.at_rest("plate", one["load_N"], len(self.pad["tactels"]))
            depths.append(press(one["press"], one["depth_m"], depth, one["depth_m"]))
            forces += [press(f"{one['press']}: tactel {i}", one["force_N"], force, one["force_N"])
                       for i, force in enumerate(seen)]
        self._add("depth under a plate", "m", "static", depths)
        self._add("force on each tactel under a plate", "N", "static", forces)

    def held(self):
        found = []
        for one in self.reference["plate"] if self.presses.engine.driven_only else []:
            self.say(one["press"])
            depth, seen = self.presses.moving(one["depth_m"], one["depth_m"])  # in a second
            expected = self.pad["stiffness_N_per_m"] * depth
            found += [press(f"plate {depth:.4g} m deep: tactel {i}", expected, force, expected)
                      for i, force in enumerate(seen)]
        self._add("force on each tactel by depth", "N", "static", found)

    def damping(self):
        """Of forces at two speeds: the spring's share falls out."""
        k, c, found = self.pad["stiffness_N_per_m"], self.pad["damping_N_s_per_m"], []
        for one in self.reference["moving"]:
            self.say(one["press"])
            fast_m, fast = self.presses.moving(one["depth_m"], one["speed_m_per_s"])
            slow_m, slow = self.presses.moving(one["depth_m"], one["speed_m_per_s"] / 10)
            for i, (a, b) in enumerate(zip(fast, slow)):
                seen = (a - b - k * (fast_m - slow_m)) / (0.9 * one["speed_m_per_s"])
                found.append(press(f"{one['press']}: tactel {i}", c, seen, c))
        self._add("damping of each tactel", "N*s/m", "damping", found)

    def friction(self):
        mu, found = self.pad["friction"], []
        for one in self.reference["sliding"]:
            self.say(one["press"])
            seen = self.presses.sliding(one["depth_m"], one["speed_m_per_s"])
            found.append(press(one["press"], mu, seen, mu))
        self._add("friction of a sliding plate", "", "friction", found)

    def balls(self):
        depths, forces, beside = [], [], []
        for one in self.reference["ball"]:
            self.say(one["press"])
            load = one["load_N"]
            depth, seen = self.presses.at_rest("ball", load, 1, one["tactel"])
            depths.append(press(one["press"], one["depth_m"], depth, one["depth_m"]))
            forces.append(press(one["press"], load, seen[one["tactel"]], load))
            beside.append(press(one["press"], 0, sum(seen) - seen[one["tactel"]], load))
        self._add("depth of a ball on one tactel", "m", "static", depths)
        self._add("force on the tactel under a ball", "N", "static", forces)
        self._add("force on all others", "N", "static", beside)

    def _add(self, name, unit, tolerance, presses):
        if presses:
            percent = self.reference["tolerance_percent"][tolerance]
            self.quantities.append(quantity(name, unit, percent, presses))


def record_of(verification, facts, reference):
    """By data/schemas/verification-record.schema.json of Tactelier."""
    now = datetime.datetime.now(datetime.timezone.utc)
    about = reference["record"]
    return {"format": "tactelier/verification-record", "version": 1, "name": about["name"],
            "created": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "tool": about["tool"],
            "sensor": about["sensor"], "model_sha256": about["model_sha256"],
            "assumed": about["assumed"], "target": {"format": about["format"], **facts},
            "force_N": about["force_N"],
            "passed": bool(verification.quantities) and
            all(one["passed"] for one in verification.quantities),
            "quantities": verification.quantities, "left_out": verification.left_out}


def verify(engine_class, reference, words=None):
    """0: passed, 5: an error is too large, 1: nothing could be compared."""
    parser = argparse.ArgumentParser(description="Presses an exported tactile pad again and writes "
                                     "a verification record.")
    parser.add_argument("--record", default=reference["record"]["name"] + ".json",
                        help="file to write, %(default)s")
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in reference["files"].items():
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
        engine = engine_class(pathlib.Path(folder), reference)
        verification = Verification(engine, reference,
                                    lambda text: print(text, file=sys.stderr)).run()
        record = record_of(verification, engine.facts(), reference)
    pathlib.Path(arguments.record).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for one in verification.quantities:
        print(f"{one['name']}: worst {one['worst_percent']:.3g} % of {one['tolerance_percent']:g}, "
              f"{'passed' if one['passed'] else 'FAILED'}")
    for why in verification.left_out:
        print("not compared:", why)
    return 0 if record["passed"] else 5 if verification.quantities else 1
