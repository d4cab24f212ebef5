"""A station attended from Python: the virtual bench, on real wires."""

import json
import os
import shutil
import threading
import unittest

import tactelier
from rig_control_test import PROTOCOL
from rigs_test import begin
from support import SOURCE, TACTELIER, folder


class Station(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        runtime = folder() / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # of this test alone
        shutil.copy(SOURCE / "data" / "rigs" / "virtual-bench.json", folder() / "rig.json")
        (folder() / "two.json").write_text(json.dumps(PROTOCOL))
        begin(cls, "bench", "--json", "--speed", "10", "--write-devices", "devices.json")
        cls.place = (folder() / "line", folder() / "devices.json", folder() / "rig.json",
                     folder() / "fleet.sqlite")

    def attend(self, scan, **options):
        return tactelier.station(*self.place, scan=scan, protocol=str(folder() / "two.json"),
                                 program=TACTELIER, **options)

    def test_a_sensor_is_measured_labelled_and_catalogued_and_others_are_not_taken(self):
        prompts, labels, remarks, threads = [], [], [], set()
        codes = iter(["S9", "S1", "end"])

        def scan(prompt):
            prompts.append(prompt)
            threads.add(threading.get_ident())
            return next(codes) if prompt["step"] == "scan" else ""

        tally = self.attend(scan, serials=["S1", "S2"], operator="anna", may_move=True,
                            judged=labels.append, tell=remarks.append)
        self.assertEqual(tally, {"measured": 1})
        self.assertEqual(threads, {threading.get_ident()})
        self.assertEqual([prompt["step"] for prompt in prompts],
                         ["scan", "scan", "hands off", "clamp", "scan"])
        self.assertEqual(prompts[3]["serial"], "S1")
        self.assertIn("S1", prompts[3]["text"])
        self.assertTrue(any("S9" in remark for remark in remarks), remarks)
        (label,) = labels
        self.assertEqual((label["serial"], label["verdict"], label["operator"]),
                         ("S1", "measured", "anna"))
        (file,) = (folder() / "line" / "labels").glob("*.json")
        self.assertEqual(json.loads(file.read_text()), label)
        rows = tactelier.Catalogue(self.place[3]).query(serial="S1")
        self.assertIn("stiffness.k_punch", [row["path"] for row in rows])

    def test_nothing_moves_unless_somebody_says_so_and_what_scan_raises_ends_it(self):
        def raise_it(prompt):
            raise LookupError(prompt["text"])

        with self.assertRaisesRegex(tactelier.Error, "may_move") as caught:
            self.attend(raise_it)
        self.assertEqual(caught.exception.code, "usage")
        with self.assertRaises(tactelier.Error) as caught:
            self.attend(raise_it, serials="two words", may_move=True)
        self.assertEqual(caught.exception.code, "invalid_input")
        with self.assertRaises(tactelier.Error):  # a fleet of none has no limits
            self.attend(raise_it, parameters="stiffness.k_punch", may_move=True)
        with self.assertRaises(LookupError):
            self.attend(raise_it, may_move=True)
        self.assertEqual(self.attend(lambda prompt: None, may_move=True), {})


if __name__ == "__main__":
    unittest.main()
