"""Fits and models in Python against the model file that the command line writes."""

import json
import os
import re
import signal
import threading
import unittest

import numpy as np

import tactelier
from support import (cli, folder, long_recording, model_file, recording, refusal,
                     second_recording, truth_file)


def written(path):
    """A model file without the moment at which it was made."""
    document = json.loads(path.read_text())
    return {key: value for key, value in document.items() if key != "created"}


class Fit(unittest.TestCase):
    def test_the_model_is_the_command_lines(self):
        model = tactelier.fit(recording())
        model.save(folder() / "python.model.json", overwrite=True)
        self.assertEqual(written(folder() / "python.model.json"), written(model_file()))
        found = model.to_dict()
        self.assertEqual({key: found[key] for key in found if key != "created"},
                         written(model_file()))
        self.assertTrue(model.identified)
        self.assertIn("response 9 of 9 tactels", model.found)
        self.assertEqual(model.unmet, [])

    def test_every_option_is_the_command_lines(self):
        two = second_recording()
        description = folder() / "thicker.json"
        description.write_text((folder() / "pad.json").read_text().replace(
            '"thickness_mm": 3', '"thickness_mm": 4'))
        told = cli("fit", recording(), two, "-o", "options.json", "--stages", "response,psf",
                   "--require", "friction,response", "--exclude", "tuesday.tact:2-3", "--sensor",
                   description, "--holdout", "0.2", "--seed", "7", "--threads", "1", "--json",
                   status=5)
        with tactelier.open(two) as session:
            model = tactelier.fit([recording(), session], stages=["response", "psf"],
                                  require=["friction", "response"], exclude=["tuesday.tact:2-3"],
                                  sensor=description, holdout=0.2, seed=7, threads=1)
        found = model.to_dict()
        of_program = written(folder() / "options.json")
        for key in of_program:
            self.assertEqual(found[key], of_program[key], key)
        self.assertEqual(model.warnings, json.loads(told.stdout)["warnings"])
        self.assertEqual(len(model.unmet), 1)
        self.assertIn("required, but missing: " + model.unmet[0], told.stderr)
        self.assertEqual(len(model.predictions), 1)

    def test_predictions_are_told_as_the_command_line_prints_them(self):
        told = cli("fit", recording(), "-o", "held.json", "--holdout", "0.3")
        model = tactelier.fit(recording(), holdout=0.3)
        self.assertTrue(model.predictions)
        for line in model.predictions:
            self.assertIn(line, told.stdout)

    def test_stages_are_those_of_help(self):
        listed = re.search(r"Stages to run, of:([\s\w]+?)\n\s+--", cli("fit", "--help").stdout)
        self.assertEqual(list(tactelier.stages()), listed[1].split())
        self.assertTrue(all(tactelier.stages().values()))

    def test_progress_says_what_how_far_and_how_long(self):
        told = []
        here = threading.get_ident()
        tactelier.fit(recording(), progress=lambda progress: told.append(
            (progress.what, progress.fraction, progress.left_s, progress.done, progress.total,
             threading.get_ident())))
        self.assertTrue(told)
        for what, fraction, left_s, done, total, thread in told:
            self.assertTrue(what)
            self.assertEqual(thread, here)
            self.assertTrue(fraction is None or 0 <= fraction <= 1)
            self.assertTrue(left_s is None or left_s >= 0)
            self.assertTrue(done >= 0 and total >= 0)

    def test_other_threads_go_on_meanwhile(self):
        begun, counted = threading.Event(), threading.Event()

        def count():
            if begun.wait():
                counted.set()

        def tell(progress):
            begun.set()
            if not counted.wait(60):
                raise TimeoutError("the other thread never ran")

        thread = threading.Thread(target=count, daemon=True)
        thread.start()
        tactelier.fit(recording(), progress=tell)
        self.assertTrue(counted.is_set())

    def test_ctrl_c_stops_it(self):
        begun = threading.Event()

        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            tactelier.fit(long_recording(), progress=lambda progress: begun.set())

    def test_what_progress_raises_stops_it(self):
        def refuse(progress):
            raise LookupError(progress.what)

        with self.assertRaises(LookupError):
            tactelier.fit(recording(), progress=refuse)

    def test_refusals_are_the_command_lines(self):
        cases = (((recording(), "--stages", "nothing"), {"stages": ["nothing"]}),
                 ((recording(), "--require", "nothing"), {"require": ["nothing"]}),
                 ((recording(), "--exclude", "99"), {"exclude": ["99"]}),
                 ((recording(), "--sensor", "nothing"), {"sensor": "nothing"}),
                 ((folder() / "nowhere.tact",), {}))
        for arguments, options in cases:
            with self.assertRaises(tactelier.Error) as caught:
                tactelier.fit(arguments[0], **options)
            self.assertEqual(str(caught.exception), refusal("fit", *arguments, "-o", "no.json"))
        for options in ({"holdout": 0.6}, {"threads": -1}):
            with self.assertRaises(tactelier.Error) as caught:
                tactelier.fit(recording(), **options)
            self.assertEqual(caught.exception.code, "usage")
        with self.assertRaises(tactelier.Error):
            tactelier.fit([])


class Models(unittest.TestCase):
    def setUp(self):
        self.model = tactelier.load_model(model_file())
        self.document = json.loads(model_file().read_text())

    def test_a_parameter_is_as_the_file_has_it(self):
        def parameters(node, path):
            if isinstance(node, dict) and {"value", "unit", "status"} <= node.keys():
                yield path, node
            elif isinstance(node, dict):
                for key, inner in node.items():
                    yield from parameters(inner, f"{path}.{key}" if path else key)
            elif isinstance(node, list):
                for i, inner in enumerate(node):
                    yield from parameters(inner, f"{path}[{i}]")

        file = {path: node for path, node in parameters(self.document, "")
                if not path.startswith(("presses", "sensor"))}
        paths = list(self.model)
        self.assertEqual(len(self.model), len(paths))
        for path, node in file.items():
            self.assertIn(path, self.model)
            found = self.model[path]
            self.assertEqual(
                (found.value, found.unit, found.std, found.ci95, found.u_total, found.status),
                tuple(node.get(key) for key in ("value", "unit", "std", "ci95", "u_total",
                                                "status")), path)
            self.assertEqual(found.reason, node.get("reason") or "", path)
            self.assertEqual(found.origin, node.get("from") or "", path)
            self.assertEqual(found.identified, node["status"] == "identified")
        self.assertGreater(len(file), 100)
        self.assertNotIn("stiffness.nothing", self.model)

    def test_a_number_that_is_not_there_gives_its_reason(self):
        self.assertEqual(float(self.model["stiffness.k_punch"]),
                         self.document["stiffness"]["k_punch"]["value"])
        with self.assertRaisesRegex(tactelier.Error, "DP-03") as caught:
            float(self.model["relaxation.g_inf"])
        self.assertEqual(caught.exception.code, "unidentifiable")
        self.assertIn("DP-03", repr(self.model["relaxation.g_inf"]))
        self.assertIn("N/m", repr(self.model["stiffness.k_punch"]))
        with self.assertRaisesRegex(tactelier.Error, "k_punch"):
            self.model["stiffness.k_punsh"]

    def test_arrays_are_the_files_numbers_tactel_by_tactel(self):
        tactels = self.document["response"]["tactels"]
        self.assertEqual([tactel["index"] for tactel in tactels], list(range(self.model.tactels)))
        for name in ("press_gain", "offset", "saturation", "hysteresis", "creep"):
            pattern = f"response.tactels[*].{name}"
            for of in ("value", "std", "u_total"):
                wanted = [tactel[name].get(of) for tactel in tactels]
                np.testing.assert_array_equal(self.model.array(pattern, of),
                                              np.array(wanted, dtype=float))
            wanted = [tactel[name].get("ci95") or [None, None] for tactel in tactels]
            np.testing.assert_array_equal(self.model.array(pattern, "ci95"),
                                          np.array(wanted, dtype=float))
            self.assertEqual(list(self.model.statuses(pattern)),
                             [tactel[name]["status"] for tactel in tactels])
        np.testing.assert_array_equal(
            self.model.array("stiffness.k_punch_tactel[*]"),
            [one["value"] for one in self.document["stiffness"]["k_punch_tactel"]])

    def test_a_star_stays_within_its_member(self):
        self.assertEqual(self.model.array("stiffness.k_punch*").shape, (1,))
        self.assertEqual(self.model.array("psf.sigma*").shape, (3,))
        for pattern in ("nothing", "*", "response*gain"):
            with self.assertRaisesRegex(tactelier.Error, "no parameter"):
                self.model.array(pattern)
        with self.assertRaisesRegex(tactelier.Error, "u_total"):
            self.model.array("stiffness.k_punch", "u")

    def test_the_table_is_that_of_show(self):
        for options in ({}, {"tactels": True}, {"presses": True}):
            shown = cli("show", model_file(), *(f"--{name}" for name in options))
            self.assertEqual(self.model.table(**options), shown.stdout)
        self.assertIn("Pad 3x3", repr(self.model))
        self.assertEqual((self.model.created, self.model.serial),
                         (self.document["created"], self.document["sensor"].get("serial")
                          or self.document.get("serial", "")))

    def test_saved_and_loaded_it_is_the_same(self):
        copy = folder() / "copy.json"
        copy.unlink(missing_ok=True)
        self.model.save(copy)
        self.assertEqual(copy.read_bytes(), model_file().read_bytes())
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            self.model.save(copy)
        self.model.save(copy, overwrite=True)

    def test_a_broken_file_is_refused_in_the_command_lines_words(self):
        broken = folder() / "broken.json"
        broken.write_text(model_file().read_text().replace('"N/m"', '"lbf/in"', 1))
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.load_model(broken)
        self.assertEqual(str(caught.exception), refusal("show", broken))
        self.assertEqual(caught.exception.code, "invalid_input")

    def test_warnings_are_those_of_show(self):
        told = json.loads(cli("show", truth_file(), "--json").stdout)
        self.assertEqual(tactelier.load_model(truth_file()).warnings, told["warnings"])


if __name__ == "__main__":
    unittest.main()
