#!/usr/bin/env python3
"""scripts/accuracy: its statistics against hand-computed numbers, and that a run goes on.

usage: accuracy_test.py TACTELIER
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import accuracy_studies  # noqa: E402
import accuracy_table  # noqa: E402

TACTELIER = sys.argv.pop(1)


def identified(value, half):
    return {"value": value, "u_total": half, "ci95": [value - half / 2, value + half / 2],
            "status": "identified"}


def refused(reason):
    return {"value": None, "status": "unidentifiable", "reason": reason}


def model(sigma, k):
    return {"psf": {"sigma": sigma}, "stiffness": {"k_punch": k}, "relaxation": {},
            "response": {"tactels": [{"gain": identified(1.1, 0.2)}, {"gain": identified(2.5, 0.2)},
                                     {"gain": refused("ID-01 no")}]},
            "quality": {"psf": {"warnings": [{"code": "PS-03"}]}}}


TRUTH = {"psf": {"sigma": {"value": 2.0}}, "stiffness": {"k_punch": {"value": 1000.0}},
         "relaxation": {}, "response": {"tactels": [{"gain": {"value": g}} for g in (1.0, 2.0, 3.0)]}}


class Statistics(unittest.TestCase):
    def compared(self, preset, sigma, k):
        accuracy_studies.STUDIES["of this test"] = accuracy_studies.Study(
            "", "study", ("psf.sigma", "stiffness.k_punch", "response.tactels.gain"))
        return accuracy_table.compare("of this test", model(sigma, k), TRUTH, preset == "lab")

    def test_error_and_interval_are_relative_to_the_truth(self):
        result = self.compared("lab", identified(2.1, 0.2), refused("RC-06 too soft a rig"))
        error, half, _ = result["found"]["psf.sigma"][0]
        self.assertAlmostEqual(error, 0.05)
        self.assertAlmostEqual(half, 0.1)
        self.assertEqual(result["refused"], {"stiffness.k_punch": ["RC-06"]})
        self.assertEqual(result["warned"], ["PS-03"])

    def test_a_clean_pad_has_no_certificate_in_its_intervals(self):
        result = self.compared("clean", identified(2.1, 0.2), refused("RC-06"))
        self.assertAlmostEqual(result["found"]["psf.sigma"][0][1], 0.05)

    def test_a_gain_of_the_force_sensor_counts_in_what_is_held_and_not_in_the_error(self):
        self.compared("lab", identified(2.0, 0.1), identified(1030, 10))  # registers the study
        result = accuracy_table.compare("of this test", model(identified(2.0, 0.1),
                                                              identified(1030, 10)),
                                        TRUTH, True, {"stiffness.k_punch": 1.02})
        error, half, apart = result["found"]["stiffness.k_punch"][0]
        self.assertAlmostEqual(error, 0.03)
        self.assertAlmostEqual(half, 0.01)
        self.assertAlmostEqual(apart, 10 / 1020)
        self.assertEqual(result["found"]["psf.sigma"][0][2], 0)

    def test_what_is_refused_of_a_tactel_is_not_counted_but_held_is_counted_by_sensor(self):
        # Of this sensor's two tactels one holds: half a sensor of one.
        results = [self.compared("lab", identified(2.1, 0.2), refused("RC-06"))]
        row = accuracy_table.row("response.tactels.gain", results, None)
        self.assertIn("1 of 1", row)
        self.assertIn("50.0 (", row)

    def test_bounds_of_a_proportion(self):
        # Wilson's score interval of 47 of 50 at z = 1.96, by hand.
        low, high = accuracy_table.wilson(47, 50)
        self.assertAlmostEqual(low, 0.8378, 4)
        self.assertAlmostEqual(high, 0.9794, 4)

    def test_the_95th_percentile_of_200_leaves_ten_above(self):
        self.assertEqual(accuracy_table.percentile(range(1, 201), 0.95), 190)

    def test_seeds_are_said_as_runs(self):
        self.assertEqual(accuracy_table.seeds_of([3, 1, 2, 7]), "1–3, 7")


class Run(unittest.TestCase):
    def accuracy(self, *arguments):
        done = subprocess.run([sys.executable, ROOT / "scripts/accuracy", *arguments], text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, done.stderr

    def test_goes_on_where_it_was_and_makes_a_table(self):
        with tempfile.TemporaryDirectory() as name:
            results = pathlib.Path(name)
            run = ("run", "study", "--preset", "clean", "--seeds", "1-2", "--results", name,
                   "--tactelier", TACTELIER)
            self.accuracy(*run, "--shard", "2/2")
            self.assertEqual([f.name for f in (results / "study/clean").iterdir()], ["2.json"])
            _, said = self.accuracy(*run)
            self.assertIn("2 wanted, 1 to do", said)
            _, said = self.accuracy(*run)
            self.assertIn("2 wanted, 0 to do", said)
            other = results / "study/clean/1.json"
            of_another = json.loads(other.read_text(encoding="utf-8"))
            of_another["program"] = "another"
            other.write_text(json.dumps(of_another), encoding="utf-8")
            _, said = self.accuracy(*run)
            self.assertIn("2 wanted, 1 to do", said)
            table, _ = self.accuracy("table", "--results", name)
            self.assertIn("## `study`, pad `clean`: seeds 1–2", table)
            sigma = next(line for line in table.splitlines() if line.startswith("| psf.sigma |"))
            self.assertIn("| 2 of 2 |", sigma)


if __name__ == "__main__":
    unittest.main()
