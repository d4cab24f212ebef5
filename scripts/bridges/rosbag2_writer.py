"""Writes a bag that `ros2 bag info` and `ros2 bag play` read: a folder of metadata.yaml and one
.mcap file. Needs no ROS."""

import json
import pathlib

import ros2_messages
from mcap_writer import McapWriter

# Humble reads this version, and so does whatever came after it: later ones add the hash of a type,
# custom data and profiles as lists, none of which is needed to play.
VERSION = 5
CHUNK_NS = 1_000_000_000  # a process that dies loses no more than this


class Bag:
    """A bag at work. Its folder must not exist; a topic comes with its first message."""

    def __init__(self, folder, library):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self._name = f"{self.folder.resolve().name}_0.mcap"
        self._file = open(self.folder / self._name, "wb")
        self._mcap = McapWriter(self._file, "ros2", library)
        self._schemas, self._topics = {}, {}
        self._first_ns, self._last_ns, self._chunk_ns = None, 0, 0

    def send(self, topic, type_name, time_ns, data):
        """time_ns: since 1970. data: as ros2_messages makes it. Names of a bag are absolute."""
        topic = "/" + topic.lstrip("/")
        if topic not in self._topics:
            self._topics[topic] = _Topic(type_name, self._add_topic(topic, type_name))
        if self._first_ns is None:
            self._first_ns = self._last_ns = self._chunk_ns = time_ns
        if abs(time_ns - self._chunk_ns) >= CHUNK_NS:
            self._mcap.close_chunk()
            self._chunk_ns = time_ns
        self._mcap.add_message(self._topics[topic].channel, time_ns, data)
        self._topics[topic].messages += 1
        self._first_ns, self._last_ns = min(self._first_ns, time_ns), max(self._last_ns, time_ns)

    def add_metadata(self, name, texts):
        """What readers of MCAP show beside the messages."""
        self._mcap.add_metadata(name, texts)

    def finish(self):
        """Completes the file and writes metadata.yaml. Without it: `ros2 bag reindex`."""
        try:
            self._mcap.finish()
        finally:
            self._file.close()
        (self.folder / "metadata.yaml").write_text(self._metadata(), encoding="utf-8")

    def remove(self):
        """Of a bag that could not be completed."""
        self._file.close()
        (self.folder / self._name).unlink()
        self.folder.rmdir()

    def _add_topic(self, topic, type_name):
        if type_name not in self._schemas:
            self._schemas[type_name] = self._mcap.add_schema(type_name, "ros2msg",
                                                             ros2_messages.schema(type_name))
        return self._mcap.add_channel(topic, self._schemas[type_name], "cdr",
                                      {"offered_qos_profiles": ""})

    def _metadata(self):
        messages = sum(topic.messages for topic in self._topics.values())
        begin, duration = self._first_ns or 0, self._last_ns - (self._first_ns or 0)
        name = json.dumps(self._name, ensure_ascii=False)  # also a string of YAML
        lines = ["rosbag2_bagfile_information:", f"  version: {VERSION}",
                 "  storage_identifier: mcap", "  relative_file_paths:", f"    - {name}",
                 "  duration:", f"    nanoseconds: {duration}", "  starting_time:",
                 f"    nanoseconds_since_epoch: {begin}", f"  message_count: {messages}",
                 "  topics_with_message_count:" + ("" if self._topics else " []")]
        for topic, of in self._topics.items():
            lines += ["    - topic_metadata:", f"        name: {topic}",
                      f"        type: {of.type_name}", "        serialization_format: cdr",
                      '        offered_qos_profiles: ""', f"      message_count: {of.messages}"]
        lines += ['  compression_format: ""', '  compression_mode: ""', "  files:",
                  f"    - path: {name}", "      starting_time:",
                  f"        nanoseconds_since_epoch: {begin}", "      duration:",
                  f"        nanoseconds: {duration}", f"      message_count: {messages}"]
        return "\n".join(lines) + "\n"


class _Topic:
    def __init__(self, type_name, channel):
        self.type_name, self.channel, self.messages = type_name, channel, 0
