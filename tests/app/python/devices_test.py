"""The devices of a file looked at from Python: the virtual bench, on real wires."""

import json
import os
import signal
import threading
import unittest

import tactelier
from rigs_test import begin
from support import cli, folder, refusal


class TestDevices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["XDG_RUNTIME_DIR"] = str(folder())  # of this test alone
        begin(cls, "bench", "--json", "--write-devices", "devices.json")
        cls.devices = folder() / "devices.json"

    def test_each_device_says_how_it_does(self):
        told = []
        found = tactelier.test_devices(self.devices, seconds=0.5,
                                       progress=lambda at: told.append(at.what))
        theirs = json.loads(cli("devices", "test", self.devices, "--seconds", 0.5,
                                "--json").stdout)["result"]["health"]
        self.assertIn("read", told)
        self.assertEqual([one["role"] for one in found], ["stage", "force", "tactile"])
        for one, other in zip(found, theirs, strict=True):
            self.assertEqual(one.keys(), {*other.keys(), "failed"})
            for key in ("role", "driver", "place", "detail", "nominal_hz", "stated_hz"):
                self.assertEqual(one[key], other[key], key)
            self.assertIs(one["failed"], False, one["words"])
            self.assertGreater(one["samples"], 0)
        self.assertIn("14 x 6", found[2]["detail"])
        self.assertIsInstance(found[0]["position_trusted"], bool)
        self.assertIsNone(found[1]["position_trusted"])

    def test_a_device_that_does_not_answer_is_told_and_the_others_are_read(self):
        document = json.loads(self.devices.read_text())
        gone = str(folder() / "nothing-here")
        document["tactile"]["url"] = "serial:" + gone
        (folder() / "gone.json").write_text(json.dumps(document))
        _, force, tactile = tactelier.test_devices(folder() / "gone.json", seconds=0.5)
        self.assertEqual((tactile["state"], tactile["failed"], tactile["samples"]),
                         ("bad", True, 0))
        self.assertIn(gone, tactile["words"])
        self.assertGreater(force["samples"], 0)

    def test_ctrl_c_stops_it_and_the_devices_are_free_again(self):
        begun = threading.Event()

        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            tactelier.test_devices(self.devices, seconds=3600,
                                   progress=lambda progress: begun.set())
        tactelier.test_devices(self.devices, seconds=0.5)

    def test_refusals(self):
        for seconds in (0.0, 1e9, float("nan")):
            with self.assertRaisesRegex(tactelier.Error, "seconds") as caught:
                tactelier.test_devices(self.devices, seconds=seconds)
            self.assertEqual(caught.exception.code, "usage")
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.test_devices(folder() / "nowhere.json")
        self.assertEqual(str(caught.exception),
                         refusal("devices", "test", folder() / "nowhere.json"))


if __name__ == "__main__":
    unittest.main()
