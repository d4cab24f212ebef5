"""What tests of the bridges of force sensors share: a bridge that runs, and a reader of its own."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys

import numpy as np

from support import SOURCE, folder

BRIDGES = SOURCE / "scripts" / "bridges"
STAND_INS = pathlib.Path(__file__).parent / "stand_ins"
sys.path.insert(0, str(BRIDGES))


def environment(home, **more):
    return {**os.environ, "PYTHONPATH": f"{STAND_INS}:{os.environ.get('PYTHONPATH', '')}",
            "CARD_FOLDER": str(home), **more}


def ended(script, *arguments, env=None):
    """Of a bridge that ends by itself."""
    return subprocess.run([sys.executable, BRIDGES / script, *map(str, arguments)], env=env,
                          cwd=folder(), capture_output=True, text=True, check=False)


class Bridge:
    """One that goes on until it is ended. Whoever waits for its words gets them or its end."""

    def __init__(self, case, script, *arguments, env):
        self._process = subprocess.Popen(
            [sys.executable, BRIDGES / script, "--listen", "127.0.0.1:0", *arguments], env=env,
            cwd=folder(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.words = []
        case.addCleanup(self._clean_up)
        line = self._process.stdout.readline()
        assert line, self._process.stderr.read()
        self.entry = json.loads(line)
        host, port = self.entry["url"].removeprefix("tcp:").rsplit(":", 1)
        self.address = host, int(port)

    def _clean_up(self):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()

    def heard(self, words):
        """The next line that holds them."""
        for line in self._process.stderr:
            self.words.append(line.strip())
            if words in line:
                return line.strip()
        raise AssertionError(f"ended without '{words}': {self.words}")

    def end(self, number=signal.SIGINT):
        self._process.send_signal(number)
        return self.ended()

    def ended(self):
        """Exit status and all that it has said."""
        self.words += [line.strip() for line in self._process.stderr]
        return self._process.wait(), "\n".join(self.words)

    def device_file(self, name, **more):
        path = folder() / name
        path.write_text(json.dumps({"format": "tactelier/devices", "version": 1,
                                    "force": {**self.entry, **more}}))
        return path


class Reader:
    """Reads as a driver does, or doesn't."""

    def __init__(self, case, bridge, kind, keeps=None):
        self._kind, self._bytes = kind, b""
        self.socket = socket.socket()
        case.addCleanup(self.socket.close)
        if keeps:  # bytes that its system keeps for it
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, keeps)
        self.socket.connect(bridge.address)

    def says(self, words):
        self.socket.sendall(words)

    def frames(self, count):
        """The next ones, at least so many."""
        while len(self._bytes) < count * self._kind.itemsize:
            got = self.socket.recv(1 << 16)
            assert got, "the bridge is gone"
            self._bytes += got
        whole = len(self._bytes) // self._kind.itemsize * self._kind.itemsize
        taken, self._bytes = self._bytes[:whole], self._bytes[whole:]
        return np.frombuffer(taken, self._kind)

    def rest(self):
        """All until the bridge closes; whole frames."""
        while got := self.socket.recv(1 << 16):
            self._bytes += got
        return np.frombuffer(self._bytes, self._kind)
