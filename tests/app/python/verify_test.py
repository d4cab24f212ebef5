"""Exported pads pressed again from Python, against the record that the command line writes."""

import json
import unittest

import tactelier
from support import cli, folder, model_file, recording, refusal, run, truth_file


def undated(record):
    return {key: value for key, value in record.items() if key != "created"}


class VerifyExport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        told = run("verify-export", truth_file(), "--to", "mujoco", "--record", "theirs.json",
                   "--json")
        if told.returncode == 2 and "libmujoco-dev" in told.stderr:
            raise unittest.SkipTest(told.stderr)
        cls.told = json.loads(told.stdout)["result"]
        cls.model = tactelier.load_model(truth_file())

    def test_the_record_is_the_command_lines(self):
        progress = []
        found = self.model.verify_export("mujoco", folder() / "ours.json",
                                         progress=lambda at: progress.append(at.what))
        self.assertEqual(undated(found["record"]), undated(self.told["record"]))
        self.assertIs(found["passed"], self.told["passed"])
        self.assertTrue(progress)
        written = (folder() / "ours.json").read_text()
        self.assertEqual(json.loads(written), found["record"])
        self.assertEqual((folder() / "ours.txt").read_text(), found["table"])
        for name in ("ours.json", "ours.txt"):  # its page is as precious
            kept = (folder() / name).read_bytes()
            other = {"ours.json": "ours.txt", "ours.txt": "ours.json"}[name]
            (folder() / other).unlink()
            with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
                self.model.verify_export("mujoco", folder() / "ours.json")
            self.assertEqual((folder() / name).read_bytes(), kept)
            self.model.verify_export("mujoco", folder() / "ours.json", overwrite=True)

    def test_recordings_are_predicted_beside_our_own_model(self):
        found = self.model.verify_export("mujoco", sessions=[recording()])
        told = json.loads(run("verify-export", truth_file(), "--to", "mujoco", "--session",
                              recording(), "--json").stdout)["result"]
        self.assertEqual(undated(found["record"]), undated(told["record"]))
        self.assertEqual(found["record"]["recorded"]["sessions"], [recording().name])
        self.assertIs(found["passed"], told["passed"])

    def test_what_is_assumed_stands_in_the_record(self):
        found = self.model.verify_export("mujoco", assume={"damping.c_n": 2.0})
        self.assertIn("damping.c_n", found["record"]["assumed"])
        self.assertEqual(self.told["record"]["assumed"], "")

    def test_what_progress_raises_stops_it_and_nothing_is_written(self):
        def refuse(progress):
            raise LookupError(progress.what)

        with self.assertRaises(LookupError):
            self.model.verify_export("mujoco", folder() / "stopped.json", progress=refuse)
        self.assertFalse((folder() / "stopped.json").exists())

    def test_refusals_are_the_command_lines(self):
        fitted = tactelier.load_model(model_file())
        for model, file, name in ((self.model, truth_file(), "mjcf"),
                                  (self.model, truth_file(), "drake"),
                                  (fitted, model_file(), "mujoco")):
            with self.assertRaises(tactelier.Error) as caught:
                model.verify_export(name)
            self.assertEqual(str(caught.exception), refusal("verify-export", file, "--to", name))
        with self.assertRaisesRegex(tactelier.Error, "stiffness.nothing"):
            self.model.verify_export("mujoco", assume={"stiffness.nothing": 1.0})


class VerifyScript(unittest.TestCase):
    def test_the_program_is_the_command_lines(self):
        cli("verify-export", truth_file(), "--to", "drake", "--script", "drake.py", "--assume",
            "damping.c_n=2")
        model = tactelier.load_model(truth_file())
        text = model.verify_script("drake", assume={"damping.c_n": 2.0})
        self.assertEqual(text, (folder() / "drake.py").read_text())
        compile(text, "drake.py", "exec")
        with self.assertRaises(tactelier.Error) as caught:
            model.verify_script("mujoco")
        self.assertEqual(str(caught.exception), refusal(
            "verify-export", truth_file(), "--to", "mujoco", "--script", "no.py"))


if __name__ == "__main__":
    unittest.main()
