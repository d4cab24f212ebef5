"""Comparisons, differences and reports in Python against the command line's."""

import json
import unittest

import numpy as np

import tactelier
from support import (
    cli,
    folder,
    model_file,
    recording,
    refusal,
    run,
    second_recording,
    truth_file,
)


class Compare(unittest.TestCase):
    def test_metrics_are_the_command_lines(self):
        model = tactelier.load_model(model_file())
        for arguments, options in (((), {}),
                                   (("--registered", "--seed", 3),
                                    {"registered": True, "seed": 3})):
            told = json.loads(cli("compare", "--model", model_file(), recording(), *arguments,
                                  "--json").stdout)
            found = model.compare(recording(), **options)
            result = told["result"]
            for key in ("median", "p95", "ci95", "floor", "strata"):
                self.assertEqual(getattr(found, key), result[key], key)
            self.assertEqual(found.warnings, told["warnings"])
            self.assertEqual(len(found.images), len(result["images"]))
            for ours, theirs in zip(found.images, result["images"]):
                for key in ("session", "image", "method", "indenter", "load_N", "metrics",
                            "false_lit", "missed_lit", "course"):
                    self.assertEqual(ours[key], theirs[key], key)
                if theirs["shift"]:
                    x_m, y_m, rz_rad = ours["shift"]
                    np.testing.assert_allclose(
                        [x_m * 1e3, y_m * 1e3, np.degrees(rz_rad)],
                        [theirs["shift"][key] for key in ("x_mm", "y_mm", "rz_deg")], rtol=1e-12)
                else:
                    self.assertIsNone(ours["shift"])
        self.assertIn("images", repr(found))

    def test_the_images_themselves_give_the_metric(self):
        found = tactelier.load_model(model_file()).compare([recording()], methods=["psf"])
        self.assertEqual(len(found.images), 4)
        for image in found.images:
            predicted, measured = image["predicted"], image["measured"]
            self.assertEqual((predicted.shape, measured.shape), ((9,), (9,)))
            rmse = np.sqrt(np.mean((predicted - measured) ** 2))
            self.assertAlmostEqual(image["metrics"]["rmse"], rmse, delta=1e-9 * rmse)

    def test_a_comparison_says_what_is_beyond_its_limits_in_the_command_lines_words(self):
        model = tactelier.load_model(model_file())
        most = model.compare(recording()).median["psf"]["rel_l1"]
        pictures = folder() / "pictures"
        found = model.compare(recording(), images=pictures,
                              fail_above={"rel_l1": 0.9 * most, "rmse": 1e9})
        done = run("compare", "--model", model_file(), recording(), "--fail-above",
                   f"rel_l1={0.9 * most}", "--fail-above", "rmse=1e9")
        self.assertEqual(done.returncode, 5)
        (words,) = found.beyond
        self.assertIn(words, done.stderr)
        self.assertTrue(any(pictures.iterdir()))
        self.assertEqual(model.compare(recording(), fail_above={"rel_l1": 1.1 * most}).beyond, [])
        for limits in ({"guess": 1.0}, {"ssim": 1.0}, {"rel_l1": float("nan")}):
            with self.assertRaises(tactelier.Error) as caught:
                model.compare(recording(), fail_above=limits)
            self.assertEqual(caught.exception.code, "usage", limits)

    def test_a_required_record_is_of_this_model_and_passed(self):
        alone = folder() / "required"
        alone.mkdir()
        model = alone / "model.json"
        model.write_bytes(truth_file().read_bytes())
        record = tactelier.load_model(model).verify_export("mujoco", alone / "mine.json")["record"]
        found = tactelier.require_record(record["name"], model)
        self.assertEqual(found, {"name": record["name"], "file": str(alone / "mine.json")})
        (alone / "mine.json").write_text(json.dumps({**record, "passed": False}))
        for name in (record["name"], "nobody's"):
            with self.assertRaises(tactelier.Error) as caught:
                tactelier.require_record(name, model)
            self.assertEqual(caught.exception.code, "unidentifiable")
            self.assertEqual(str(caught.exception), refusal(
                "compare", "--model", model, recording(), "--require-record", name))

    def test_refusals(self):
        model = tactelier.load_model(model_file())
        with self.assertRaises(tactelier.Error) as caught:
            model.compare(recording(), methods=["guess"])
        words = refusal("compare", "--model", model_file(), recording(), "--method", "guess")
        self.assertEqual(str(caught.exception), f"{model_file().name}: {words}")


class Diff(unittest.TestCase):
    def test_changes_are_the_command_lines(self):
        fit = tactelier.load_model(model_file())
        for after in (truth_file(), model_file()):
            told = json.loads(cli("diff", model_file(), after, "--json").stdout)
            self.assertEqual(fit.diff(tactelier.load_model(after)), told["result"]["changes"])
        self.assertTrue(all(change["relative"] == 0 for change in fit.diff(fit)
                            if change["before"]))


class Report(unittest.TestCase):
    def test_the_document_is_the_command_lines(self):
        model = tactelier.load_model(model_file())
        told = []
        for name in ("html", "pdf"):
            made = model.report(folder() / f"ours.{name}", [recording(), second_recording()],
                                progress=told.append)
            by_program = json.loads(cli("report", model_file(), recording(), second_recording(),
                                        "-o", f"theirs.{name}", "--json").stdout)
            self.assertEqual(made["title"], by_program["result"]["title"])
            self.assertEqual(made["chapters"],
                             [chapter["title"] for chapter in by_program["result"]["chapters"]])
            self.assertEqual(made["warnings"], by_program["warnings"])
            self.assertEqual((folder() / f"ours.{name}").read_bytes(),
                             (folder() / f"theirs.{name}").read_bytes())
        self.assertTrue(told)
        self.assertEqual((made["file"], made["data"], made["kit"]),
                         (str(folder() / "ours.pdf"), None, None))
        letter = model.report(folder() / "letter.pdf", paper="letter")
        self.assertTrue((folder() / "letter.pdf").read_bytes().startswith(b"%PDF"))
        self.assertTrue(letter["chapters"])

    def test_data_and_paper_kit_are_the_command_lines(self):
        model = tactelier.load_model(model_file())
        made = model.report(None, recording(), data=folder() / "ours.json", kit=folder() / "ours")
        self.assertIsNone(made["file"])
        cli("report", model_file(), recording(), "--data", "theirs.json", "--paper", "theirs")
        self.assertEqual((folder() / "ours.json").read_bytes(),
                         (folder() / "theirs.json").read_bytes())
        ours, theirs = ({path.relative_to(kit): path.read_bytes()
                         for path in kit.rglob("*") if path.is_file()}
                        for kit in (folder() / "ours", folder() / "theirs"))
        self.assertEqual(ours, theirs)
        self.assertIn("paper.tex", {path.name for path in ours})
        for options, words in (({"kit": folder() / "ours"}, "a new folder"),
                               ({"kit": folder() / "new", "data": folder() / "ours.json"},
                                "overwrite=True"), ({}, "give a path")):
            with self.assertRaisesRegex(tactelier.Error, words) as caught:
                model.report(None, recording(), **options)
            self.assertEqual(caught.exception.code, "usage")
        self.assertFalse((folder() / "new").exists())

    def test_refusals(self):
        model = tactelier.load_model(model_file())
        with self.assertRaises(tactelier.Error) as caught:
            model.report(folder() / "report.doc")
        self.assertEqual(str(caught.exception), refusal("report", model_file(), "-o",
                                                        folder() / "report.doc"))
        with self.assertRaisesRegex(tactelier.Error, "a4"):
            model.report(folder() / "report.pdf", paper="a5")
        (folder() / "there.html").write_text("mine")
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            model.report(folder() / "there.html")


if __name__ == "__main__":
    unittest.main()
