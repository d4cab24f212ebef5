"""The devices of a file looked at from Python: the virtual bench, on real wires."""

import json
import math
import os
import signal
import socket
import threading
import time
import unittest

import tactelier
from rigs_test import begin
from support import SOURCE, cli, folder, refusal


def stream(listening):
    """A board of 3 x 4 tactels that prints its readings line by line, 200 times a second: a bump
    wanders over them. For everybody who connects, one after the other."""
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:  # closed
            return
        with connection:
            for frame in range(10**6):
                at = frame / 40 % 12
                cells = (round(200 + 600 * math.exp(-((i % 4 - at % 4)**2 + (i // 4 - at // 4)**2))
                               + frame * 7 % 3) for i in range(12))
                try:
                    connection.sendall((",".join(map(str, cells)) + "\r\n").encode())
                except OSError:
                    break
                time.sleep(5e-3)


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

    def test_ports_drivers_and_descriptions_are_the_command_lines(self):
        found = tactelier.list_devices()
        theirs = json.loads(cli("devices", "list", "--json").stdout)["result"]
        self.assertEqual(found, {key: theirs[key] for key in ("ports", "drivers", "descriptions")})
        self.assertIn(("stage", "grbl"),
                      [(driver["role"], driver["driver"]) for driver in found["drivers"]])

    def test_a_boards_frames_are_learned_and_described_as_by_the_command_line(self):
        listening = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listening.close)
        threading.Thread(target=stream, args=(listening,), daemon=True).start()
        port = f"tcp:127.0.0.1:{listening.getsockname()[1]}"
        file = folder() / "board.json"
        learned = tactelier.learn_device(port, file, seconds=2, rows=3, columns=4)
        described = learned["description"]
        self.assertEqual(described["cells"], {"rows": 3, "columns": 4})
        self.assertGreater(learned["frames"], 100)
        self.assertGreater(learned["explained"], 0.9)
        self.assertEqual(json.loads(file.read_text()), described)
        theirs = json.loads(cli("devices", "learn", port, "--seconds", 2, "--rows", 3,
                                "--columns", 4, "--json").stdout)
        self.assertEqual(theirs["result"]["learned"]["description"].keys(), described.keys())
        self.assertEqual([warning["code"] for warning in theirs["warnings"]],
                         [warning["code"] for warning in learned["warnings"]])
        for arguments in ({"path": file}, {"seconds": 0.1}, {"baud": 3}, {"rows": 0}):
            with self.assertRaises(tactelier.Error) as caught:
                tactelier.learn_device(port, **arguments)
            self.assertEqual(caught.exception.code, "usage", arguments)

    def test_doctor_says_what_the_command_line_says_and_sends_only_what_it_was_told_to(self):
        def of_stage(checks):
            return {check["what"]: check for check in checks if check["what"].startswith("stage")}

        before = tactelier.doctor(self.devices)
        theirs = json.loads(cli("doctor", self.devices, "--json").stdout)["result"]["checks"]
        self.assertEqual([check["what"] for check in before], [check["what"] for check in theirs])
        mine, other = of_stage(before), of_stage(theirs)
        for what, check in mine.items():
            for key in ("state", "words", "remedy"):
                self.assertEqual(check[key], other[what][key], what)
        self.assertEqual((mine["stage $1"]["state"], mine["stage $1"]["fix"]), ("look", "$1=255"))
        mended = of_stage(tactelier.doctor(self.devices, fix=True))["stage $1"]  # read anew
        self.assertEqual((mended["state"], mended["fix"]), ("good", ""))
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.doctor(fix=True)
        self.assertEqual(caught.exception.code, "usage")

    def test_doctor_says_what_would_help_on_a_rig(self):
        rig = SOURCE / "data" / "rigs" / "virtual-bench.json"
        checks = tactelier.doctor(rig=rig, protocol="check")
        theirs = json.loads(cli("doctor", "--rig", rig, "--protocol", "check",
                                "--json").stdout)["result"]["checks"]
        words = [check["words"] for check in checks if check["what"] == "check on this rig"]
        self.assertTrue(words)
        self.assertEqual(words, [check["words"] for check in theirs
                                 if check["what"] == "check on this rig"])

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
