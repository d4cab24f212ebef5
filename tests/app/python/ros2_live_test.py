"""scripts/bridges on a connected array: the virtual bench, on real wires."""

import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import numpy as np

import tactelier
from ros2_test import BRIDGES, bridge, pixels, read_bag
from rigs_test import begin
from support import SOURCE, TACTELIER, cli, folder, model_file, refusal

# Stands in for ROS 2: keeps what is published in published.jsonl of the current folder.
STAND_IN = {
    "rclpy/__init__.py": """
import json
from rclpy.signals import SignalHandlerOptions
said = open("published.jsonl", "w")
def tell(**what): print(json.dumps(what), file=said, flush=True)
class Publisher:
    def __init__(self, kind, topic): self.kind, self.topic = kind, topic
    def publish(self, message):
        assert isinstance(message, bytes)
        tell(topic=self.topic, kind=self.kind.__name__, data=message.hex())
class Node:
    def create_publisher(self, kind, topic, depth): return Publisher(kind, topic)
    def destroy_node(self): tell(destroyed=True)
def init(args, signal_handler_options):
    assert signal_handler_options == SignalHandlerOptions.NO
    tell(arguments=args)
def create_node(name): return Node()
def try_shutdown(): tell(shut_down=True)
""",
    "rclpy/signals.py": "class SignalHandlerOptions: NO = 0\n",
    "sensor_msgs/msg/__init__.py": "class Image: pass\n",
    "geometry_msgs/msg/__init__.py": "class PointStamped: pass\nclass WrenchStamped: pass\n",
}


class LiveBridge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["XDG_RUNTIME_DIR"] = str(folder())  # of this test alone
        begin(cls, "bench", "--json", "--write-devices", "live.json", "--write-truth", "truth.json")
        for name, text in STAND_IN.items():
            path = folder() / "stand-in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        cls.with_ros = {**os.environ, "PYTHONPATH":
                        f"{folder() / 'stand-in'}:{os.environ['PYTHONPATH']}"}
        cls.live = ("--model", "truth.json", "--live", "live.json", "--zero-seconds", "0.2")

    def whole(self, name):
        """The messages of a bag that was written to its end."""
        bag = read_bag(name)
        metadata = (folder() / name / "metadata.yaml").read_text()
        self.assertIn(f"  message_count: {len(bag.messages)}\n", metadata)
        topics = bag.topics()
        self.assertEqual(set(topics), {"/tactile/newtons", "/tactile/flags"})
        return topics

    def published(self):
        lines = (folder() / "published.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def test_a_bag_of_what_comes(self):
        said = bridge(*self.live, "--bag", "b1", "--seconds", "0.5")
        topics = self.whole("b1")
        newtons, flags = topics["/tactile/newtons"][1], topics["/tactile/flags"][1]
        self.assertGreater(len(newtons), 5)
        self.assertIn(f"b1: {len(newtons)} frames of 84 tactels, ", said.stdout)
        times = [time_ns for time_ns, _ in newtons]
        self.assertEqual(times, sorted(times))  # what comes at once has one time
        self.assertEqual(times, [time_ns for time_ns, _ in flags])
        for (time_ns, image), (_, flag) in zip(newtons, flags):
            self.assertEqual(image["header"]["stamp"], {"sec": time_ns // 10**9,
                                                        "nanosec": time_ns % 10**9})
            self.assertEqual((image["height"], image["width"]), (14, 6))
            below = pixels(flag, "u1") == tactelier.FLAGS.index("below")
            self.assertTrue(np.isnan(pixels(image)[below]).all())
            self.assertTrue((np.nan_to_num(pixels(image)) < 0.5).all(), "nothing lies on it")

    def ended(self, name, end, devices="live.json"):
        """Status and last words of a bridge after end(process), which comes once there are frames;
        its bag is whole."""
        command = [sys.executable, BRIDGES / "ros2_newtons.py", *self.live, "--live", devices,
                   "--bag", name]  # the last --live counts
        with subprocess.Popen(command, cwd=folder(), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            for line in process.stderr:
                if "frames come" in line:
                    break
            end(process)
            words = process.stderr.read()
            status = process.wait()
        self.assertGreaterEqual(len(self.whole(name)["/tactile/newtons"][1]), 1)
        return status, words

    def test_ctrl_c_leaves_a_whole_bag(self):
        self.assertEqual(self.ended("b2", lambda process: process.send_signal(signal.SIGINT)),
                         (0, ""))

    def test_so_does_the_end_of_a_launch(self):
        self.assertEqual(self.ended("b3", lambda process: process.terminate()), (0, ""))

    def test_so_does_a_wire_that_is_gone(self):
        with subprocess.Popen([TACTELIER, "bench", "--json", "--write-devices", "other.json"],
                              cwd=folder(), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as bench:
            self.assertTrue(bench.stdout.readline())
            status, words = self.ended("b5", lambda process: bench.terminate(), "other.json")
        self.assertEqual(status, 4)
        self.assertIn("ros2_newtons: ", words)

    def test_what_is_published_is_what_the_bag_holds(self):
        bridge(*self.live, "--bag", "b4", "--publish", "--seconds", "0.3", "--ros-args", "-r",
               "__ns:=/hand", env=self.with_ros)
        told = self.published()
        self.assertEqual(told[0], {"arguments": ["--ros-args", "-r", "__ns:=/hand"]})
        self.assertEqual(told[-2:], [{"destroyed": True}, {"shut_down": True}])
        bag = read_bag("b4")
        names = {number: channel[1] for number, channel in bag.channels.items()}
        self.assertGreater(len(told), 8)
        self.assertEqual([("/" + message["topic"], message["kind"], message["data"])
                          for message in told[1:-2]],
                         [(names[number], "Image", data.hex()) for number, _, data in bag.messages])

    def test_it_publishes_without_a_bag(self):
        bridge(*self.live, "--seconds", "0.3", "--topic", "/skin", env=self.with_ros)
        told = self.published()
        self.assertEqual({message["topic"] for message in told[1:-2]},
                         {"/skin/newtons", "/skin/flags"})

    def test_refusals_are_the_command_lines_and_leave_nothing(self):
        for arguments, theirs, status in (
                (("truth.json", "--serial", "another"), ("--serial", "another"), 3),
                ((model_file(),), (), 3)):
            model, *more = arguments
            words = bridge("--model", model, "--live", "live.json", *more, "--bag", "none",
                           status=status).stderr
            self.assertEqual(words.removeprefix("ros2_newtons: ").strip(),
                             refusal("apply", model, "--live", "live.json", *theirs))
            self.assertFalse((folder() / "none").exists())

    def test_a_rig_at_work_keeps_its_array(self):
        shutil.copy(SOURCE / "data" / "rigs" / "virtual-bench.json", folder() / "rig.json")
        begin(self.__class__, "rig", "serve", "--devices", "live.json", "--rig", "rig.json")
        words = bridge(*self.live, "--bag", "none", status=4).stderr
        self.assertIn("rig", words)
        self.assertFalse((folder() / "none").exists())
        cli("rig", "quit", "-q")


if __name__ == "__main__":
    unittest.main()
