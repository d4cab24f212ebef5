"""A running rig looked on from Python: the virtual bench, on real wires, and its rig process."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

import numpy as np

import tactelier
from support import SOURCE, TACTELIER, cli, folder, refusal, truth_file


def begin(case, *arguments):
    """Starts a program that goes on until the end of `case`; once it has said its first line."""
    process = subprocess.Popen([TACTELIER, *arguments], cwd=folder(), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    case.addClassCleanup(process.stdout.close)
    case.addClassCleanup(process.wait)
    case.addClassCleanup(process.terminate)
    assert process.stdout.readline()


class Rigs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        runtime = folder() / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # of this test alone
        cls.devices = folder() / "devices.json"
        shutil.copy(SOURCE / "data" / "rigs" / "virtual-bench.json", folder() / "rig.json")
        begin(cls, "bench", "--json", "--write-devices", "devices.json", "--write-truth",
              "truth.json")
        begin(cls, "rig", "serve", "--devices", "devices.json", "--rig", "rig.json")

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

    def test_newtons_of_a_rig_at_rest_are_none_and_another_arrays_model_is_refused(self):
        model = tactelier.load_model(folder() / "truth.json")
        watch = model.watch_rig(zero="start", zero_s=0.3)
        self.assertIs(iter(watch), watch)
        self.assertEqual(watch.warnings, [])
        pairs = [next(watch) for _ in range(5)]
        self.assertEqual(pairs[0][1].time_s, 0)
        self.assertTrue(all(one[1].time_s < other[1].time_s for one, other in zip(pairs, pairs[1:])))
        below = tactelier.FLAGS.index("below")
        self.assertGreater(np.mean([newtons.flag == below for _, newtons in pairs]), 0.95)
        other = tactelier.load_model(truth_file())  # 3 x 3
        for arguments, code in (((self.devices,), "invalid_input"), ((), "invalid_input")):
            with self.assertRaises(tactelier.Error) as caught:
                other.watch_rig(*arguments)
            self.assertEqual(caught.exception.code, code)
        for options in ({"zero": "end"}, {"zero_s": 0.0}, {"zero_s": float("nan")}):
            with self.assertRaises(tactelier.Error) as caught:
                model.watch_rig(**options)
            self.assertEqual(caught.exception.code, "usage")

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


class Bench(unittest.TestCase):
    def test_it_lives_until_it_is_closed_and_is_read_from_elsewhere(self):
        with tactelier.bench(folder() / "own.json", seed=3, encoder=True,
                             write_truth=folder() / "own.truth.json") as bench:
            self.assertEqual(bench.devices, json.loads((folder() / "own.json").read_text()))
            self.assertEqual(bench.devices["tactile"]["url"], bench.endpoints["tactile"])
            health = tactelier.test_devices(folder() / "own.json", seconds=0.5)
            self.assertTrue(all(one["samples"] > 0 and not one["failed"] for one in health))
            cli("devices", "test", "own.json", "--seconds", 0.5)  # also from elsewhere
            model = tactelier.load_model(bench.truth)
            self.assertTrue(pathlib.Path(bench.rig_truth).exists())
        self.assertEqual(model.tactels, 84)
        with self.assertRaises(tactelier.Error) as caught:
            bench.endpoints  # pylint: disable=pointless-statement
        self.assertEqual(caught.exception.code, "usage")
        (health, *_) = tactelier.test_devices(folder() / "own.json", seconds=0.5)
        self.assertIs(health["failed"], True)
        for options in ({"path": folder() / "own.json"}, {"speed": 100.0}, {"dialect": "polish"},
                        {"preset": "dirty"}):
            with self.assertRaises(tactelier.Error):
                tactelier.bench(**options)


class LiveNewtons(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        begin(cls, "bench", "--json", "--write-devices", "live.json", "--write-truth", "pad.json")
        cls.devices, cls.model = folder() / "live.json", tactelier.load_model(folder() / "pad.json")

    def test_frames_are_newtons_of_every_tactel(self):
        with self.model.live(self.devices, zero_s=0.2) as frames:
            self.assertIs(iter(frames), frames)
            taken = [next(frames) for _ in range(20)]
            self.assertGreaterEqual(frames.zero_frames, 5)
            self.assertEqual((frames.calibrated, frames.remarks), (84, []))
            self.assertIn("WTS", frames.sensor)
            self.assertTrue(frames.place)
            self.assertGreaterEqual(frames.zero_shift_counts, 0)
            self.assertIsInstance(frames.warnings, list)
        numbers = [frame.number for frame in taken]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual((numbers[0], taken[0].time_s), (0, 0.0))
        for frame in taken:
            self.assertEqual((frame.force_N.shape, frame.flag.shape), ((84,), (84,)))
            below = frame.flag == tactelier.FLAGS.index("below")
            self.assertTrue(np.isnan(frame.force_N[below]).all())
            self.assertTrue((np.nan_to_num(frame.force_N) < 0.5).all(), "nothing lies on it")
            self.assertIn("NewtonFrame", repr(frame))
            self.assertIsNone(frame.total_N)

    def test_it_ends_by_itself_or_when_closed(self):
        frames = self.model.live(self.devices, zero="model", seconds=0.3)
        self.assertEqual(frames.zero_frames, 0)
        taken = list(frames)
        self.assertGreater(len(taken), 5)
        self.assertLess(taken[-1].time_s, 1)
        again = self.model.live(self.devices, zero_s=0.1)
        next(again)
        again.close()
        list(again)  # what waited
        with self.assertRaises(StopIteration):
            next(again)

    def test_refusals_are_the_command_lines(self):
        for options in ({"zero": "never"}, {"zero_s": 0.0}):
            with self.assertRaises(tactelier.Error) as caught:
                self.model.live(self.devices, **options)
            self.assertEqual(caught.exception.code, "usage")
        with self.assertRaises(tactelier.Error) as caught:
            self.model.live(self.devices, serial="another")
        self.assertEqual(str(caught.exception), refusal("apply", "pad.json", "--live", "live.json",
                                                        "--serial", "another"))


def load_tests(loader, tests, pattern):
    """The test that ends the rig comes last."""
    del tests, pattern
    names = sorted(loader.getTestCaseNames(Rigs), key=lambda name: "end_of" in name)
    return unittest.TestSuite([*map(Rigs, names), loader.loadTestsFromTestCase(LiveNewtons)])


if __name__ == "__main__":
    unittest.main()
