"""Tables of presses and free bodies simulated in Python, against weights and the command line."""

import csv
import json
import shutil
import unittest

import numpy as np

import tactelier
from support import cli, folder, refusal, truth_file

BALL = {"shape": "sphere", "diameter_mm": 6}
CUBE = {"shape": "box", "x_mm": 8, "y_mm": 8}


def table(name, rows):
    path = folder() / name
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["x_mm", "y_mm", "force_N"])
        writer.writerows(rows)
    return path


class Batches(unittest.TestCase):
    ROWS = [(0.0, 0.0, 1.0), (0.5, -0.4, 2.0), (-0.7, 0.2, 1.5), (1.0, 1.0, 0.5), (0.0, 0.9, 2.5)]

    @classmethod
    def setUpClass(cls):
        cls.model = tactelier.load_model(truth_file())
        cls.table = table("poses.csv", cls.ROWS)

    def test_each_image_is_that_of_its_press(self):
        made = self.model.simulate_batch(self.table, folder() / "all.npz", indenter=BALL)
        self.assertEqual((made["count"], made["first_row"], made["unit"], made["done_before"]),
                         (5, 0, "N", False))
        with np.load(made["images"]) as arrays:
            images, load_N = arrays["images"], arrays["load_N"]
        self.assertEqual(images.shape, (5, 3, 3))
        for image, load, (x_mm, y_mm, force_N) in zip(images, load_N, self.ROWS):
            one = self.model.forward(BALL, x_m=x_mm * 1e-3, y_m=y_mm * 1e-3, force_N=force_N)
            np.testing.assert_allclose(image, one.values, rtol=1e-4)
            self.assertEqual(load, force_N)

    def test_files_are_the_command_lines(self):
        made = self.model.simulate_batch(self.table, folder() / "ours.npz", indenter=BALL,
                                         counts=True, seed=3, threads=1)
        told = json.loads(cli("simulate", "--model", truth_file(), "--batch", self.table,
                              "--indenter", json.dumps(BALL), "--counts", "--noise", "--seed", 3,
                              "-o", "theirs.npz", "--json").stdout)
        for key in ("unit", "model_sha256", "first_row", "count", "done_before"):
            self.assertEqual(made[key], told["result"][key], key)
        self.assertEqual(made["warnings"], told["warnings"])
        for ending in ("npz", "csv"):
            self.assertEqual((folder() / f"ours.{ending}").read_bytes(),
                             (folder() / f"theirs.{ending}").read_bytes())

    def test_shards_together_are_the_whole(self):
        whole = self.model.simulate_batch(self.table, folder() / "whole.npz", indenter=BALL)
        path = folder() / "parts.npz"
        counts = []
        for number in (1, 2):
            part = self.model.simulate_batch(self.table, path, indenter=BALL, shard=(number, 2))
            self.assertTrue(part["images"].endswith(f"parts-{number}-of-2.npz"))
            counts.append(part["count"])
        self.assertEqual(sum(counts), 5)
        again = self.model.simulate_batch(self.table, path, indenter=BALL, shard=(2, 2))
        self.assertIs(again["done_before"], True)
        joined = self.model.join_shards(self.table, path, 2, indenter=BALL)
        self.assertEqual(joined["count"], 5)
        with open(joined["images"], "rb") as one, open(whole["images"], "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_shards_that_are_missing_or_others_are_named(self):
        path = folder() / "gaps.npz"
        self.model.simulate_batch(self.table, path, indenter=BALL, shard=(2, 3))
        with self.assertRaises(tactelier.Error) as caught:
            self.model.join_shards(self.table, path, 3, indenter=BALL)
        self.assertEqual(str(caught.exception), refusal(
            "simulate", "--model", truth_file(), "--batch", self.table, "--indenter",
            json.dumps(BALL), "--shards", 3, "--join", "-o", path))
        self.assertIn("1, 3", str(caught.exception))
        with self.assertRaises(tactelier.Error) as caught:  # other inputs
            self.model.simulate_batch(self.table, path, indenter=BALL, counts=True, shard=(2, 3))
        self.assertEqual(caught.exception.code, "usage")
        self.model.simulate_batch(self.table, path, indenter=BALL, counts=True, shard=(2, 3),
                                  overwrite=True)

    def test_refusals(self):
        bad = table("bad.csv", [(0, 0, 1), (0, 0, "heavy")])
        with self.assertRaises(tactelier.Error) as caught:
            self.model.simulate_batch(bad, folder() / "bad.npz", indenter=BALL)
        self.assertEqual(str(caught.exception), refusal(
            "simulate", "--model", truth_file(), "--batch", bad, "--indenter", json.dumps(BALL),
            "-o", "bad.npz"))
        self.assertFalse((folder() / "bad.npz").exists())
        for options in ({"shard": (0, 3)}, {"shard": (4, 3)}, {"threads": -1}, {"seed": 3}):
            with self.assertRaisesRegex(tactelier.Error, next(iter(options))) as caught:
                self.model.simulate_batch(self.table, folder() / "no.npz", indenter=BALL, **options)
            self.assertEqual(caught.exception.code, "usage")
        with self.assertRaisesRegex(tactelier.Error, "shards"):
            self.model.join_shards(self.table, folder() / "no.npz", 0, indenter=BALL)


class FreeBodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = tactelier.load_model(truth_file())

    def test_a_body_at_rest_weighs_what_it_weighs(self):
        body = self.model.settle(CUBE, mass_kg=0.02, height_m=8e-3, time_s=1.0)
        self.assertAlmostEqual(body.weight_N, 0.02 * 9.80665, places=12)
        self.assertAlmostEqual(body.load_N[-1] / body.weight_N, 1, places=3)
        self.assertAlmostEqual(body.values.sum() / body.weight_N, 1, places=3)
        self.assertEqual((body.values.shape, body.unit), ((3, 3), "N"))
        self.assertLess(np.linalg.norm(body.velocity_m_per_s[-1]), 1e-5)
        np.testing.assert_allclose(body.friction_N[-1], 0, atol=1e-6)
        self.assertIn("FreeBody", repr(body))

    def test_a_falling_body_falls_by_gravity_until_it_touches(self):
        drop_m, gravity = 5e-3, 3.7
        body = self.model.settle(CUBE, mass_kg=0.02, height_m=8e-3, drop_m=drop_m, time_s=0.04,
                                 gravity_m_per_s2=gravity)
        self.assertAlmostEqual(body.weight_N, 0.02 * gravity, places=12)
        self.assertTrue((body.load_N == 0).all(), "it needs 52 ms to the pad")
        at_s = body.time_s
        np.testing.assert_allclose(np.diff(at_s), at_s[0], rtol=1e-9)
        np.testing.assert_allclose(body.velocity_m_per_s[:, 2], -gravity * at_s, rtol=1e-6)
        fallen_m = body.tip_m[0, 2] - body.tip_m[:, 2]
        wanted_m = gravity * (at_s ** 2 - at_s[0] ** 2) / 2
        np.testing.assert_allclose(fallen_m, wanted_m, atol=gravity * 1e-4 * at_s[-1])
        np.testing.assert_array_equal(body.turns_rad, np.zeros((len(at_s), 3)))

    def test_the_end_is_the_command_lines(self):
        told = json.loads(cli("simulate", "--free", "--model", truth_file(), "--indenter",
                              json.dumps(CUBE), "--mass", 20, "--height", 8, "--rz", 10,
                              "--slope-x", 5, "--duration", 0.1, "--step", 0.2, "--course",
                              "course.csv", "--counts", "-o", "end.csv", "--json").stdout)
        told_progress = []
        body = self.model.settle(CUBE, mass_kg=0.02, height_m=8e-3, rz_rad=np.radians(10),
                                 slope_x_rad=np.radians(5), time_s=0.1, step_s=2e-4, counts=True,
                                 progress=lambda at: told_progress.append(at.what))
        result = told["result"]
        for name in ("weight_N", "torque_Nm", "unit"):
            self.assertEqual(getattr(body, name), result[name], name)
        self.assertEqual((body.load_N[-1], list(body.friction_N[-1])),
                         (result["load_N"], result["friction_N"]))
        np.testing.assert_allclose(1e3 * body.tip_m[-1], result["tip_mm"], rtol=1e-12)
        np.testing.assert_allclose(np.degrees(body.turns_rad[-1]), result["turns_deg"], rtol=1e-12)
        self.assertEqual(body.warnings, [{**one, "where": truth_file().name}
                                         for one in told["warnings"]])
        with open(folder() / "course.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        np.testing.assert_allclose(body.time_s, [float(row["t_s"]) for row in rows], rtol=1e-9)
        np.testing.assert_allclose(1e3 * body.tip_m[:, 2], [float(row["z_mm"]) for row in rows],
                                   rtol=1e-9)
        np.testing.assert_allclose(body.load_N, [float(row["load_N"]) for row in rows], rtol=1e-9)
        with open(folder() / "end.csv", newline="") as file:
            cells = [[float(cell) for cell in row] for row in csv.reader(file)]
        np.testing.assert_allclose(body.values, cells, rtol=1e-5)

    def test_refusals(self):
        with self.assertRaisesRegex(tactelier.Error, "FW-07"):
            self.model.settle(CUBE, mass_kg=0.02, height_m=8e-3, step_s=0.0)
        with self.assertRaises(tactelier.Error) as caught:
            self.model.settle(CUBE, mass_kg=1e5, height_m=8e-3)
        self.assertEqual(str(caught.exception), refusal(
            "simulate", "--free", "--model", truth_file(), "--indenter", json.dumps(CUBE),
            "--mass", 1e8, "--height", 8, "-o", "no.csv"))

    def test_what_progress_raises_stops_it(self):
        def refuse(progress):
            raise LookupError(progress.what)

        with self.assertRaises(LookupError):
            self.model.settle(CUBE, mass_kg=0.02, height_m=8e-3, time_s=1e4, progress=refuse)


if __name__ == "__main__":
    unittest.main()
