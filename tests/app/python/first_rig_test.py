"""A first rig from Python, from its device file to a recording that is planned: the virtual bench,
on real wires."""

import json
import os
import unittest

import tactelier
from rigs_test import begin
from support import TACTELIER, cli, folder

TOLD = {"emergency_stop": False, "max_force_N": 25.0, "tip_length_m": 25e-3,
        "indenter": {"shape": "cylinder", "diameter_mm": 1}, "gain_u": 0.01,
        "plate_m": (60e-3, 0, 0), "park_m": (0, 60e-3, 10e-3)}


class FirstRig(unittest.TestCase):
    """In the order of the names: each needs what the one before has left."""

    @classmethod
    def setUpClass(cls):
        runtime = folder() / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # of this test alone
        begin(cls, "bench", "--json", "--speed", "10", "--write-devices", "devices.json")
        cls.devices, cls.file = folder() / "devices.json", folder() / "rig.json"
        cls.rig = tactelier.Rig(cls.devices, cls.file, program=TACTELIER)

    def refused(self, code, call, *arguments, **options):
        with self.assertRaises(tactelier.Error) as caught:
            call(*arguments, **options)
        self.assertEqual(caught.exception.code, code)
        return str(caught.exception)

    def test_1_the_file_is_the_command_lines_and_says_what_nobody_said(self):
        made = tactelier.new_rig(self.devices, self.file, pad_m=(0, 0, 0), **TOLD)
        self.assertEqual((made["rig"], made["notes"]),
                         (str(self.file), str(folder() / "rig.notes.md")))
        self.assertEqual(json.loads(self.file.read_text()), made["document"])
        cli("rig", "new", "--devices", "devices.json", "-o", "theirs.json", "--emergency-stop",
            "no", "--max-force", 25, "--tip-length", 25, "--indenter", "cylinder 1", "--gain-u", 1,
            "--pad", "0,0,0", "--plate", "60,0,0", "--park", "0,60,10")
        theirs = json.loads((folder() / "theirs.json").read_text())
        for document in (theirs, made["document"]):
            del document["performance"]["force_noise_mN"]  # measured
        self.assertEqual(made["document"], theirs)
        sources = {one["key"]: one["source"] for one in made["keys"]}
        self.assertEqual(sources["limits.max_force_N"], "you")
        for key in ("name", "limits.max_depth_mm", "stage.safe_height_mm",
                    "force_sensor.press_axis"):
            self.assertIn("usual", sources[key], key)

    def test_2_what_makes_no_sense_is_refused_and_nothing_is_written(self):
        target = folder() / "no.json"
        self.refused("usage", tactelier.new_rig, self.devices, self.file, emergency_stop=True)
        for wrong in ({"press_axis": "w"}, {"press_axis": ""}, {"max_force_N": 1e6},
                      {"max_depth_m": float("nan")}, {"indenter": {"shape": "ball"}},
                      {"indenter": "cylinder 1"}):
            with self.assertRaises(tactelier.Error, msg=str(wrong)):
                tactelier.new_rig(self.devices, target, emergency_stop=True, **wrong)
        with self.assertRaises(TypeError):  # nobody can guess it
            tactelier.new_rig(self.devices, target)  # pylint: disable=missing-kwoa
        self.assertFalse(target.exists())
        self.assertIn("may_move", self.refused("usage", self.rig.set_up))
        self.assertIn("may_move", self.refused("usage", self.rig.plate))
        self.assertIn("'mouth'", self.refused("usage", self.rig.set_up, begin="mouth"))
        self.refused("usage", self.rig.plate, force_N=1e3, may_move=True)
        self.refused("usage", self.rig.plate, spring_N_per_m=5, may_move=True)
        self.refused("io", self.rig.plate, keep=self.file, may_move=True)
        self.refused("usage", tactelier.Rig(self.devices).plate, may_move=True)
        self.refused("io", self.rig.status)  # no process was started by any of it

    def test_3_set_up_goes_step_by_step_and_asks_for_the_places_in_the_calling_thread(self):
        nowhere = json.loads(self.file.read_text())
        told, shown = [], []
        del nowhere["plate_mm"]
        self.file.write_text(json.dumps(nowhere))

        def show(what):
            shown.append(what)
            if "plate" not in what:
                return False
            self.rig.jog(x_m=60e-3 - self.rig.status()["position_mm"][0] * 1e-3,
                         y_m=-self.rig.status()["position_mm"][1] * 1e-3, speed_m_per_s=20e-3,
                         may_move=True)
            self.rig.jog(z_m=1e-3 - self.rig.status()["position_mm"][2] * 1e-3,
                         speed_m_per_s=5e-3, may_move=True)
            return True

        done = self.rig.set_up(plate_force_N=15, may_move=True, show=show,
                               progress=lambda at: told.append(at.what))
        steps = {step["step"]: step for step in done["steps"]}
        self.assertEqual(list(steps), ["mount", "polarity", "home", "places", "plate", "surface",
                                       "register", "ground"])
        self.assertTrue(any(what.startswith("surface: ") for what in told), told[:5])
        self.assertEqual(len(shown), 2)  # the pad's place is the bench's own
        after = json.loads(self.file.read_text())
        for at, wanted in zip(after["plate_mm"], (60, 0, 0)):
            self.assertAlmostEqual(at, wanted, delta=0.05)
        plate = steps["plate"]["found"]
        self.assertAlmostEqual(plate["compliance_m_per_N"] * 1e6, 0.2, delta=0.1)
        self.assertAlmostEqual(plate["plate_z_m"], 0, delta=1e-5)
        self.assertAlmostEqual(after["compliance_um_per_N"], plate["compliance_m_per_N"] * 1e6,
                               places=9)
        self.assertAlmostEqual(steps["surface"]["found"]["z0_mm"], 0, delta=0.01)
        self.assertAlmostEqual(steps["register"]["found"]["rz_deg"], 0, delta=1)
        self.assertTrue(steps["ground"]["left_out"])
        self.assertIsNone(steps["ground"]["found"])

    def test_4_it_goes_on_with_a_step(self):
        done = self.rig.set_up(begin="ground", may_move=True)
        self.assertEqual([(step["step"], step["left_out"]) for step in done["steps"]],
                         [("ground", True)])

    def test_5_the_plate_alone_is_pressed_and_kept(self):
        kept = folder() / "plate.tact"
        found = self.rig.plate(force_N=15, keep=kept, may_move=True)
        self.assertAlmostEqual(found["compliance_m_per_N"] * 1e6, 0.2, delta=0.1)
        self.assertLess(found["U_compliance_m_per_N"], 1e-7)
        with tactelier.open(kept) as session:
            self.assertTrue(session.finished)
            self.assertEqual(session.check(), [])

    def test_6_what_is_watched_and_what_a_recording_will_tell_is_the_command_lines(self):
        place = ("--devices", self.devices, "--rig", self.file, "--protocol", "check")
        theirs = json.loads(cli("record", *place, "--dry-run", "--json").stdout)
        theirs = theirs["result"]["preview"]
        mine = self.rig.preview("check")
        for key in ("limits", "duration_s", "presses", "peak_force_N", "worst_force_N"):
            self.assertEqual(mine[key], theirs[key], key)
        self.assertGreater(len(mine["limits"]), 4)
        self.assertEqual({key: mine["planned"][key] for key in theirs["planned"]},
                         theirs["planned"])
        self.assertGreater(mine["lasts_s"], 0)
        self.assertIsNone(mine["resumes"])
        self.assertIsNone(self.rig.preview("check", tells=False)["planned"])
        chosen = self.rig.preview(minutes=5)
        self.assertIsNone(chosen["planned"])
        self.assertEqual(chosen["limits"], json.loads(cli(
            "record", *place[:4], "--minutes", 5, "--limits",
            "--json").stdout)["result"]["preview"]["limits"])
        self.refused("usage", self.rig.preview)
        self.refused("usage", self.rig.preview, "check", minutes=5)
        self.rig.quit()

    def test_7_somebody_must_be_there_on_a_rig_of_ones_own(self):
        own = json.loads(self.devices.read_text())
        del own["bench_control"]
        (folder() / "own.json").write_text(json.dumps(own))
        rig = tactelier.Rig(folder() / "own.json", self.file, program=TACTELIER)
        self.addCleanup(rig.quit)
        self.assertIn("give ask", self.refused("usage", rig.set_up, may_move=True))
        asked = []

        def leave(text, key):
            asked.append((text, key))
            raise LookupError(text)

        with self.assertRaises(LookupError):
            rig.set_up(may_move=True, ask=leave)
        self.assertEqual(len(asked), 1)
        self.assertIn("Array fixed", asked[0][0])


if __name__ == "__main__":
    unittest.main()
