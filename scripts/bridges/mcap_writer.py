"""Writes files of the MCAP container (https://mcap.dev/spec): what a bag needs of it.

Messages go into chunks without compression; chunks, channels and counts are repeated in the summary
at the end, with offsets, so that readers find a time or a topic without reading the rest. Every
checksum that the format knows is there.
"""

import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"
CHUNK_BYTES = 1 << 20
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(0x01, 0x09)
STATISTICS, METADATA, METADATA_INDEX, SUMMARY_OFFSET, DATA_END = range(0x0B, 0x10)


def _text(words):
    data = words.encode()
    return struct.pack("<I", len(data)) + data


def _texts(pairs):
    entries = b"".join(_text(key) + _text(value) for key, value in pairs.items())
    return struct.pack("<I", len(entries)) + entries


def _record(operation, content):
    return struct.pack("<BQ", operation, len(content)) + content


class McapWriter:
    """Writes to a binary file that is open; finish() completes it, closing it is the caller's."""

    def __init__(self, file, profile, library):
        self._file, self._offset, self._crc = file, 0, 0
        self._chunk = _Chunk()
        self._chunk_indexes, self._metadata_indexes = [], []
        self._schemas, self._channels = [], []  # records, repeated in the summary
        self._counts = {}  # messages of each channel
        self._first_ns = self._last_ns = None
        self._put(MAGIC)
        self._put(_record(HEADER, _text(profile) + _text(library)))

    def add_schema(self, name, encoding, text):
        """Its number."""
        number = len(self._schemas) + 1  # 0 says that there is none
        self._schemas.append(_record(SCHEMA, struct.pack("<H", number) + _text(name)
                                     + _text(encoding) + _text(text)))
        self._put(self._schemas[-1])
        return number

    def add_channel(self, topic, schema, encoding, metadata):
        """Its number. A channel may come at any time before its messages."""
        number = len(self._channels)
        self._channels.append(_record(CHANNEL, struct.pack("<HH", number, schema) + _text(topic)
                                      + _text(encoding) + _texts(metadata)))
        self._put(self._channels[-1])
        self._counts[number] = 0
        return number

    def add_message(self, channel, time_ns, data):
        """Best in the order of time: readers then need one chunk at a time."""
        chunk = self._chunk
        chunk.index.setdefault(channel, []).append((time_ns, len(chunk.records)))
        chunk.records += struct.pack("<BQHIQQ", MESSAGE, 22 + len(data), channel,
                                     self._counts[channel] & 0xFFFFFFFF, time_ns, time_ns)
        chunk.records += data
        self._counts[channel] += 1
        chunk.first_ns = time_ns if chunk.first_ns is None else min(chunk.first_ns, time_ns)
        chunk.last_ns = time_ns if chunk.last_ns is None else max(chunk.last_ns, time_ns)
        if len(chunk.records) >= CHUNK_BYTES:
            self.close_chunk()

    def close_chunk(self):
        """Hands what was added so far to the system: it outlives this process."""
        chunk, self._chunk = self._chunk, _Chunk()
        if not chunk.records:
            return
        times = struct.pack("<QQ", chunk.first_ns, chunk.last_ns)
        size = struct.pack("<Q", len(chunk.records))
        begin = self._offset
        self._put(_record(CHUNK, times + size + struct.pack("<I", zlib.crc32(chunk.records))
                          + _text("") + size + chunk.records))
        end, offsets = self._offset, b""
        for channel, entries in chunk.index.items():
            offsets += struct.pack("<HQ", channel, self._offset)
            listed = b"".join(struct.pack("<QQ", *entry) for entry in entries)
            self._put(_record(MESSAGE_INDEX, struct.pack("<HI", channel, len(listed)) + listed))
        self._chunk_indexes.append(_record(
            CHUNK_INDEX, times + struct.pack("<QQI", begin, end - begin, len(offsets)) + offsets
            + struct.pack("<Q", self._offset - end) + _text("") + size + size))
        self._first_ns = (chunk.first_ns if self._first_ns is None
                          else min(self._first_ns, chunk.first_ns))
        self._last_ns = (chunk.last_ns if self._last_ns is None
                         else max(self._last_ns, chunk.last_ns))
        self._file.flush()

    def add_metadata(self, name, texts):
        """A dict of texts about the file."""
        self.close_chunk()
        begin = self._offset
        self._put(_record(METADATA, _text(name) + _texts(texts)))
        self._metadata_indexes.append(_record(
            METADATA_INDEX, struct.pack("<QQ", begin, self._offset - begin) + _text(name)))

    def finish(self):
        """Writes what is left and the summary."""
        self.close_chunk()
        self._put(_record(DATA_END, struct.pack("<I", self._crc)))
        self._crc, summary, offsets = 0, self._offset, b""
        for operation, records in ((SCHEMA, self._schemas), (CHANNEL, self._channels),
                                   (STATISTICS, [self._statistics()]),
                                   (CHUNK_INDEX, self._chunk_indexes),
                                   (METADATA_INDEX, self._metadata_indexes)):
            begin = self._offset
            self._put(b"".join(records))
            if records:
                offsets += _record(SUMMARY_OFFSET, struct.pack("<BQQ", operation, begin,
                                                               self._offset - begin))
        offset_begin = self._offset
        self._put(offsets)
        self._put(struct.pack("<BQQQ", FOOTER, 20, summary, offset_begin))
        self._put(struct.pack("<I", self._crc) + MAGIC)
        self._file.flush()

    def _put(self, data):
        self._file.write(data)
        self._offset += len(data)
        self._crc = zlib.crc32(data, self._crc)

    def _statistics(self):
        counts = b"".join(struct.pack("<HQ", *entry) for entry in self._counts.items())
        return _record(STATISTICS, struct.pack(
            "<QHIIIIQQI", sum(self._counts.values()), len(self._schemas), len(self._channels), 0,
            len(self._metadata_indexes), len(self._chunk_indexes), self._first_ns or 0,
            self._last_ns or 0, len(counts)) + counts)


class _Chunk:
    """Messages that are not written yet, and where each channel's lie among them."""

    def __init__(self):
        self.records, self.index, self.first_ns, self.last_ns = bytearray(), {}, None, None
