"""scripts/bridges/nidaq_gages.py: a stand-in for NI's library, and our driver at the other end."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import unittest
import zlib

import numpy as np

from force_bridges import Bridge, Reader, ended, environment
from rigs_test import begin
from support import SOURCE, TACTELIER, cli, folder, run
import frame_server  # found by force_bridges  # noqa: E402
import nidaq_gages  # noqa: E402

FRAME = frame_server.frame_type("6<f8")
# Fx = 2 g1 - g2, Fy = 3 g3, Fz = -10 g4 + g5 / 2 in newtons; torques in N mm.
CAL = """<FTSensor Serial="FT1" BodyStyle="Nano17" NumGages="6" CalFileVersion="1.1">
<Calibration PartNumber="SI-12-0.12" CalDate="1/1/2026"
 ForceUnits="N" TorqueUnits="N-mm" DistUnits="mm">
<UserAxis Name="Fx" values="2 -1 0 0 0 0" max="12"/>
<UserAxis Name="Fy" values="0 0 3 0 0 0" max="12"/>
<UserAxis Name="Fz" values="0 0 0 -10 0.5 0" max="17"/>
<UserAxis Name="Tx" values="0 0 0 0 0 4" max="120"/>
<UserAxis Name="Ty" values="0 0 0 0 4 0" max="120"/>
<UserAxis Name="Tz" values="4 0 0 0 0 0" max="120"/>
</Calibration></FTSensor>"""
VOLTS = [0.6, 0.25, -0.2, 0.35, 1.0, -0.5]
BIAS = [0.1, 0, 0, 0.05, 0, 0]
# By hand: Fx = 2 * 0.5 - 0.25, Fy = 3 * -0.2, Fz = -10 * 0.3 + 1 / 2.
FORCE = "0.750, -0.600, -2.500 N"


class Nidaq(unittest.TestCase):
    def setUp(self):
        self.home = folder() / self.id().rsplit(".", 1)[1]
        self.home.mkdir()
        runtime = folder() / "runtime"  # a socket's name must be short
        runtime.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
        (folder() / "FT1.cal").write_text(CAL)

    def card(self, **card):
        (self.home / "card.json").write_text(json.dumps({"volts": [VOLTS], **card}))
        return environment(self.home)

    def bridge(self, *arguments, **card):
        return Bridge(self, "nidaq_gages.py", "--channels", "Dev1/ai0:5", *arguments,
                      env=self.card(**card))

    def refused(self, status, *arguments, env=None, **card):
        done = ended("nidaq_gages.py", *arguments, env=env or self.card(**card))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def devices(self, bridge):
        return bridge.device_file(f"{self.home.name}.json", cal="FT1.cal", bias_V=BIAS,
                                  device=str(SOURCE / "data" / "devices" / "daq-gages.json"))

    def reader(self, bridge, **more):
        reader = Reader(self, bridge, FRAME, **more)
        reader.says(b"S\n")
        return reader

    def health(self, path, seconds=1):
        return json.loads(run("devices", "test", path, "--seconds", seconds, "--json")
                          .stdout)["result"]["health"][0]

    # What the driver makes of it.

    def test_gages_become_the_force_that_was_computed_by_hand(self):
        bridge = self.bridge()
        found = self.health(self.devices(bridge))
        self.assertTrue(found["values"].startswith(FORCE), found)
        self.assertEqual([found[key] for key in ("lost", "malformed", "duplicates", "restarts",
                                                 "unusable")], [0, 0, 0, 0, None])
        self.assertGreater(found["samples"], 0)
        status, words = bridge.end()
        self.assertEqual(status, 0)
        self.assertIn(" 0 lost to it", words)
        self.assertIn(" 0 of them with a gage at the end of the range", words)

    def test_a_channel_at_the_rail_makes_its_samples_invalid_and_no_others(self):
        rail = [*VOLTS[:2], -10.2, *VOLTS[3:]]  # a card goes a little beyond its nominal range
        bridge = self.bridge(volts=[VOLTS] * 8 + [rail] * 2)
        found = self.health(self.devices(bridge))
        self.assertLessEqual(abs(found["unusable"]["count"] - found["samples"] / 5), 2, found)
        self.assertIn("gage 3 at the end of the card's range", found["unusable"]["cause"])
        bridge.heard("gage 3 at the end of the card's range: such samples are sent as invalid")
        _, words = bridge.end()
        taken, at_end = map(int, re.search(r"(\d+) samples, (\d+) of them", words).groups())
        self.assertEqual(at_end, taken // 5)

    def test_what_a_driver_loses_is_what_the_bridge_says(self):
        bridge = self.bridge()
        with subprocess.Popen([TACTELIER, "devices", "test", self.devices(bridge), "--seconds",
                               "8", "--json"], cwd=folder(), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as driver:
            bridge.heard("reads")
            driver.send_signal(signal.SIGSTOP)
            (self.home / "flood").touch()
            bridge.heard("takes samples more slowly than they come")
            (self.home / "flood").unlink()
            driver.send_signal(signal.SIGCONT)
            found = json.loads(driver.stdout.read())["result"]["health"][0]
        said = bridge.heard("lost to it").split()
        sent, lost = int(said[2]), int(said[5])
        self.assertEqual(found["lost"], lost)
        self.assertLessEqual(found["samples"], sent)
        self.assertEqual(found["malformed"], 0)

    def test_a_reader_that_is_killed_leaves_the_others_theirs(self):
        bridge = self.bridge()
        other = self.reader(bridge)
        other.frames(1)
        with subprocess.Popen([TACTELIER, "devices", "test", self.devices(bridge), "--seconds",
                               "60"], cwd=folder(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as driver:
            bridge.heard("reads")
            bridge.heard("reads")
            driver.kill()
        bridge.heard(" 0 lost to it")
        self.assertEqual(bridge.end()[0], 0)
        numbers = other.rest()["number"]
        self.assertTrue((np.diff(numbers.astype(int)) == 1).all())

    def test_a_card_that_ran_over_is_a_device_that_is_gone(self):
        bridge = self.bridge(error=-200279)
        with subprocess.Popen([TACTELIER, "devices", "test", self.devices(bridge), "--seconds",
                               "3", "--json"], cwd=folder(), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as driver:
            bridge.heard("reads")
            (self.home / "go").touch()
            found = json.loads(driver.stdout.read())["result"]["health"][0]
        self.assertEqual(driver.returncode, 4)
        self.assertEqual((found["state"], found["lost"]), ("bad", 0))
        self.assertIn("the other end is gone", found["words"])

    def status(self, mode):
        """Of the rig, once it is in that mode; its last one after a minute."""
        deadline_s = time.monotonic() + 60
        while True:
            found = json.loads(cli("rig", "status", "--json").stdout)["result"]["status"]
            if found["mode"] == mode or time.monotonic() > deadline_s:
                return found

    def test_a_rig_locks_when_its_bridge_ends_and_goes_on_with_the_next(self):
        noise = np.random.default_rng(1).normal(0, 0.002, (997, 6))  # equal records are a fault
        card = {"volts": noise.round(6).tolist()}
        bridge = self.bridge(**card)
        begin(self.__class__, "bench", "--json", "--write-devices", "bench.json")
        devices = json.loads((folder() / "bench.json").read_text())
        devices["force"] = json.loads(self.devices(bridge).read_text())["force"]
        (folder() / "rigged.json").write_text(json.dumps(devices))
        rig = json.loads((SOURCE / "data" / "rigs" / "virtual-bench.json").read_text())
        rig["limits"].update(max_force_N=15, max_torque_Nm=0.1)  # the .cal file's range is 17 N
        (folder() / "rig.json").write_text(json.dumps(rig))
        begin(self.__class__, "rig", "serve", "--devices", "rigged.json", "--rig", "rig.json")
        self.assertEqual(self.status("ready")["mode"], "ready")
        self.assertEqual(bridge.end()[0], 0)
        self.assertEqual(self.status("fault")["mode"], "fault")
        host, port = bridge.address
        self.bridge("--listen", f"{host}:{port}", **card)
        cli("rig", "acknowledge")
        self.assertEqual(self.status("ready")["mode"], "ready")
        cli("rig", "quit", "-q")

    # Frames.

    def test_a_frame_is_as_it_was_worked_by_hand(self):
        # 1 V, -2 V, 0.5 V, 0, 0, 10 V; sample 7 at 0.0015 s; gage 6 at its end: bit 5.
        samples = frame_server.Samples(FRAME, [32], [0.0015], [[1, -2, 0.5, 0, 0, 10]])
        wanted = bytes.fromhex(
            "a55a" "2000" "07000000" "dc050000"
            "000000000000f03f" "00000000000000c0" "000000000000e03f"
            "0000000000000000" "0000000000000000" "0000000000002440")
        self.assertEqual(samples.encode(7), wanted + zlib.crc32(wanted).to_bytes(4, "little"))
        self.assertEqual(zlib.crc32(b"123456789"), 0xcbf43926)  # the CRC catalogue's CRC-32
        again = np.frombuffer(samples.encode(2**32 + 3), FRAME)
        self.assertEqual(again["number"], [3])

    def test_the_end_of_a_range_is_its_last_thousandth(self):
        volts = np.array([[9.98, 9.99, 10.4, -9.98, -9.99, 0]])
        self.assertEqual(nidaq_gages.status_of(volts, np.array([[-10.0] * 6, [10.0] * 6])),
                         [0b010110])

    def test_readers_are_numbered_from_their_own_first_sample(self):
        bridge = self.bridge()
        first, second = self.reader(bridge), self.reader(bridge)
        one, two = first.frames(30), second.frames(30)
        for frames in (one, two):
            np.testing.assert_array_equal(frames["number"], np.arange(len(frames)))
            np.testing.assert_array_equal(frames["readings"], [VOLTS] * len(frames))
            steps = np.diff(frames["time_us"].astype(int))
            self.assertTrue((steps == 1000).all())  # of the card's clock

    def test_what_is_acquired_while_a_reader_rests_has_no_number(self):
        bridge = self.bridge()
        reader = self.reader(bridge)
        before = reader.frames(1)
        reader.says(b"X\n")
        bridge.heard("rests")
        reader.says(b"S\n")
        bridge.heard("reads")
        bridge.end()
        frames = np.concatenate([before, reader.rest()])
        np.testing.assert_array_equal(frames["number"], np.arange(len(frames)))

    def test_a_reader_slower_than_the_card_loses_whole_samples_and_all_are_counted(self):
        bridge = self.bridge()
        reader = self.reader(bridge, keeps=4096)
        first = reader.frames(1)
        (self.home / "flood").touch()
        bridge.heard("takes samples more slowly than they come")
        (self.home / "flood").unlink()
        caught_up = reader.frames(2000)
        bridge.end()
        frames = np.concatenate([first, caught_up, reader.rest()])
        said = next(line for line in bridge.words if "lost to it, " not in line
                    and line.endswith("lost to it")).split()
        sent, lost = int(said[2]), int(said[5])
        self.assertGreater(lost, 0)
        gaps = np.diff(frames["number"].astype(int)) - 1
        self.assertTrue((gaps >= 0).all())
        after_last = sent + lost - 1 - int(frames["number"][-1])
        self.assertEqual(gaps.sum() + after_last, lost)
        raw = frames.tobytes()
        for at in range(0, len(raw), FRAME.itemsize):
            frame = raw[at:at + FRAME.itemsize]
            self.assertEqual(zlib.crc32(frame[:-4]).to_bytes(4, "little"), frame[-4:])
        self.assertEqual(len(frames), sent)

    def test_who_talks_nonsense_is_dropped(self):
        bridge = self.bridge()
        reader = Reader(self, bridge, FRAME)
        reader.says(b"GET / HTTP/1.1 " * 10)
        self.assertEqual(len(reader.rest()), 0)
        bridge.heard("0 samples sent")

    # Its end.

    def test_ctrl_c_and_the_end_of_a_service_end_it_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            bridge = self.bridge()
            reader = self.reader(bridge)
            reader.frames(1)
            status, words = bridge.end(number)
            self.assertEqual(status, 0, words)
            self.assertNotIn("Traceback", words)
            self.assertTrue((self.home / "closed").exists())
            reader.rest()  # whole frames, or it couldn't be read

    def test_an_overflow_is_told_with_what_it_costs(self):
        for code, words in ((-200279, "buffer overwritten"), (-200361, "own memory ran over")):
            (self.home / "go").unlink(missing_ok=True)
            bridge = self.bridge(error=code, left=120)
            reader = self.reader(bridge)
            taken = reader.frames(1)
            (self.home / "go").touch()
            status, said = bridge.ended()
            self.assertEqual(status, 4)
            acquired = re.search(r"(\d+) samples, 0 of them", said)[1]
            for part in (words, f"after {acquired} samples", "120 that it took since are lost",
                         "lower --rate", str(code)):
                self.assertIn(part, said)
            numbers = [*taken["number"], *reader.rest()["number"]]
            np.testing.assert_array_equal(numbers, np.arange(len(numbers)))
            self.assertIn(f"{len(numbers)} samples sent, 0 lost", said)

    def test_a_card_that_is_pulled_out_is_told_even_where_its_end_fails(self):
        (self.home / "go").touch()
        bridge = self.bridge(error=-88710, after=100, close_error=-88709)
        status, said = bridge.ended()
        self.assertEqual(status, 4)
        self.assertIn("the card is gone after 100 samples", said)
        self.assertIn("-88709", said)

    # What can't be done.

    def test_a_card_that_is_missing(self):
        said = self.refused(4, "--channels", "Dev7/ai0:5")
        self.assertIn("Dev7/ai0:5: there is no such card", said)
        self.assertIn("this computer has Dev1, cDAQ1", said)
        said = self.refused(4, "--channels", "Dev1/ai0:5", start_error=-201003)
        self.assertIn("the card can't be reached", said)

    def test_a_library_or_driver_that_is_missing(self):
        bare = {**os.environ, "PYTHONPATH": ""}
        self.assertIn("pip install nidaqmx",
                      self.refused(3, "--channels", "Dev1/ai0:5", env=bare))
        said = self.refused(4, "--channels", "Dev1/ai0:5", driver_missing=True)
        self.assertIn("NI-DAQmx can't be used: Could not find an installation", said)

    def test_other_than_six_inputs_and_numbers_without_sense(self):
        self.assertIn("5 inputs, a transducer has 6 gages",
                      self.refused(2, "--channels", "Dev1/ai0:4"))
        for arguments, words in ((("--rate", "0"), "1 to 20000"), (("--rate", "nan"), "1 to 20000"),
                                 (("--range", "-5"), "0.01 to 100 V"),
                                 (("--listen", "5017"), "HOST:PORT"), ((), "--channels")):
            channels = ("--channels", "Dev1/ai0:5") if arguments else ()
            self.assertIn(words, self.refused(2, *channels, *arguments))

    def test_a_port_that_is_taken(self):
        bridge = self.bridge()
        host, port = bridge.address
        said = self.refused(3, "--channels", "Dev1/ai0:5", "--listen", f"{host}:{port}")
        self.assertIn(f"can't listen at {host}:{port}", said)
        self.assertIn("name another --listen", said)

    def test_a_clock_that_the_card_makes_otherwise_is_the_rate(self):
        bridge = self.bridge("--rate", "3000", rate_hz=3003.003)
        self.assertEqual(bridge.entry["rate_hz"], 3003.003)
        self.assertIn("--rate 3000: the card's clock makes 3003.003 of it", bridge.end()[1])

    def test_it_listens_where_it_is_told_and_says_where_that_is(self):
        for listen, host in (("[::1]:0", "[::1]"), ("0.0.0.0:0", socket.gethostname())):
            bridge = self.bridge("--listen", listen)  # the last one counts
            place, port = bridge.entry["url"].removeprefix("tcp:").rsplit(":", 1)
            self.assertEqual(place, host)
            self.assertGreater(int(port), 0)
            self.assertEqual(bridge.end()[0], 0)

    def test_help_answers_without_the_library(self):
        done = ended("nidaq_gages.py", "--help", env={**os.environ, "PYTHONPATH": ""})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--channels", done.stdout)


if __name__ == "__main__":
    unittest.main()
