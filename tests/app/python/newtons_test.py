"""What models are used for in Python: apply, forward and export against the command line's files."""

import csv
import json
import shutil
import unittest

import numpy as np

import tactelier
from support import (cli, folder, model_file, recording, refusal, run, second_recording,
                     truth_file)


class Apply(unittest.TestCase):
    def rows(self):
        cli("apply", model_file(), recording(), "-o", "newtons.csv", "--force")
        with open(folder() / "newtons.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_every_cell_has_the_digits_of_the_table(self):
        applied = tactelier.load_model(model_file()).apply(recording())
        rows = self.rows()
        self.assertEqual(applied.force_N.shape, (len(rows), 9))
        for name, found, digits in (("{}[N]", applied.force_N, ".6g"),
                                    ("{}.u95[N]", applied.u95_N, ".3g")):
            for tactel in range(9):
                column = [row[name.format(tactel)] for row in rows]
                self.assertEqual(["" if np.isnan(x) else format(x, digits)
                                  for x in found[:, tactel]], column)
        for tactel in range(9):
            self.assertEqual([tactelier.FLAGS[flag] for flag in applied.flag[:, tactel]],
                             [row[f"{tactel}.flag"] for row in rows])
        np.testing.assert_array_equal(applied.time_s, [float(row["t[s]"]) for row in rows])
        self.assertEqual([format(x, ".6g") for x in applied.total_N],
                         [row["total[N]"] for row in rows])
        self.assertEqual([format(x, ".3g") for x in applied.total_u95_N],
                         [row["total.u95[N]"] for row in rows])
        for i, name in enumerate(("centre_x[mm]", "centre_y[mm]")):
            self.assertEqual(["" if np.isnan(x) else f"{x * 1e3:.4f}"
                              for x in applied.centre_m[:, i]], [row[name] for row in rows])
        self.assertEqual(["" if np.isnan(x) else f"{np.degrees(x):.2f}"
                          for x in applied.direction_rad],
                         [row["direction[deg]"] for row in rows])
        self.assertGreater(np.count_nonzero(applied.flag == tactelier.FLAGS.index("ok")), 100)

    def test_a_session_and_a_table_may_be_given(self):
        model = tactelier.load_model(model_file())
        told = []
        with tactelier.open(recording()) as session:
            of_session = model.apply(session, progress=told.append)
            plain = folder() / "table"
            cli("unpack", recording(), plain)
            of_table = model.apply(plain / "tactile.csv")
            np.testing.assert_array_equal(of_session.force_N, of_table.force_N)
        self.assertTrue(told)
        self.assertEqual((of_session.uncalibrated, of_session.warnings), ([], []))
        self.assertIn("frames", repr(of_session))

    def test_tactels_without_newtons_are_told_with_their_reason(self):
        document = json.loads(model_file().read_text())
        for name in ("press_gain", "press_threshold"):
            document["response"]["tactels"][4][name] = {
                "value": None, "unit": "N/count" if name == "press_gain" else "N",
                "status": "unidentifiable", "reason": "RS-01 left out for this test"}
        (folder() / "lame.json").write_text(json.dumps(document))
        told = json.loads(cli("apply", "lame.json", recording(), "-o", "lame.csv", "--force",
                              "--json").stdout)
        applied = tactelier.load_model(folder() / "lame.json").apply(recording())
        self.assertEqual(applied.uncalibrated, told["result"]["uncalibrated_tactels"])
        self.assertEqual(applied.warnings, told["warnings"])
        self.assertTrue(np.isnan(applied.force_N[:, 4]).all())

    def test_another_sensors_recording_is_refused(self):
        cli("synth", "--protocol", "study", "-o", "wts.tact")
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.load_model(model_file()).apply(folder() / "wts.tact")
        self.assertEqual(str(caught.exception),
                         refusal("apply", model_file(), "wts.tact", "-o", "no.csv"))


class Check(unittest.TestCase):
    def test_verdicts_are_the_command_lines(self):
        model = tactelier.load_model(model_file())
        for tolerance in (0.02, 0.2):
            told = json.loads(run("check", model_file(), second_recording(), "--tolerance",
                                  100 * tolerance, "--json").stdout)
            check = model.check(second_recording(), tolerance=tolerance)
            self.assertEqual({name: getattr(check, name) for name in told["result"]},
                             told["result"])
            self.assertEqual(check.warnings, told["warnings"])
            self.assertEqual(check.valid, check.verdict == "valid")
            self.assertIn(check.verdict, repr(check))
        self.assertEqual(len(check.tactels), 9)

    def test_a_tactel_that_changed_is_named(self):
        document = json.loads(model_file().read_text())
        gain = document["response"]["tactels"][4]["press_gain"]
        gain["value"] *= 1.3
        del gain["ci95"]
        gain["u_total"] = 0.01 * gain["value"]
        (folder() / "moved.json").write_text(json.dumps(document))
        check = tactelier.load_model(folder() / "moved.json").check(second_recording())
        self.assertEqual((check.verdict, check.recalibrate), ("recalibrate", [4]))

    def test_refusals(self):
        model = tactelier.load_model(model_file())
        with self.assertRaisesRegex(tactelier.Error, "tolerance"):
            model.check(recording(), tolerance=0.0)
        with self.assertRaises(tactelier.Error) as caught:
            model.check(folder() / "nowhere.tact")
        self.assertEqual(str(caught.exception), refusal("check", model_file(),
                                                        folder() / "nowhere.tact"))


class Refresh(unittest.TestCase):
    def test_it_finds_what_the_command_line_does(self):
        told = json.loads(run("refresh", model_file(), second_recording(), "-o", "refreshed.json",
                              "--json").stdout)
        found = tactelier.load_model(model_file()).refresh(second_recording())
        self.assertEqual({name: getattr(found, name) for name in told["result"]}, told["result"])
        self.assertEqual(found.model.warnings, told["warnings"])
        for row in found.model.diff(tactelier.load_model(folder() / "refreshed.json")):
            self.assertEqual(row["before"], row["after"], row)
        self.assertIn(found.words, repr(found))

    def test_a_gain_that_changed_is_in_the_new_model(self):
        document = json.loads(model_file().read_text())
        gain = document["response"]["tactels"][4]["gain"]
        before = gain["value"]
        gain["value"] *= 1.3
        (folder() / "then.json").write_text(json.dumps(document))
        found = tactelier.load_model(folder() / "then.json").refresh(second_recording())
        self.assertEqual(found.changed, [4])
        now = found.model["response.tactels[4].gain"].value
        self.assertAlmostEqual(now / before, 1, delta=0.03)

    def test_refusals(self):
        model = tactelier.load_model(model_file())
        with self.assertRaisesRegex(tactelier.Error, "tolerance"):
            model.refresh(recording(), tolerance=0.0)
        with self.assertRaises(tactelier.Error) as caught:
            model.refresh(folder() / "nowhere.tact")
        self.assertEqual(str(caught.exception), refusal("refresh", model_file(),
                                                        folder() / "nowhere.tact", "-o", "no.json"))


class Forward(unittest.TestCase):
    BALL = {"shape": "sphere", "diameter_mm": 6}

    PIN = {"shape": "cylinder", "diameter_mm": 2}

    def simulate(self, model, indenter, arguments):
        """Image and result of `simulate`."""
        told = json.loads(cli("simulate", "--model", model, "--indenter",
                              json.dumps(indenter), "-o", "image.csv", "--overwrite", "--json",
                              *arguments).stdout)
        with open(folder() / "image.csv", newline="") as file:
            cells = [[float(cell or "nan") for cell in row] for row in csv.reader(file)]
        return np.array(cells), told["result"], told["warnings"]

    def same(self, image, arguments, model=None, indenter=None):
        cells, result, warnings = self.simulate(model or truth_file(), indenter or self.BALL,
                                                arguments)
        np.testing.assert_allclose(image.values, cells, rtol=1e-5, atol=1e-9)
        self.assertEqual(image.values.shape, (3, 3))
        self.assertEqual((image.unit, image.load_N, image.depth_m, image.total_N, image.centre_m,
                          image.torque_Nm, image.clipped, image.warnings),
                         (result["unit"], result["load_N"], result["depth_m"], result["total_N"],
                          result["centroid_m"], result["torque_Nm"], result["clipped"], warnings))

    def test_images_are_those_of_simulate(self):
        model = tactelier.load_model(truth_file())
        self.same(model.forward(self.BALL, force_N=2.0, x_m=5e-4, y_m=-2e-4),
                  ("--force", 2, "--x", 0.5, "--y", -0.2))
        self.same(model.forward(json.dumps(self.BALL), mass_kg=0.2), ("--mass", 200))
        self.same(model.forward(self.BALL, depth_m=5e-4), ("--depth", 0.5))
        self.same(model.forward(self.BALL, depth_m=5e-4, rz_rad=np.radians(30),
                                tilt_x_rad=np.radians(2), tilt_y_rad=np.radians(-1),
                                approach_m_per_s=1e-3, method="soft-contact"),
                  ("--depth", 0.5, "--rz", 30, "--tilt-x", 2, "--tilt-y", -1, "--approach", 1,
                   "--method", "soft-contact"))

    def test_features_are_those_of_simulate_in_SI(self):
        model = tactelier.load_model(truth_file())
        bar = {"shape": "edge", "length_mm": 8, "width_mm": 2}
        image = model.forward(bar, depth_m=5e-4, rz_rad=np.radians(30), contour_percents=[20, 50])
        _, result, _ = self.simulate(truth_file(), bar, ("--depth", 0.5, "--rz", 30, "--contours",
                                                         "20,50"))
        wanted, found = result["features"], image.features
        self.assertEqual((found["area_tactels"], found["elongation"], found["fingertip"]),
                         (wanted["area_tactels"], wanted["elongation"], None))
        for name in ("orientation", "hough"):
            self.assertEqual(found[f"{name}_rad"] is None, wanted[f"{name}_deg"] is None)
            if found[f"{name}_rad"] is not None:
                self.assertAlmostEqual(np.degrees(found[f"{name}_rad"]), wanted[f"{name}_deg"])
        self.assertEqual(len(found["contours"]), 2)
        for ours, theirs in zip(found["contours"], wanted["contours"]):
            self.assertEqual((ours["percent"], ours["level"]), (theirs["percent"], theirs["level"]))
            self.assertAlmostEqual(ours["area_m2"] * 1e6, theirs["area_mm2"])
            self.assertEqual(len(ours["lines"]), len(theirs["lines"]))
            for line, printed in zip(ours["lines"], theirs["lines"]):
                self.assertEqual(line["closed"], printed["closed"])
                np.testing.assert_allclose(line["points_m"] * 1e3, printed["points_mm"])
        with self.assertRaises(tactelier.Error) as caught:
            model.forward(bar, depth_m=5e-4, fingertip=folder() / "nowhere.stl")
        self.assertEqual(str(caught.exception),
                         refusal("simulate", "--model", truth_file(), "--indenter",
                                 json.dumps(bar), "--depth", 0.5, "--fingertip",
                                 folder() / "nowhere.stl", "-o", "no.csv"))

    def test_counts_are_what_the_device_would_report(self):
        model = tactelier.load_model(model_file())
        self.same(model.forward(self.PIN, force_N=2.0, counts=True), ("--force", 2, "--counts"),
                  model_file(), self.PIN)
        noisy = model.forward(self.PIN, force_N=2.0, counts=True, seed=3)
        self.same(noisy, ("--force", 2, "--counts", "--noise", "--seed", 3), model_file(), self.PIN)
        self.assertFalse(np.array_equal(
            noisy.values, model.forward(self.PIN, force_N=2.0, counts=True, seed=4).values))
        self.assertAlmostEqual(noisy.force_N.sum(), noisy.total_N)
        self.assertIn("N on the sensor", repr(noisy))

    def test_refusals_are_the_command_lines(self):
        model = tactelier.load_model(truth_file())
        with self.assertRaisesRegex(tactelier.Error, "--force, --mass and --depth"):
            model.forward(self.BALL)
        with self.assertRaises(tactelier.Error) as caught:
            model.forward({"shape": "spear"}, force_N=1.0)
        self.assertEqual(caught.exception.code, "invalid_input")
        self.assertEqual(str(caught.exception),
                         refusal("simulate", "--model", truth_file(), "--indenter",
                                 '{"shape": "spear"}', "--force", 1, "-o", "no.csv"))


class Export(unittest.TestCase):
    def test_every_format_is_written_byte_for_byte(self):
        listed = {line.split()[0] for line in cli("export", "--list").stdout.splitlines()}
        self.assertEqual(set(tactelier.formats()), listed)
        model = tactelier.load_model(truth_file())
        count = 0
        for name in tactelier.formats():
            theirs, ours = folder() / "theirs", folder() / "ours"
            for place in (theirs, ours):
                shutil.rmtree(place, ignore_errors=True)
                place.mkdir()
            done = run("export", truth_file(), "--to", name, "-o", theirs / "pad.out", "--json")
            if done.returncode != 0:  # needs what this pad has not
                with self.assertRaises(tactelier.Error) as caught:
                    model.export(name, ours / "pad.out")
                self.assertEqual(f"tactelier export: {truth_file().name}: {caught.exception}",
                                 done.stderr.strip())
                continue
            count += 1
            told = json.loads(done.stdout)
            written = model.export(name, ours / "pad.out")
            self.assertEqual([path.replace("/ours/", "/theirs/") for path in written.files],
                             told["result"]["files"])
            for path in theirs.iterdir():
                self.assertEqual((ours / path.name).read_bytes(), path.read_bytes(), name)
            self.assertEqual(written.losses, told["result"]["losses"], name)
            self.assertEqual(written.warnings, told["warnings"], name)
        self.assertGreater(count, 10)

    def test_what_is_assumed_fills_what_is_not_identified(self):
        model = tactelier.load_model(model_file())
        assume = {"friction.mu_s": 0.6, "friction.mu_d": 0.5}
        lost = {loss["path"] for loss in model.export("openrave", None).losses}
        written = model.export("openrave", folder() / "assumed.xml", assume=assume)
        cli("export", model_file(), "--to", "openrave", "-o", "program.xml", "--assume",
            "friction.mu_s=0.6", "--assume", "friction.mu_d=0.5")
        self.assertEqual((folder() / "assumed.xml").read_bytes(),
                         (folder() / "program.xml").read_bytes())
        self.assertEqual(lost - {loss["path"] for loss in written.losses}, set(assume))
        self.assertFalse(model["friction.mu_s"].identified)

    def test_draws_are_the_command_lines_files(self):
        model = tactelier.load_model(model_file())
        written = model.export("json", folder() / "draw.json", draws=3, seed=7)
        told = json.loads(cli("export", model_file(), "--to", "json", "-o", "drawn.json",
                              "--randomize", 3, "--seed", 7, "--json").stdout)
        self.assertEqual(len(written.files), 3)
        for ours, theirs in zip(written.files, told["result"]["files"]):
            self.assertEqual((folder() / ours).read_bytes(), (folder() / theirs).read_bytes())
        self.assertEqual(written.losses, told["result"]["losses"])
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            model.export("json", folder() / "draw.json", draws=2)
        with self.assertRaisesRegex(tactelier.Error, "draws"):
            model.export("json", None, draws=2)

    def test_refusals(self):
        model = tactelier.load_model(model_file())
        with self.assertRaises(tactelier.Error) as caught:
            model.export("openrav", None)
        self.assertEqual(str(caught.exception),
                         refusal("export", model_file(), "--to", "openrav", "-o", "no.xml"))
        there = folder() / "there.xml"
        there.write_text("mine")
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            model.export("openrave", there)
        self.assertEqual(there.read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
