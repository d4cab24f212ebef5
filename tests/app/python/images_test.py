"""Two images compared in Python: against numbers worked out here, and the command line's."""

import json
import unittest

import numpy as np

import tactelier
from support import cli, folder, recording, refusal, truth_file

PREDICTED = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
MEASURED = np.array([[1.5, 2.0, 2.0], [4.0, 7.0, 5.5]])


def image_file(name, values, unit="N", pitch_mm=2):
    """An image of the schema data/schemas/image.schema.json."""
    path = folder() / name
    path.write_text(json.dumps({"format": "tactelier/image", "version": 1, "unit": unit,
                                "pitch_x_mm": pitch_mm, "pitch_y_mm": pitch_mm,
                                "values": values.tolist()}))
    return path


def table_file(name, values):
    path = folder() / name
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in values.tolist()))
    return path


class CompareImages(unittest.TestCase):
    def test_metrics_are_those_worked_out_by_hand(self):
        found = tactelier.compare_images(image_file("a.json", PREDICTED),
                                         image_file("b.json", MEASURED), full_scale=10)
        metrics, apart = found["metrics"], PREDICTED - MEASURED
        for name, wanted in (
                ("rmse", np.sqrt(np.mean(apart ** 2))),
                ("mad_fs", 100 * np.mean(abs(apart)) / 10),
                ("rel_l1", 100 * abs(apart).sum() / MEASURED.sum()),
                ("total", 100 * (PREDICTED.sum() / MEASURED.sum() - 1)),
                ("ncc", np.corrcoef(PREDICTED.ravel(), MEASURED.ravel())[0, 1])):
            self.assertAlmostEqual(metrics[name], wanted, delta=1e-6, msg=name)
        for of, image in (("predicted", PREDICTED), ("measured", MEASURED)):
            self.assertAlmostEqual(found[of]["total"], image.sum(), delta=1e-12)
            x_m = np.array([-2e-3, 0, 2e-3])  # 2 mm apart, about the middle
            self.assertAlmostEqual(found[of]["centre_m"][0],
                                   (image.sum(axis=0) * x_m).sum() / image.sum(), delta=1e-12)
        self.assertEqual(found["warnings"], [])

    def test_what_is_not_known_is_none_and_said(self):
        found = tactelier.compare_images(table_file("a.csv", PREDICTED),
                                         table_file("b.csv", MEASURED))
        self.assertIsNone(found["metrics"]["centroid"])
        self.assertIsNone(found["metrics"]["mad_fs"])
        self.assertEqual([warning["code"] for warning in found["warnings"]],
                         ["NO-PITCH", "NO-FULL-SCALE"])
        known = tactelier.compare_images(folder() / "a.csv", folder() / "b.csv", pitch_m=2e-3,
                                         full_scale=10)
        self.assertEqual(known["warnings"], [])
        self.assertGreater(known["metrics"]["centroid"], 0)

    def test_another_simulators_image_is_put_in_order_by_its_map(self):
        turned = table_file("turned.csv", 1e3 * MEASURED[::-1, ::-1])  # mN, the other corner first
        (folder() / "turned.map.json").write_text(json.dumps({
            "format": "tactelier/image-map", "version": 1, "unit": "mN", "first_row": "top",
            "first_column": "right"}))
        measured = image_file("measured.json", MEASURED)
        found = tactelier.compare_images(turned, measured, map=folder() / "turned.map.json",
                                         full_scale=10)
        self.assertLess(found["metrics"]["rmse"], 1e-6)
        as_it_is = tactelier.compare_images(turned, measured, full_scale=10)
        self.assertGreater(as_it_is["metrics"]["rmse"], 1e3)

    def test_it_is_the_command_lines(self):
        model = tactelier.load_model(truth_file())
        for number, x_m in enumerate((0.0, 1e-3)):
            image = model.forward({"shape": "edge", "length_mm": 5, "width_mm": 2}, x_m=x_m,
                                  force_N=2.0, counts=True)
            table_file(f"counts-{number}.csv", image.values)
        files = folder() / "counts-0.csv", folder() / "counts-1.csv"
        told = json.loads(cli("compare", "--images", *files, "--model", truth_file(), "--contours",
                              "50", "--json").stdout)
        found = tactelier.compare_images(*files, model=model, contour_percents=[50],
                                         fail_above={"rel_l1": 1e9})
        self.assertEqual(found["beyond"], [])
        (words,) = tactelier.compare_images(*files, model=model, fail_above={"rmse": 0})["beyond"]
        self.assertTrue(words.startswith("rmse of counts-0.csv: "), words)
        self.assertEqual(found["metrics"], told["result"]["metrics"])
        self.assertEqual(found["warnings"], told["warnings"])
        for of, letter in (("predicted", "a"), ("measured", "b")):
            ours, theirs = found[of], told["result"]["features"][letter]
            self.assertEqual(list(ours["centre_m"]), theirs["centroid_m"])
            for key in ("total", "area_tactels", "elongation"):
                self.assertEqual(ours[key], theirs[key], key)
            (contour,), (drawn,) = ours["contours"], theirs["contours"]
            self.assertEqual((contour["percent"], contour["level"]), (50, drawn["level"]))
            for line, theirs_line in zip(contour["lines"], drawn["lines"], strict=True):
                np.testing.assert_allclose(1e3 * line["points_m"], theirs_line["points_mm"],
                                           rtol=1e-12)

    def test_refusals(self):
        a, b = table_file("a.csv", PREDICTED), table_file("wide.csv", MEASURED.T)
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.compare_images(a, b)
        self.assertEqual(str(caught.exception), refusal("compare", "--images", a, b))
        self.assertEqual(caught.exception.code, "invalid_input")
        for options in ({"pitch_m": 0}, {"full_scale": -1.0}):
            with self.assertRaisesRegex(tactelier.Error, next(iter(options))) as caught:
                tactelier.compare_images(a, a, **options)
            self.assertEqual(caught.exception.code, "usage")
        with self.assertRaisesRegex(tactelier.Error, "of which sensor"):
            tactelier.compare_images(a, a, fingertip=recording())


if __name__ == "__main__":
    unittest.main()
