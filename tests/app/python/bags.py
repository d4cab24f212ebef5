"""Reads what the bridge to ROS 2 writes, by the specifications and not by the bridge's own code.

MCAP (mcap.dev/spec), its indexes and checksums; ROS 2's .msg definitions and their hash (REP 2016);
CDR. All of it front to back, every offset followed.
"""

import hashlib
import json
import re
import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"


class Reader:
    def __init__(self, data, at=0, end=None):
        self.data, self.at, self.end = data, at, len(data) if end is None else end

    def take(self, code):
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize(code)
        return value

    def octets(self, count):
        assert self.at + count <= self.end
        self.at += count
        return self.data[self.at - count:self.at]

    def text(self):
        return self.octets(self.take("I")).decode()

    def listed(self, *kinds):
        """Entries of a map or an array: its bytes are counted, not its entries."""
        inner = Reader(self.octets(self.take("I")))
        entries = []
        while inner.at < inner.end:
            entries.append(tuple(inner.text() if kind == "text" else inner.take(kind)
                                 for kind in kinds))
        return entries

    def records(self):
        """Where each begins, its operation, its content."""
        while self.at < self.end:
            begin, operation = self.at, self.take("B")
            yield begin, operation, Reader(self.octets(self.take("Q")))


class Mcap:
    """schemas and channels by number, messages in the order of the file, texts by name."""

    def __init__(self, data):
        self.schemas, self.channels, self.messages, self.texts = {}, {}, [], {}
        assert data[:8] == data[-8:] == MAGIC
        footer = Reader(data, len(data) - 8 - 29)
        assert (footer.take("B"), footer.take("Q")) == (2, 20)
        summary, offsets = footer.take("Q"), footer.take("Q")
        assert footer.take("I") == zlib.crc32(data[summary:len(data) - 12])
        assert data[summary - 13] == 0x0F  # the end of the data
        assert struct.unpack_from("<I", data, summary - 4)[0] == zlib.crc32(data[:summary - 13])
        self.places, self.chunks, self.indexes, self.sent = {}, [], [], {}
        self.read_data(data, summary - 13)
        self.check_summary(data, summary, offsets, len(data) - 8 - 29)

    def read_data(self, data, end):
        for begin, operation, content in Reader(data, 8, end).records():
            if operation == 1:
                self.profile, self.library = content.text(), content.text()
            elif operation in (3, 4):
                self.add(operation, content)
            elif operation == 6:
                self.read_chunk(begin, content)
            elif operation == 7:
                channel = content.take("H")
                self.indexes.append((begin, channel, content.listed("Q", "Q")))
            elif operation == 12:
                self.places[begin] = content.text()
                self.texts[self.places[begin]] = dict(content.listed("text", "text"))
            else:
                raise AssertionError(f"record {operation}")

    def add(self, operation, content):
        number = content.take("H")
        if operation == 3:
            found = content.text(), content.text(), content.text()
            assert number and self.schemas.setdefault(number, found) == found
        else:
            found = (content.take("H"), content.text(), content.text(),
                     tuple(content.listed("text", "text")))
            assert found[0] in self.schemas
            assert self.channels.setdefault(number, found) == found

    def read_chunk(self, begin, content):
        first, last, size, crc = (content.take(code) for code in "QQQI")
        assert content.text() == ""
        records = content.octets(content.take("Q"))
        assert content.at == content.end
        assert (len(records), zlib.crc32(records)) == (size, crc)
        times, where = [], {}
        for at, operation, message in Reader(records).records():
            assert operation == 5
            channel, sequence, time_ns, sent_ns = (message.take(code) for code in "HIQQ")
            assert channel in self.channels and sent_ns == time_ns
            assert sequence == self.sent.get(channel, 0)
            self.sent[channel] = sequence + 1
            self.messages.append((channel, time_ns, message.octets(message.end - message.at)))
            times.append(time_ns)
            where.setdefault(channel, []).append((time_ns, at))
        assert (min(times), max(times)) == (first, last)
        self.chunks.append((begin, begin + 9 + content.end, first, last, size, where))

    def check_summary(self, data, begin, offsets, end):
        groups, statistics, seen = {}, None, []
        for at, operation, content in Reader(data, begin, offsets).records():
            size = 9 + content.end
            if groups and operation != list(groups)[-1]:
                assert operation not in groups, "grouped by operation"
            first, length = groups.get(operation, (at, 0))
            groups[operation] = first, length + size
            if operation in (3, 4):
                seen.append((operation, struct.unpack_from("<H", content.data)[0]))
                self.add(operation, content)
            elif operation == 8:
                self.check_chunk(content, self.chunks[sum(s[0] == 8 for s in seen)])
                seen.append((8, 0))
            elif operation == 11:
                statistics = content
            elif operation == 13:
                place, length, name = content.take("Q"), content.take("Q"), content.text()
                assert self.places.pop(place) == name
                assert Reader(data, place + 1).take("Q") + 9 == length
        assert sorted(seen) == [*((3, number) for number in sorted(self.schemas)),
                                *((4, number) for number in sorted(self.channels)),
                                *((8, 0) for _ in self.chunks)]
        assert not self.places and not self.indexes
        self.check_statistics(statistics)
        told = [(o.take("B"), o.take("Q"), o.take("Q"))
                for _, kind, o in Reader(data, offsets, end).records() if kind == 14]
        assert told == [(operation, *where) for operation, where in groups.items()]

    def check_chunk(self, content, chunk):
        begin, end, first, last, size, where = chunk
        assert [content.take("Q") for _ in range(4)] == [first, last, begin, end - begin]
        told, at = dict(content.listed("H", "Q")), end
        assert told.keys() == where.keys()
        for channel in where:
            index = self.indexes.pop(0)
            assert index == (told[index[1]], index[1], where[index[1]]) and index[0] == at
            at += 9 + 6 + 16 * len(index[2])
        assert content.take("Q") == at - end
        assert (content.text(), content.take("Q"), content.take("Q")) == ("", size, size)

    def check_statistics(self, told):
        times = [time_ns for _, time_ns, _ in self.messages] or [0]
        assert [told.take(code) for code in "QHIIIIQQ"] == [
            len(self.messages), len(self.schemas), len(self.channels), 0, len(self.texts),
            len(self.chunks), min(times), max(times)]
        assert dict(told.listed("H", "Q")) == {
            number: sum(channel == number for channel, _, _ in self.messages)
            for number in self.channels}

    def topics(self):
        """Of each topic the type and (time in ns, message), decoded by the bag's own definition."""
        found = {}
        for number, (schema, topic, encoding, metadata) in self.channels.items():
            name, kind, text = self.schemas[schema]
            assert (kind, encoding, metadata) == ("ros2msg", "cdr", (("offered_qos_profiles", ""),))
            definition = Definition(name, text)
            found[topic] = name, [(time_ns, definition.decode(data))
                                  for channel, time_ns, data in self.messages if channel == number]
        return found


KINDS = {"int32": ("i", 6), "uint32": ("I", 7), "uint8": ("B", 3), "float64": ("d", 11)}
STRING, SEQUENCE = 17, 144  # of REP 2016


class Definition:
    """A .msg with what it names, as the schema encoding ros2msg puts them together."""

    def __init__(self, name, text):
        package, _, kind = name.split("/")
        parts = re.split(r"^={80}\nMSG: (\S+)\n", text, flags=re.M)
        self.name = f"{package}/{kind}"
        self.fields = {self.name: self.fields_of(parts[0], package)}
        for part, body in zip(parts[1::2], parts[2::2], strict=True):
            self.fields[part] = self.fields_of(body, part.split("/")[0])

    @staticmethod
    def fields_of(body, package):
        fields = []
        for line in body.splitlines():
            if words := line.split("#")[0].split():
                kind, name = words  # neither constants nor defaults
                single = kind.removesuffix("[]")
                if single not in KINDS and single != "string" and "/" not in single:
                    single = f"{package}/{single}"
                fields.append((name, single, kind.endswith("[]")))
        return fields

    def type_hash(self):
        def described(name):
            return {"type_name": name.replace("/", "/msg/"), "fields": [{"name": field, "type": {
                "type_id": (STRING if kind == "string" else KINDS[kind][1] if kind in KINDS else 1)
                + SEQUENCE * many, "capacity": 0, "string_capacity": 0,
                "nested_type_name": kind.replace("/", "/msg/") if "/" in kind else ""}}
                for field, kind, many in self.fields[name]]}

        parts = sorted(set(self.fields) - {self.name})
        document = {"type_description": described(self.name),
                    "referenced_type_descriptions": [described(part) for part in parts]}
        return "RIHS01_" + hashlib.sha256(json.dumps(document).encode()).hexdigest()

    def decode(self, data):
        assert data[:4] == b"\0\1\0\0", "little-endian CDR"
        reader = Reader(data[4:])
        found = self.message(self.name, reader)
        assert reader.at == reader.end
        return found

    def message(self, name, reader):
        return {field: self.value(kind, many, reader) for field, kind, many in self.fields[name]}

    def value(self, kind, many, reader):
        if many:
            count = self.number("I", reader)
            assert kind == "uint8"
            return reader.octets(count)
        if kind == "string":
            text = reader.octets(self.number("I", reader))
            assert text[-1:] == b"\0"
            return text[:-1].decode()
        return self.number(KINDS[kind][0], reader) if kind in KINDS else self.message(kind, reader)

    @staticmethod
    def number(code, reader):
        size = struct.calcsize("<" + code)
        while reader.at % size:
            assert reader.take("B") == 0
        return reader.take(code)
