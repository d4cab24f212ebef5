"""Protocols and plans in Python against the command line's."""

import json
import unittest

import tactelier
from support import SOURCE, cli, folder, recording, refusal, truth_file


class Plans(unittest.TestCase):
    def test_protocols_are_the_command_lines(self):
        told = json.loads(cli("protocols", "list", "--json").stdout)["result"]["protocols"]
        self.assertEqual(tactelier.protocols(), told)
        self.assertIn("quick", [one["name"] for one in told])

    def test_a_plan_says_what_the_command_line_says(self):
        recording()  # the protocol, and the model that is expected
        rig = SOURCE / "data" / "rigs" / "virtual-bench.json"
        progress = []
        found = tactelier.plan(str(folder() / "scan.json"), rig=rig, sensor=folder() / "pad.json",
                               expect=truth_file(), progress=progress.append)
        told = json.loads(cli("protocols", "show", "scan.json", "--rig", rig, "--sensor",
                              "pad.json", "--expect", truth_file(), "--json").stdout)
        for key, value in told["result"]["planned"].items():
            self.assertEqual(found[key], value, key)
        self.assertEqual(found["warnings"], told["warnings"])
        self.assertEqual(found["presses"], 18, "two on each of nine tactels")
        shown = cli("protocols", "show", "scan.json", "--rig", rig, "--sensor", "pad.json",
                    "--expect", truth_file()).stdout
        self.assertIn(found["table"].strip(), shown)

    def test_refusals_are_the_command_lines(self):
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.plan("nothing")
        self.assertEqual(str(caught.exception), refusal("protocols", "show", "nothing"))
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.protocols(rig=folder() / "nowhere.json")
        self.assertEqual(str(caught.exception), refusal("protocols", "list", "--rig",
                                                        folder() / "nowhere.json"))


class References(unittest.TestCase):
    def test_sensors_are_the_shipped_ones_in_si(self):
        theirs = json.loads(cli("sensors", "list", "--json").stdout)["result"]["sensors"]
        found = tactelier.sensors()
        for key in ("name", "vendor", "model", "tactels", "source"):
            self.assertEqual([one[key] for one in found], [one[key] for one in theirs], key)
        weiss = tactelier.sensor("weiss-wts0614")
        self.assertIn(weiss, found)
        (array,) = weiss["arrays"]
        self.assertEqual((array["rows"], array["columns"]), (14, 6))
        self.assertAlmostEqual(array["pitch_x_m"], 3.4e-3, places=12)
        for name in ("weis-wts0614", folder() / "nowhere.json"):
            with self.assertRaises(tactelier.Error) as caught:
                tactelier.sensor(name)
            self.assertEqual(str(caught.exception), refusal("sensors", "show", name))

    def test_codes_are_the_command_lines(self):
        theirs = json.loads(cli("codes", "--json").stdout)["result"]["codes"]
        self.assertEqual(tactelier.codes(), theirs)
        one = tactelier.codes("RS-06")
        self.assertEqual(one, [row for row in theirs if row["code"] == "RS-06"])
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.codes("RS-6")
        self.assertEqual(caught.exception.code, "usage")


if __name__ == "__main__":
    unittest.main()
