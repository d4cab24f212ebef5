"""A rig moved and recorded with from Python: the virtual bench, on real wires."""

import contextlib
import json
import os
import shutil
import signal
import socket
import threading
import unittest

import numpy as np

import tactelier
from rigs_test import begin
from support import SOURCE, TACTELIER, cli, folder, refusal

PROTOCOL = {
    "format": "tactelier/protocol", "version": 1, "name": "two", "description": "Two tactels.",
    "max_minutes": 15, "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "zero", "time_s": 3},
              {"do": "scan", "tactels": [40, 41], "speed_mm_s": 0.8, "repeats": 2, "rest_s": 1,
               "until": {"force_N": 1, "depth_mm": 1}}],
}


class Follower:
    """Takes frames beside a recording, in a thread of its own."""

    def __init__(self, frames):
        self.pairs, self.ended = [], threading.Event()
        self.thread = threading.Thread(target=self.follow, args=(frames,), daemon=True)
        self.thread.start()

    def follow(self, frames):
        for pair in frames:
            self.pairs.append(pair)
            if self.ended.is_set():
                return

    def end(self):
        self.ended.set()
        self.thread.join()
        return self.pairs


class ScriptedRig:
    """What a rig process says on its socket: a task that asks for a number. Keeps what it hears."""

    def __init__(self, path):
        self.heard, self.listening = [], socket.socket(socket.AF_UNIX)
        self.listening.bind(path)
        self.listening.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                connection, _ = self.listening.accept()
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()
        except OSError:  # closed
            pass

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):  # the client has gone
            for line in connection.makefile(encoding="utf-8"):
                request = json.loads(line)
                self.heard.append(request)
                for answer in self.answers(request):
                    connection.sendall(json.dumps(answer).encode() + b"\n")

    def answers(self, request):
        if request["do"] in ("surface", "weigh"):
            return [{"ok": True, "task": 7},
                    {"task": 7, "news": "question", "text": "Read the dial.",
                     "answer_key": "compression_mm"}]
        if request["do"] == "answer":
            return [{"task": 7, "news": "done", "result": {"height_mm": request["value"]},
                     "warnings": [{"code": "DIAL", "text": "it stuck", "where": "dial"}]}]
        if request["do"] == "cancel":
            return [{"task": 7, "news": "failed", "warnings": [],
                     "error": {"code": "cancelled", "text": "stopped on request"}}]
        return [{"ok": True, "result": {}}]

    def did(self):
        return [request["do"] for request in self.heard if request["do"] != "status"]


class MovesARig(unittest.TestCase):
    """In the order of the names: each needs what the one before has left."""

    @classmethod
    def setUpClass(cls):
        runtime = folder() / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # of this test alone
        shutil.copy(SOURCE / "data" / "rigs" / "virtual-bench.json", folder() / "rig.json")
        (folder() / "two.json").write_text(json.dumps(PROTOCOL))
        begin(cls, "bench", "--json", "--speed", "5", "--write-devices", "devices.json",
              "--write-truth", "truth.json")
        cls.rig = tactelier.Rig(folder() / "devices.json", folder() / "rig.json",
                                program=TACTELIER)

    def refused(self, code, call, *arguments, **options):
        with self.assertRaises(tactelier.Error) as caught:
            call(*arguments, **options)
        self.assertEqual(caught.exception.code, code)
        return str(caught.exception)

    def whole(self, name):
        with tactelier.open(folder() / name) as session:
            self.assertEqual(session.check(), [])
            self.assertTrue(session.finished)

    def test_1_nothing_moves_or_starts_unless_somebody_says_so(self):
        for call in (self.rig.home, self.rig.surface, self.rig.register):
            self.assertIn("may_move=True", self.refused("usage", call))
        self.assertIn("may_move=True", self.refused("usage", self.rig.jog, z_m=-1e-3))
        self.assertIn("may_move=True", self.refused("usage", self.rig.record, folder() / "no.tact",
                                                    protocol="quick"))
        for way in ({}, {"z_m": 1.5}, {"x_m": float("nan")}, {"z_m": 1e-3, "speed_m_per_s": 1.0}):
            self.refused("usage", self.rig.jog, may_move=True, **way)
        self.refused("usage", self.rig.record, folder() / "no.tact", may_move=True)
        self.refused("usage", self.rig.record, folder() / "no.tact", protocol="quick", minutes=3,
                     may_move=True)
        self.refused("io", self.rig.record, folder() / "two.json", protocol="quick",
                     may_move=True)
        without = tactelier.Rig(folder() / "devices.json")
        self.refused("usage", without.record, folder() / "no.tact", protocol="quick",
                     may_move=True)
        # No process was started by any of it; one that can't be started says which.
        words = self.refused("io", self.rig.status)
        self.assertTrue(refusal("rig", "status", "--devices", "devices.json").startswith(words))
        self.refused("device_fault", self.rig.stop)
        self.refused("device_fault", tactelier.stop_rigs)
        nobody = tactelier.Rig(folder() / "devices.json", folder() / "rig.json",
                               program=folder() / "nothing-here")
        self.assertIn("nothing-here", self.refused("io", nobody.retract))

    def test_2_it_homes_and_jogs_where_it_is_told(self):
        told = []
        status = self.rig.home(may_move=True, progress=lambda at: told.append(at.what))
        self.assertIs(status["position_trusted"], True)
        self.assertTrue(told)
        before = self.rig.status()
        after = self.rig.jog(x_m=-2e-3, may_move=True)
        moved = [new - old for old, new in zip(before["position_mm"], after["position_mm"])]
        for way, wanted in zip(moved, (-2.0, 0.0, 0.0)):
            self.assertAlmostEqual(way, wanted, places=2)
        self.assertEqual(after["warnings"], [])
        self.assertEqual(tactelier.rig_status(folder() / "devices.json").keys(),
                         self.rig.status().keys())

    def test_3_ctrl_c_ends_a_recording_in_order_before_it_is_told(self):
        begun = threading.Event()

        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)

        def tell(progress):
            if self.rig.status()["recording"]:
                begun.set()

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            self.rig.record(folder() / "cut.tact", protocol=str(folder() / "two.json"),
                            may_move=True, progress=tell)
        status = self.rig.status()  # at once: nothing is under way any more
        self.assertEqual((status["mode"], status["task"], status["recording"]),
                         ("ready", "", None))
        self.whole("cut.tact")

    def test_4_it_goes_on_and_is_paused_noted_and_resumed_meanwhile(self):
        seen = []

        def tell(progress):
            status = self.rig.status()
            if not status["recording"] or "resumed" in seen:
                return
            if not seen:
                self.rig.note("from Python")
                self.rig.pause()
                seen.append("paused")
            elif status["paused"]:
                self.rig.resume()
                seen.append("resumed")

        model = tactelier.load_model(folder() / "truth.json")
        follower = Follower(model.watch_rig(folder() / "devices.json"))
        made = self.rig.record(folder() / "cut.tact", resume=True, may_move=True, progress=tell)
        pairs = follower.end()
        self.assertEqual(seen, ["paused", "resumed"])
        self.assertIs(made["complete"], True)
        with tactelier.open(folder() / "cut.tact") as session:
            self.assertTrue(session.finished)
            self.assertEqual({press.tactel for press in session.presses if press.usable}, {40, 41})
            self.assertIn("from Python", json.dumps(session.events))
        # Newtons of the rig as it recorded: what pressed 40 and 41 to 1 N, and nothing else.
        self.assertGreater(len(pairs), 50)
        for frame, newtons in pairs:
            self.assertEqual((newtons.number, newtons.force_N.shape), (frame.number, (84,)))
        frame, newtons = max(pairs, key=lambda pair: np.nanmax(pair[1].force_N, initial=0))
        most = int(np.nanargmax(newtons.force_N))
        self.assertIn(most, (40, 41))
        self.assertEqual(tactelier.FLAGS[newtons.flag[most]], "ok")
        self.assertAlmostEqual(newtons.force_N[most], frame.force_N, delta=0.25)
        self.assertGreater(frame.force_N, 0.5)

    def test_5_what_progress_raises_ends_it_in_order(self):
        def refuse(progress):
            if self.rig.status()["recording"]:
                raise LookupError(progress.what)

        with self.assertRaises(LookupError):
            self.rig.record(folder() / "refused.tact", protocol=str(folder() / "two.json"),
                            may_move=True, progress=refuse)
        self.assertIsNone(self.rig.status()["recording"])

    def test_6_stop_locks_it_until_it_is_acknowledged(self):
        def stop(progress):
            if self.rig.status()["recording"]:
                told.extend(self.rig.stop())

        told = []
        with self.assertRaises(tactelier.Error) as caught:
            self.rig.record(folder() / "stopped.tact", protocol=str(folder() / "two.json"),
                            may_move=True, progress=stop)
        self.assertEqual(caught.exception.code, "device_fault")
        self.assertGreaterEqual(len(told), 1)
        type(self).socket = told[0]["socket"]
        self.assertEqual(self.rig.status()["mode"], "fault")
        self.refused("device_fault", self.rig.home, may_move=True)
        self.rig.acknowledge()
        self.assertEqual(self.rig.status()["mode"], "ready")
        self.rig.retract()
        self.whole("stopped.tact")

    def test_7_it_quits(self):
        self.rig.quit()
        self.refused("io", self.rig.status)

    def test_8_questions_are_answered_in_the_calling_thread_or_the_task_is_cancelled(self):
        asked = []

        def ask(text, key):
            asked.append((text, key, threading.get_ident()))
            return 0.25

        def refuse(text, key):
            raise LookupError(text + key)

        scripted = ScriptedRig(self.socket)
        self.addCleanup(scripted.listening.close)
        found = self.rig.surface(may_move=True, ask=ask)
        self.assertEqual(asked, [("Read the dial.", "compression_mm", threading.get_ident())])
        self.assertEqual(found, {"height_mm": 0.25, "warnings": [
            {"code": "DIAL", "text": "it stuck", "where": "dial"}]})
        self.assertEqual(scripted.did(), ["surface", "answer"])
        scripted.heard.clear()
        self.assertEqual(self.rig.weigh(0.1, ask=ask), found)
        self.assertEqual(scripted.did(), ["weigh", "answer"])
        (weigh,) = (request for request in scripted.heard if request["do"] == "weigh")
        self.assertEqual(weigh["mass_g"], 100)
        self.refused("usage", self.rig.weigh, 100.0, ask=ask)  # grams
        scripted.heard.clear()
        with self.assertRaises(LookupError):
            self.rig.surface(may_move=True, ask=refuse)
        self.assertEqual(scripted.did()[:2], ["surface", "cancel"])
        self.assertNotIn("answer", scripted.did())
        self.assertIn("Read the dial", self.refused("usage", self.rig.surface, may_move=True))


if __name__ == "__main__":
    unittest.main()
