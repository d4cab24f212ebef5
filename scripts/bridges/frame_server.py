"""Frames of samples for whoever connects by TCP: what the bridges between a maker's library and our
drivers share.

The driver is the client. It sends S and a line end for samples from now on, X and a line end for
none; nothing is sent unasked, so that it never begins with old samples. Samples are numbered for
each reader from its first one on, those that it didn't take included, so that its driver counts
them; what is acquired while a reader has said X has no number. The layout is that of
data/devices/daq-gages.json with other readings.
"""

import argparse
import os
import select
import signal
import socket
import sys
import zlib

import numpy as np

EXIT_USAGE, EXIT_BAD_INPUT, EXIT_DEVICE = 2, 3, 4  # as the command line
SYNC = b"\xa5\x5a"
LONGEST_COMMAND = 64
# What this system keeps for a reader that pauses, beside what the reader's own does; beyond it
# samples are lost to it. Late samples are worth little to who watches a force.
KEPT_BYTES = 1 << 16


class BridgeError(Exception):
    """What can't be done, with the exit status that says so."""

    def __init__(self, words, status=EXIT_BAD_INPUT):
        super().__init__(words)
        self.status = status


def frame_type(readings):
    """`readings`: numpy type of a sample's readings, as "6<f8"."""
    return np.dtype([("sync", "S2"), ("status", "<u2"), ("number", "<u4"), ("time_us", "<u4"),
                     ("readings", readings), ("crc", "<u4")])


class Samples:
    """One or more samples in a row, in the frames that hold them."""

    def __init__(self, kind, status, time_s, readings):
        """A status word and a time for each row of `readings`."""
        self._frames = np.zeros(len(status), kind)
        self._frames["sync"] = SYNC
        self._frames["status"] = status
        self._frames["time_us"] = np.rint(np.asarray(time_s) * 1e6).astype(np.uint64) & 0xffffffff
        self._frames["readings"] = readings
        self.frame_size = kind.itemsize

    def __len__(self):
        return len(self._frames)

    def encode(self, first_number):
        """The bytes, numbered from first_number on, modulo 2^32."""
        frames = self._frames
        frames["number"] = (np.arange(first_number, first_number + len(frames), dtype=np.uint64)
                            & 0xffffffff)
        checked = frames.itemsize - 4
        frames["crc"] = [zlib.crc32(frame.tobytes()[:checked]) for frame in frames]
        return frames.tobytes()


class Reader:
    """A driver that has connected. It is never waited for."""

    def __init__(self, connection, place, say):
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KEPT_BYTES)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # its computer may go
        self.connection, self.place, self._say = connection, place, say
        self.listens = self.slow = False
        self.sent = self.lost = 0
        self._next_number = 0
        self._heard = b""
        self._rest = b""  # of a frame that went in part

    def hear(self):
        """Takes what it says; False when it is gone or talks nonsense."""
        try:
            said = self.connection.recv(4096)
        except BlockingIOError:
            return True
        except OSError:
            return False
        *lines, self._heard = (self._heard + said).split(b"\n")
        for line in lines:
            if line.strip() in (b"S", b"X"):
                self.listens = line.strip() == b"S"
                self._say(f"{self.place} {'reads' if self.listens else 'rests'}")
        return bool(said) and len(self._heard) <= LONGEST_COMMAND

    def offer(self, samples):
        """Sends what it takes at once; the rest is lost to it, whole frames of course. False when
        it is gone."""
        before = len(self._rest)
        data = self._rest + samples.encode(self._next_number)
        gone = 0
        try:
            while gone < len(data):
                gone += self.connection.send(data[gone:])
        except BlockingIOError:
            pass
        except OSError:
            return False
        begun = -(-max(gone - before, 0) // samples.frame_size)  # rounded up
        self._rest = data[gone:max(before, before + begun * samples.frame_size)]
        self._next_number += len(samples)
        self.sent += begun
        self.lost += len(samples) - begun
        return True


    def miss(self, count):
        """So many samples that should have been there are not: they keep their numbers."""
        self._next_number += count
        self.lost += count


class FrameServer:
    """Listens at (host, port); port 0 is any that is free."""

    def __init__(self, listen, say):
        self._say = say
        self._readers = []
        family = socket.AF_INET6 if ":" in listen[0] else socket.AF_INET
        try:
            self._listener = socket.create_server(listen, family=family)
        except OSError as error:
            words = os.strerror(error.errno) if error.errno else error
            raise BridgeError(f"can't listen at {place_of(listen)}: {words}. "
                              "Another bridge may have it: end that one, or name another "
                              "--listen HOST:PORT") from error
        self._listener.setblocking(False)

    @property
    def place(self):
        """What a driver is to connect to."""
        host, port = self._listener.getsockname()[:2]
        return place_of((socket.gethostname() if host in ("0.0.0.0", "::") else host, port))

    def serve(self, samples):
        """Hears who connects and what readers say, and hands them these samples."""
        ready, _, _ = select.select([self._listener, *(reader.connection for reader in
                                                       self._readers)], [], [], 0)
        for reader in list(self._readers):
            if reader.connection in ready and not reader.hear():
                self._drop(reader)
        if self._listener in ready:
            self._accept()
        for reader in list(self._readers):
            lost_before = reader.lost
            if reader.listens and not reader.offer(samples):
                self._drop(reader)
            elif reader.lost > lost_before and not reader.slow:
                reader.slow = True  # once said is enough
                self._say(f"{reader.place} takes samples more slowly than they come: what it does "
                          "not take is lost to it, and counted")

    def miss(self, count):
        """As Reader.miss(), of all that read now."""
        for reader in self._readers:
            if reader.listens:
                reader.miss(count)

    def close(self):
        for reader in list(self._readers):
            self._drop(reader)
        self._listener.close()

    def _accept(self):
        try:
            connection, address = self._listener.accept()
        except OSError:
            return  # gone again
        self._readers.append(Reader(connection, place_of(address), self._say))

    def _drop(self, reader):
        self._readers.remove(reader)
        try:
            reader.connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it is gone already
        reader.connection.close()
        self._say(f"{reader.place}: {reader.sent} samples sent, {reader.lost} lost to it")


class Ending:
    """Ctrl-C and SIGTERM; what is under way is done to its end first."""

    def __init__(self):
        self.asked = False

    def __enter__(self):
        self._before = {number: signal.signal(number, self._hear)
                        for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, *_):
        self.asked = True


def place_of(address):
    host, port = address[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def host_and_port(text):
    """Of "HOST:PORT", an IPv6 address in brackets."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ValueError(text)
    return host.removeprefix("[").removesuffix("]"), int(port)


def add_listen(parser, port):
    """The option of an address where the driver connects; this computer alone unless told."""
    def address(text):
        try:
            return host_and_port(text)
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"{text}: HOST:PORT expected, as 127.0.0.1:{port}") from None
    parser.add_argument("--listen", type=address, default=f"127.0.0.1:{port}", metavar="HOST:PORT",
                        help=f"where the driver connects (127.0.0.1:{port}: this computer alone)")


def sayer(name):
    """Of what goes on: to stderr, with the program's name."""
    def say(words):
        print(f"{name}: {words}", file=sys.stderr, flush=True)
    return say
