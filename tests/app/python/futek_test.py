"""scripts/bridges/futek_load_cell.py: a stand-in for FUTEK's library, and our driver at the other
end."""

import json
import os
import re
import signal
import unittest
import zlib

import numpy as np

from force_bridges import Bridge, Reader, ended, environment
from support import SOURCE, folder, run
import frame_server  # found by force_bridges

FRAME = frame_server.frame_type("<i4")
# 25.0 lb are 5000000 counts above the offset: 25 * 4.4482216152605 / 5e6 N a count.
CELL = {"serial": "538827", "offset": 8000000, "full_scale": 13000000, "load": 250, "decimals": 1,
        "unit": 20, "readings": [8100000]}
N_PER_COUNT = 2.224110807630250e-05


class Futek(unittest.TestCase):
    def setUp(self):
        self.home = folder() / self.id().rsplit(".", 1)[1]
        self.home.mkdir()
        os.environ["XDG_RUNTIME_DIR"] = str(self.home)

    def cell(self, **more):
        (self.home / "card.json").write_text(json.dumps({**CELL, **more}))
        return environment(self.home)

    def bridge(self, *arguments, **cell):
        return Bridge(self, "futek_load_cell.py", "--serial", "538827", *arguments,
                      env=self.cell(**cell))

    def refused(self, status, *arguments, env=None, **cell):
        done = ended("futek_load_cell.py", *(arguments or ("--serial", "538827")),
                     env=env or self.cell(**cell))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def reader(self, bridge):
        reader = Reader(self, bridge, FRAME)
        reader.says(b"S\n")
        return reader

    def test_counts_become_the_force_that_was_computed_by_hand(self):
        bridge = self.bridge()
        self.assertAlmostEqual(bridge.entry["N_per_reading"], N_PER_COUNT, delta=1e-18)
        self.assertAlmostEqual(bridge.entry["full_scale_N"], 111.2055403815125, delta=1e-9)
        path = bridge.device_file("futek.json",
                                  device=str(SOURCE / "data" / "devices" / "futek-cell.json"))
        found = json.loads(run("devices", "test", path, "--seconds", 1, "--json")
                           .stdout)["result"]["health"][0]
        # 100000 counts above the offset: 2.2241108 N.
        self.assertTrue(found["values"].startswith("0.000, 0.000, 2.224 N"), found)
        self.assertGreater(found["samples"], 0)
        self.assertEqual((found["malformed"], found["unusable"]), (0, None))
        self.assertEqual(bridge.end()[0], 0)

    def test_a_load_beyond_the_range_cannot_be_used(self):
        bridge = self.bridge(readings=[13000001 + 5000000])
        path = bridge.device_file("beyond.json",
                                  device=str(SOURCE / "data" / "devices" / "futek-cell.json"))
        found = json.loads(run("devices", "test", path, "--seconds", 1, "--json")
                           .stdout)["result"]["health"][0]
        self.assertEqual(found["unusable"]["count"], found["samples"])

    def test_a_frame_is_as_it_was_worked_by_hand(self):
        samples = frame_server.Samples(FRAME, [0], [0.25], [-2])
        wanted = bytes.fromhex("a55a" "0000" "03000000" "90d00300" "feffffff")
        self.assertEqual(samples.encode(3), wanted + zlib.crc32(wanted).to_bytes(4, "little"))

    def test_answers_that_are_no_numbers_are_lost_polls(self):
        bridge = self.bridge(readings=[8000001, 8000002, "Error", 8000003])
        reader = self.reader(bridge)
        frames = reader.frames(40)
        status, words = bridge.end()
        frames = np.concatenate([frames, reader.rest()])
        self.assertEqual(status, 0)
        gaps = np.diff(frames["number"].astype(int))
        for step, before, after in zip(gaps, frames["readings"], frames["readings"][1:]):
            self.assertGreaterEqual(step, 2 if (before, after) == (2, 3) else 1)
        sent, lost = map(int, re.search(r": (\d+) samples sent, (\d+) lost", words).groups())
        self.assertEqual(sent, len(frames))
        self.assertGreaterEqual(lost, gaps.sum() - len(gaps))

    def test_an_instrument_slower_than_the_rate_loses_polls_and_says_so(self):
        bridge = self.bridge("--rate", "1000", hangs_s=0.01)
        reader = self.reader(bridge)
        frames = reader.frames(20)
        bridge.heard("it answers more slowly than --rate")
        words = bridge.end()[1]
        frames = np.concatenate([frames, reader.rest()])
        sent, lost = map(int, re.search(r": (\d+) samples sent, (\d+) lost", words).groups())
        self.assertEqual((sent, lost), (len(frames), int(frames["number"][-1]) + 1 - len(frames)))
        self.assertGreater(lost, 0)

    def test_an_instrument_that_is_pulled_out(self):
        bridge = self.bridge()
        reader = self.reader(bridge)
        reader.frames(1)
        (self.home / "go").touch()
        status, words = bridge.ended()
        self.assertEqual(status, 4)
        self.assertIn("538827: 10 answers in a row were no numbers (DeviceStatus 4)", words)
        reader.rest()
        bridge = None
        (self.home / "go").unlink()
        done = self.bridge(readings=[8000001] * 20 + ["throw"]).ended()
        self.assertEqual(done[0], 4)
        self.assertIn("FUTEK's library: System.AccessViolationException: no device", done[1])
        self.assertIn("20 readings, ", done[1])

    def test_ctrl_c_ends_it_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            status, words = self.bridge().end(number)
            self.assertEqual(status, 0, words)
            self.assertNotIn("Traceback", words)
            self.assertTrue((self.home / "closed").exists())

    def test_an_instrument_with_channels_is_asked_for_its_own(self):
        self.assertEqual(self.bridge("--channel", "2", channel=[2]).end()[0], 0)

    def test_what_cannot_be_done(self):
        self.assertIn("no FUTEK instrument with serial number 1 answers (DeviceStatus 2)",
                      self.refused(4, "--serial", "1"))
        self.assertIn("unit code 28 is no force", self.refused(3, unit=28))
        self.assertIn("isn't calibrated", self.refused(3, full_scale=8000000))
        self.assertIn("Get_Offset_Value answers no number", self.refused(4, offset="Error"))
        self.assertTrue((self.home / "closed").exists())
        self.assertIn("--dll FOLDER", self.refused(3, no_dll=True))
        self.assertIn("pip install pythonnet",
                      self.refused(3, env={**os.environ, "PYTHONPATH": ""}))
        self.assertIn("1 to 1000 polls", self.refused(2, "--serial", "1", "--rate", "nan"))

    def test_units_are_exact(self):
        for unit, decimals, N in ((26, 0, 250), (12, 1, 25 * 9.80665), (5, 3, 0.25 * 9.80665e-3),
                                  (30, 0, 250 * 0.27801385095378125), (26, 4, 250)):
            bridge = self.bridge(unit=unit, decimals=decimals)
            self.assertAlmostEqual(bridge.entry["full_scale_N"] / N, 1, delta=1e-14)
            bridge.end()

    def test_help_answers_without_the_library(self):
        done = ended("futek_load_cell.py", "--help", env={**os.environ, "PYTHONPATH": ""})
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
