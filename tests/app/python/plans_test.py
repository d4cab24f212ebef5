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


if __name__ == "__main__":
    unittest.main()
