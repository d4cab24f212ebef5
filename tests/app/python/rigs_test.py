"""A running rig looked on from Python: the virtual bench, on real wires, and its rig process."""

import json
import os
import shutil
import subprocess
import unittest

import numpy as np

import tactelier
from support import SOURCE, TACTELIER, cli, folder, refusal


class Rigs(unittest.TestCase):
    @classmethod
    def begin(cls, *arguments):
        """Starts a program that goes on; once it has said its first line."""
        process = subprocess.Popen([TACTELIER, *arguments], cwd=folder(), text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        cls.addClassCleanup(process.stdout.close)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.terminate)
        assert process.stdout.readline()
        return process

    @classmethod
    def setUpClass(cls):
        runtime = folder() / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # of this test alone
        cls.devices = folder() / "devices.json"
        shutil.copy(SOURCE / "data" / "rigs" / "virtual-bench.json", folder() / "rig.json")
        cls.begin("bench", "--json", "--write-devices", "devices.json")
        cls.rig = cls.begin("rig", "serve", "--devices", "devices.json", "--rig", "rig.json")

    def test_status_has_what_the_command_line_has(self):
        told = json.loads(cli("rig", "status", "--json").stdout)["result"]["status"]
        for devices in ((), (self.devices,)):
            found = tactelier.rig_status(*devices)
            self.assertEqual(found.keys(), told.keys())
            for key in ("process", "mode", "task", "recording", "emergency_stop"):
                self.assertEqual(found[key], told[key], key)

    def test_frames_come_one_after_the_other(self):
        watch = tactelier.watch_rig(self.devices)
        self.assertIs(iter(watch), watch)
        frames = [next(watch) for _ in range(3)]
        while frames[-1].counts_age_s is None or frames[-1].force_age_s is None:
            frames.append(next(watch))
        numbers = [frame.number for frame in frames]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertTrue(all(a.now_s < b.now_s for a, b in zip(frames, frames[1:])))
        last = frames[-1]
        self.assertEqual((last.counts.shape, last.counts.dtype), ((84,), np.float32))
        self.assertTrue((last.counts > 0).any())
        self.assertEqual((last.wrench.shape, last.position_m.shape), ((6,), (3,)))
        self.assertTrue(last.force_min_N <= last.force_N <= last.force_max_N)
        self.assertTrue(last.force_age_s >= 0 and last.counts_age_s >= 0)
        self.assertTrue(last.position_age_s is None or last.position_age_s >= 0)
        self.assertIsInstance(last.position_trusted, bool)
        self.assertIn("N>", repr(last))

    def test_the_end_of_the_rig_is_told(self):
        watch = tactelier.watch_rig()
        next(watch)
        cli("rig", "quit", "-q")
        with self.assertRaises(tactelier.Error) as caught:
            for _ in watch:
                pass
        self.assertEqual(caught.exception.code, "io")
        for call in (tactelier.watch_rig, tactelier.rig_status):
            with self.assertRaises(tactelier.Error) as caught:
                call()
            self.assertTrue(refusal("rig", "status").startswith(str(caught.exception)))

    def test_no_rig_is_refused_in_the_command_lines_words(self):
        nowhere = folder() / "nowhere.json"
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.rig_status(nowhere)
        words = refusal("rig", "status", "--devices", nowhere)  # and how to start one
        self.assertTrue(words.startswith(str(caught.exception)), words)


def load_tests(loader, tests, pattern):
    """The test that ends the rig comes last."""
    del tests, pattern
    names = sorted(loader.getTestCaseNames(Rigs), key=lambda name: "end_of" in name)
    return unittest.TestSuite(map(Rigs, names))


if __name__ == "__main__":
    unittest.main()
