"""scripts/bridges: newtons as messages of ROS 2 and as a bag, read by the definitions alone."""

import csv
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest

import numpy as np

import tactelier
from bags import Definition, Mcap, Reader
from support import SOURCE, cli, folder, model_file, refusal, recording

BRIDGES = SOURCE / "scripts" / "bridges"
sys.path.insert(0, str(BRIDGES))
import mcap_writer  # noqa: E402  pylint: disable=wrong-import-position
import ros2_messages  # noqa: E402  pylint: disable=wrong-import-position
import rosbag2_writer  # noqa: E402  pylint: disable=wrong-import-position

# What an installed ROS 2 (Jazzy) says of its types: share/PACKAGE/msg/NAME.json and the hashes that
# `ros2 topic info -v` prints.
HASHES = {
    "sensor_msgs/msg/Image": "d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47",
    "geometry_msgs/msg/PointStamped":
        "4c0296af86e01e562e9e0405d138a01537247580076c58ea38d7923ac1045897",
    "geometry_msgs/msg/WrenchStamped":
        "8dc3deaf06b2ab281f9f9a742a8961c328ca7cec16e3fd6586d3a5c83fa78f77",
}
SHORT = {
    "format": "tactelier/protocol", "version": 1, "name": "short", "description": "One tactel.",
    "max_minutes": 15, "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "zero", "time_s": 2},
              {"do": "scan", "tactels": [4], "speed_mm_s": 0.8, "repeats": 1, "rest_s": 1,
               "until": {"saturated": True, "force_N": 3, "depth_mm": 1.5}},
              {"do": "zero", "time_s": 2}],
}
CREATED_NS = 1_795_168_800_000_000_000  # 2026-11-20T10:00:00Z


def bridge(*arguments, status=0, **options):
    """Runs the bridge in folder()."""
    done = subprocess.run([sys.executable, BRIDGES / "ros2_newtons.py", *map(str, arguments)],
                          cwd=folder(), capture_output=True, text=True, check=False, **options)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done


def read_bag(name):
    return Mcap((folder() / name / f"{name}_0.mcap").read_bytes())


def pixels(image, kind="<f4"):
    """Of a decoded sensor_msgs/Image, as its fields say."""
    item = np.dtype(kind).itemsize
    assert (image["is_bigendian"], image["step"]) == (0, item * image["width"])
    return np.frombuffer(image["data"], kind).reshape(image["height"], image["width"])


class Definitions(unittest.TestCase):
    def test_they_hash_as_those_of_ros_do(self):
        for name, wanted in HASHES.items():
            found = Definition(name, ros2_messages.schema(name)).type_hash()
            self.assertEqual(found, "RIHS01_" + wanted, name)


class Bytes(unittest.TestCase):
    """Worked by hand from the definitions and CDR's rules."""

    def test_of_a_wrench(self):
        wanted = bytes.fromhex(
            "00010000"                          # little-endian CDR
            "ffffffff" "ffc99a3b"               # 1 ns before 1970: -1 s, 999999999 ns
            "02000000" "6600"                   # "f" and its NUL: 14 bytes until here
            "0000"                              # up to a multiple of 8
            "000000000000f03f" "00000000000000c0" "000000000000e03f"    # 1, -2, 0.5
            "0000000000000000" "000000000000f87f" "000000000000f03f")   # 0, NaN, 1
        self.assertEqual(ros2_messages.wrench_stamped(-1, "f", (1, -2, 0.5), (0, float("nan"), 1)),
                         wanted)

    def test_of_an_image(self):
        wanted = bytes.fromhex(
            "00010000" "01000000" "02000000" "03000000" "616200" "00"   # "ab": 15, up to 16
            "01000000" "02000000"               # 1 row, 2 columns
            "05000000" "3855433100" "00" "0000"  # "8UC1", not big-endian: 34, up to 36
            "02000000" "02000000" "0708")
        self.assertEqual(ros2_messages.image(1_000_000_002, "ab", np.array([[7, 8]], "u1"), "8UC1"),
                         wanted)

    def test_of_a_point_with_letters_of_two_bytes(self):
        found = Definition(ros2_messages.POINT, ros2_messages.schema(ros2_messages.POINT)).decode(
            ros2_messages.point_stamped(5_000_000_007, "Füße", (1.0, -2.0, 3.5)))
        self.assertEqual(found, {
            "header": {"stamp": {"sec": 5, "nanosec": 7}, "frame_id": "Füße"},
            "point": {"x": 1.0, "y": -2.0, "z": 3.5}})


class Container(unittest.TestCase):
    def test_many_chunks_are_indexed(self):
        with open(folder() / "many.mcap", "wb") as file:
            writer = mcap_writer.McapWriter(file, "ros2", "test")
            schema = writer.add_schema("a/msg/B", "ros2msg", "uint8 c\n")
            even = writer.add_channel("/even", schema, "cdr", {"a": "ä", "b": ""})
            for i in range(30_000):
                if i == 20_000:
                    odd = writer.add_channel("/odd", schema, "cdr", {})
                channel = even if i < 20_000 or i % 2 == 0 else odd
                writer.add_message(channel, 10**9 - i * 1000, struct.pack("<I", i) + bytes(80))
            writer.add_metadata("about", {"x": "y"})
            writer.finish()
        found = Mcap((folder() / "many.mcap").read_bytes())
        self.assertGreater(len(found.chunks), 2)
        self.assertEqual((found.profile, found.texts), ("ros2", {"about": {"x": "y"}}))
        self.assertEqual([struct.unpack_from("<I", data)[0] for _, _, data in found.messages],
                         list(range(30_000)))
        self.assertEqual([(topic, dict(texts)) for _, topic, _, texts in found.channels.values()],
                         [("/even", {"a": "ä", "b": ""}), ("/odd", {})])

    def test_what_is_older_than_a_second_is_in_the_file_before_its_end(self):
        bag = rosbag2_writer.Bag(folder() / "cut", "test")
        for time_ns in (0, 500_000_000, 999_999_999, 1_000_000_000, 1_500_000_000):
            bag.send("/a", ros2_messages.POINT, time_ns,
                     ros2_messages.point_stamped(time_ns, "f", (0, 0, 0)))
        data = (folder() / "cut" / "cut_0.mcap").read_bytes()
        records = [(operation, content) for _, operation, content in Reader(data, 8).records()]
        self.assertEqual([operation for operation, _ in records], [1, 3, 4, 6, 7])
        _, index = records[-1]
        self.assertEqual(index.take("H"), 0)
        self.assertEqual([time_ns for time_ns, _ in index.listed("Q", "Q")],
                         [0, 500_000_000, 999_999_999])
        bag.finish()
        self.assertEqual(len(read_bag("cut").messages), 5)

    def test_an_empty_bag_is_whole(self):
        rosbag2_writer.Bag(folder() / "empty", "test").finish()
        self.assertEqual(read_bag("empty").messages, [])
        self.assertIn("topics_with_message_count: []\n",
                      (folder() / "empty" / "metadata.yaml").read_text())

    def test_metadata_are_those_of_rosbag2(self):
        bag = rosbag2_writer.Bag(folder() / "pair", "test")
        bag.send("a/wrench", ros2_messages.WRENCH, 5,
                 ros2_messages.wrench_stamped(5, "f", (0, 0, 0), (0, 0, 0)))
        bag.send("/a/wrench", ros2_messages.WRENCH, 3_000_000_000,
                 ros2_messages.wrench_stamped(3, "f", (0, 0, 0), (0, 0, 0)))
        bag.finish()
        self.assertEqual(len(read_bag("pair").chunks), 2)  # a second after the other
        self.assertEqual((folder() / "pair" / "metadata.yaml").read_text(), """\
rosbag2_bagfile_information:
  version: 5
  storage_identifier: mcap
  relative_file_paths:
    - "pair_0.mcap"
  duration:
    nanoseconds: 2999999995
  starting_time:
    nanoseconds_since_epoch: 5
  message_count: 2
  topics_with_message_count:
    - topic_metadata:
        name: /a/wrench
        type: geometry_msgs/msg/WrenchStamped
        serialization_format: cdr
        offered_qos_profiles: ""
      message_count: 2
  compression_format: ""
  compression_mode: ""
  files:
    - path: "pair_0.mcap"
      starting_time:
        nanoseconds_since_epoch: 5
      duration:
        nanoseconds: 2999999995
      message_count: 2
""")


class Conversion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        recording()
        (folder() / "short.json").write_text(json.dumps(SHORT))
        cli("synth", "--protocol", "short.json", "--truth", "pad.truth.json", "-o", "s.tact",
            "--seed", 7)
        cli("unpack", "s.tact", "dated", "-q")
        document = json.loads((folder() / "dated" / "session.json").read_text())
        document["created"] = "2026-11-20T10:00:00Z"
        (folder() / "dated" / "session.json").write_text(json.dumps(document))
        cli("import", "dated", "-o", "dated.tact")
        cls.said = bridge("--model", model_file(), "--session", "dated.tact", "--bag", "bag").stdout
        cls.bag = read_bag("bag")
        cls.topics = cls.bag.topics()
        cls.applied = tactelier.load_model(model_file()).apply(folder() / "dated.tact")

    def stamps_are(self, messages, time_s, frame_id):
        wanted = CREATED_NS + np.rint(np.asarray(time_s) * 1e9).astype(np.int64)
        self.assertEqual([time_ns for time_ns, _ in messages], wanted.tolist())
        for time_ns, message in messages:
            header = message["header"]
            self.assertEqual(header["stamp"], dict(zip(("sec", "nanosec"),
                                                       divmod(time_ns, 10**9))))
            self.assertEqual(header["frame_id"], frame_id)

    def test_images_are_what_apply_writes(self):
        cli("apply", model_file(), "dated.tact", "-o", "newtons.csv", "--force")
        with open(folder() / "newtons.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        for topic, column in (("newtons", "{}[N]"), ("u95", "{}.u95[N]")):
            kind, messages = self.topics[f"/tactile/{topic}"]
            self.assertEqual(kind, "sensor_msgs/msg/Image")
            self.assertTrue(all(m["encoding"] == "32FC1" for _, m in messages))
            self.stamps_are(messages, [float(row["t[s]"]) for row in rows], "tactile_array")
            table = [[float(row[column.format(i)] or "nan") for i in range(9)] for row in rows]
            found = np.array([pixels(message) for _, message in messages])
            self.assertEqual(found.shape, (len(rows), 3, 3))
            digits = 6e-6 if topic == "newtons" else 6e-3  # of the table
            np.testing.assert_allclose(found.reshape(-1, 9), table, rtol=digits)
            self.assertGreater(np.isfinite(found).sum(), 20)
        flags = np.array([pixels(message, "u1") for _, message in self.topics["/tactile/flags"][1]])
        self.assertEqual([[tactelier.FLAGS[flag] for flag in frame.ravel()] for frame in flags],
                         [[row[f"{i}.flag"] for i in range(9)] for row in rows])

    def test_images_are_what_python_gives(self):
        for topic, wanted in (("newtons", self.applied.force_N), ("u95", self.applied.u95_N)):
            found = np.array([pixels(m).ravel() for _, m in self.topics[f"/tactile/{topic}"][1]])
            np.testing.assert_array_equal(found, wanted.astype("<f4"))

    def test_totals_press_on_the_sensor_where_the_centre_is(self):
        applied = self.applied
        kind, totals = self.topics["/tactile/total"]
        self.assertEqual(kind, "geometry_msgs/msg/WrenchStamped")
        self.stamps_are(totals, applied.time_s, "tactile_array")
        centres = {time_ns: message["point"]
                   for time_ns, message in self.topics["/tactile/centre"][1]}
        self.assertGreater(len(centres), 20)
        for row, (time_ns, message) in enumerate(totals):
            force, torque = message["wrench"]["force"], message["wrench"]["torque"]
            self.assertEqual(force["z"], -applied.total_N[row])
            self.assertTrue(all(np.isnan(x) for x in (force["x"], force["y"], torque["z"])))
            self.assertEqual(time_ns in centres, bool(np.isfinite(applied.centre_m[row]).all()))
            if time_ns in centres:
                point = centres[time_ns]
                self.assertEqual([point["x"], point["y"], point["z"]],
                                 [*applied.centre_m[row], 0.0])
                arm_m, push_N = (point["x"], point["y"], 0.0), (0.0, 0.0, force["z"])
                np.testing.assert_allclose((torque["x"], torque["y"]),
                                           np.cross(arm_m, push_N)[:2])
            else:
                self.assertTrue(np.isnan(torque["x"]) and np.isnan(torque["y"]))
        _, uncertainties = self.topics["/tactile/total_u95"]
        self.assertEqual([message["wrench"]["force"]["z"] for _, message in uncertainties],
                         applied.total_u95_N.tolist())

    def test_the_force_sensor_is_as_recorded(self):
        with tactelier.open(folder() / "dated.tact") as session:
            time_s, wrenches = session["force"].read(("Fx", "Fy", "Fz", "Tx", "Ty", "Tz"))
        _, messages = self.topics["/tactile/wrench"]
        self.stamps_are(messages, time_s, "force_sensor")
        found = [[m["wrench"][part][axis] for part in ("force", "torque") for axis in "xyz"]
                 for _, m in messages]
        np.testing.assert_array_equal(found, wrenches)

    def test_messages_stand_in_the_order_of_time(self):
        times = [time_ns for _, time_ns, _ in self.bag.messages]
        self.assertEqual(times, sorted(times))

    def test_the_bag_says_where_it_comes_from(self):
        with tactelier.open(folder() / "dated.tact") as session:
            content_hash = session.content_hash()
        told = self.bag.texts["tactelier/newtons"]
        self.assertEqual((told["sensor"], told["serial"], told["content_hash"]),
                         ("Test Pad 3x3", "synth-5", content_hash))
        self.assertEqual(told["flags"], "0=ok 1=below 2=saturated 3=uncalibrated 4=missing")
        self.assertEqual(json.loads(told["arrays"])[0]["pitch_x_m"], 0.0034)
        self.assertIn(f"{len(self.applied.time_s)} frames of 9 tactels", self.said)

    def test_a_recording_without_a_date_or_a_whole_wrench(self):
        shutil.copytree(folder() / "dated", folder() / "plain")
        path = folder() / "plain" / "session.json"
        document = json.loads(path.read_text())
        del document["created"]
        path.write_text(json.dumps(document))
        with open(folder() / "plain" / "force.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        (folder() / "plain" / "force.csv").write_text(
            "t[us],Fz[N]\n" + "".join(f"{row['t[us]']},{row['Fz[N]']}\n" for row in rows))
        cli("import", "plain", "-o", "plain.tact")
        bridge("--model", model_file(), "--session", "plain.tact", "--bag", "old", "--topic",
               "/hand/thumb", "--frame", "tip", "--force-frame", "cell")
        topics = read_bag("old").topics()
        self.assertEqual({topic.rsplit("/", 1)[0] for topic in topics}, {"/hand/thumb"})
        time_ns, message = topics["/hand/thumb/wrench"][1][-1]
        self.assertEqual((time_ns, message["header"]["frame_id"]),
                         (int(rows[-1]["t[us]"]) * 1000, "cell"))
        force = message["wrench"]["force"]
        self.assertTrue(np.isnan(force["x"]) and np.isnan(message["wrench"]["torque"]["z"]))
        self.assertAlmostEqual(force["z"], float(rows[-1]["Fz[N]"]))
        self.assertEqual(topics["/hand/thumb/newtons"][1][0][1]["header"]["frame_id"], "tip")

    def test_several_arrays_are_several_topics(self):
        document = tactelier.load_model(model_file()).to_dict()
        (array,) = document["sensor"]["arrays"]
        document["sensor"]["arrays"] = [{**array, "rows": 1}, {**array, "rows": 2}]

        class Model:
            def to_dict(self):
                return document

        import ros2_newtons

        messages = list(ros2_newtons.ArrayMessages(Model(), "hand", "skin").frame(
            7, np.arange(9.0), np.zeros(9)))
        found = {topic: Definition(kind, ros2_messages.schema(kind)).decode(data)
                 for topic, kind, _, data in messages}
        np.testing.assert_array_equal(pixels(found["hand/array_0/newtons"]), [[0, 1, 2]])
        np.testing.assert_array_equal(pixels(found["hand/array_1/newtons"]), [[3, 4, 5], [6, 7, 8]])
        self.assertEqual(found["hand/array_1/flags"]["header"]["frame_id"], "skin_1")


class Refusals(unittest.TestCase):
    def refused(self, *arguments, status=3):
        return bridge("--model", model_file(), *arguments, status=status).stderr

    def test_a_folder_that_exists_stays_as_it_is(self):
        (folder() / "mine").mkdir()
        (folder() / "mine" / "a").write_text("b")
        self.assertEqual(self.refused("--session", recording(), "--bag", "mine"),
                         "ros2_newtons: mine exists: name a folder that doesn't, nothing is "
                         "replaced\n")
        self.assertEqual([path.name for path in (folder() / "mine").iterdir()], ["a"])

    def test_another_sensors_recording_is_refused_in_the_command_lines_words(self):
        cli("synth", "--protocol", "study", "-o", "wts.tact")
        self.assertEqual(self.refused("--session", "wts.tact", "--bag", "none"), "ros2_newtons: "
                         + refusal("apply", model_file(), "wts.tact", "-o", "no.csv") + "\n")
        self.assertFalse((folder() / "none").exists())

    def test_what_is_not_there_is_named(self):
        self.assertIn("nowhere.tact", self.refused("--session", "nowhere.tact", "--bag", "none"))
        words = bridge("--model", "nowhere.json", "--session", recording(), "--bag", "none",
                       status=3).stderr
        self.assertIn("nowhere.json", words)
        self.assertFalse((folder() / "none").exists())

    def test_options_that_do_not_go_together(self):
        for arguments, words in (((), "one of the arguments"),
                                 (("--session", "s.tact"), "--session needs --bag FOLDER"),
                                 (("--session", "s.tact", "--bag", "b", "--publish"),
                                  "go with --live"),
                                 (("--live", "d.json", "--seconds", "-1"), "more than 0"),
                                 (("--live", "d.json", "--topic", "a/1"), "--topic a/1")):
            self.assertIn(words, self.refused(*arguments, status=2))

    @staticmethod
    def without(module):
        """An environment in which Python finds no such module, whatever is installed."""
        path = folder() / "absent" / module
        path.mkdir(parents=True, exist_ok=True)
        (path / f"{module}.py").write_text(f"raise ImportError('No module named {module}')\n")
        return {**os.environ, "PYTHONPATH": f"{path}:{os.environ['PYTHONPATH']}"}

    def test_without_ros_the_way_without_it_is_named(self):
        words = bridge("--model", model_file(), "--live", "nowhere.json", status=3,
                       env=self.without("rclpy")).stderr
        for word in ("rclpy", "setup.bash", "--bag FOLDER"):
            self.assertIn(word, words)

    def test_without_the_module_it_says_where_it_comes_from(self):
        words = bridge("--model", "m.json", "--session", "s.tact", "--bag", "none", status=3,
                       env=self.without("tactelier")).stderr
        self.assertIn("docs/python.md", words)

    def test_help_answers(self):
        self.assertIn("--session", bridge("--help").stdout)


READ_BAG = r"""
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { McapIndexedReader, McapStreamReader } from '@mcap/core';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import * as ros from '@foxglove/rosmsg-msgs-common';
const bytes = readFileSync('bag/bag_0.mcap');
const readable = { size: async () => BigInt(bytes.length),
                   read: async (at, n) => bytes.subarray(Number(at), Number(at + n)) };
const stream = new McapStreamReader({ validateCrcs: true, includeChunks: true });
stream.append(bytes);
while (stream.nextRecord());
assert(stream.done());
const reader = await McapIndexedReader.Initialize({ readable });
assert.equal(reader.header.profile, 'ros2');
const plain = (fields) => fields.filter((f) => !f.isConstant).map(
  ({ name, type, isArray }) => [name, type.replace('/msg/', '/'), !!isArray]);
const readers = {}, names = {};
for (const [id, channel] of reader.channelsById) {
  const schema = reader.schemasById.get(channel.schemaId);
  const definitions = parse(new TextDecoder().decode(schema.data), { ros2: true });
  readers[id] = new MessageReader(definitions);
  for (const distribution of ['ros2humble', 'ros2iron', 'ros2jazzy'])
    for (const definition of definitions) {
      const name = (definition.name ?? schema.name).replace('/msg/', '/');
      const official = ros[distribution][name] ?? ros[distribution][name.replace('/', '/msg/')];
      assert.deepEqual(plain(definition.definitions), plain(official.definitions), name);
      names[name] = true;
    }
}
assert.equal(Object.keys(names).length, 8);
const number = (x) => Number.isNaN(x) ? null : x;
for await (const message of reader.readMessages()) {
  const { topic } = reader.channelsById.get(message.channelId);
  const value = readers[message.channelId].readMessage(message.data);
  if (value.data) value.data = Buffer.from(value.data).toString('hex');
  console.log(JSON.stringify([topic, String(message.logTime), value], (_, x) =>
    typeof x === 'number' ? number(x) : x));
}
"""


class OfficialReader(unittest.TestCase):
    """npm's @mcap/core and @foxglove/rosmsg2-serialization, scripts/npm-packages.txt."""

    def test_it_reads_the_same_by_the_official_definitions(self):
        places = [SOURCE / "node_modules",
                  *map(pathlib.Path, filter(None, os.environ.get("NODE_PATH", "").split(":")))]
        wanted = ("@mcap/core", "@foxglove/rosmsg", "@foxglove/rosmsg2-serialization",
                  "@foxglove/rosmsg-msgs-common")
        packages = next((place for place in places if all(
            (place / name / "package.json").is_file() for name in wanted)), None)
        if packages is None or shutil.which("node") is None:
            self.skipTest("needs node and npm install " + " ".join(wanted))
        (folder() / "node_modules").symlink_to(packages)
        (folder() / "read.mjs").write_text(READ_BAG)
        if not (folder() / "bag").exists():
            Conversion.setUpClass()
        done = subprocess.run(["node", "read.mjs"], cwd=folder(), capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        theirs = {}
        for line in done.stdout.splitlines():
            topic, time_ns, value = json.loads(line)
            theirs.setdefault(topic, []).append((int(time_ns), value))
        ours = {topic: [(time_ns, self.as_theirs(value)) for time_ns, value in messages]
                for topic, (_, messages) in read_bag("bag").topics().items()}
        self.assertEqual(theirs.keys(), ours.keys())
        for topic, messages in ours.items():
            self.assertEqual(len(theirs[topic]), len(messages), topic)
            for their, our in zip(theirs[topic], messages):
                self.assertEqual(their, our, topic)

    def as_theirs(self, value):
        if isinstance(value, dict):
            return {key: self.as_theirs(of) for key, of in value.items()}
        if isinstance(value, float):
            return None if np.isnan(value) else value
        return value.hex() if isinstance(value, bytes) else value


if __name__ == "__main__":
    unittest.main()
