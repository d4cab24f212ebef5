"""Stands in for NI's nidaqmx: a card whose samples a test writes down (card.json).

  {"rate_hz": 1000, "volts": [[six], ...], "error": -200279, "after": 100, "left": 120}

Samples are those of `volts`, over and over, paced by the card's clock; while a file named flood is
there they come as fast as they are asked for. `error` comes when a file named go is there and
`after` samples have been read, when `left` more have been acquired; "start_error" when the task
begins. What a task of NI-DAQmx must be told in the right order is checked.
"""

import json
import os
import pathlib
import time

from nidaqmx import constants, errors, system

FOLDER = pathlib.Path(os.environ["CARD_FOLDER"])


class Channel:
    def __init__(self, name, low_V, high_V):
        self.name, self.ai_min, self.ai_max = name, low_V, high_V


class Channels:
    def __init__(self, task):
        self._task, self._all = task, []

    def add_ai_voltage_chan(self, names, *, terminal_config, min_val, max_val):
        assert isinstance(terminal_config, constants.TerminalConfiguration)
        for name in names.split(","):
            device, _, inputs = name.strip().partition("/ai")
            if device not in system.System.local().devices.device_names:
                raise errors.DaqError("Device identifier is invalid.\n\nDevice: " + device, -200220)
            first, _, last = inputs.partition(":")
            for number in range(int(first), int(last or first) + 1):
                self._all.append(Channel(f"{device}/ai{number}", min_val, max_val))

    def __iter__(self):
        return iter(self._all)

    def __len__(self):
        return len(self._all)


class Timing:
    samp_clk_rate = None

    def __init__(self, card):
        self._card = card

    def cfg_samp_clk_timing(self, rate, *, sample_mode, samps_per_chan):
        assert sample_mode is constants.AcquisitionType.CONTINUOUS and samps_per_chan >= rate
        self.samp_clk_rate = self._card.get("rate_hz", rate)


class InStream:
    def __init__(self, task):
        self.task = task

    @property
    def total_samp_per_chan_acquired(self):
        return self.task.taken + self.task.card.get("left", 0)


class Task:
    def __init__(self):
        self.card = json.loads((FOLDER / "card.json").read_text())
        if self.card.get("driver_missing"):
            raise errors.DaqNotFoundError("Could not find an installation of NI-DAQmx.")
        self.ai_channels, self.timing = Channels(self), Timing(self.card)
        self.in_stream = InStream(self)
        self.taken, self._due_s = 0, None

    @property
    def number_of_channels(self):
        return len(self.ai_channels)

    def start(self):
        assert self.timing.samp_clk_rate
        if "start_error" in self.card:
            raise errors.DaqError("no start", self.card["start_error"])
        self._due_s = time.monotonic()

    def take(self, count):
        assert self._due_s is not None, "read before it was started"
        if (FOLDER / "go").exists() and self.taken >= self.card.get("after", 0):
            raise errors.DaqReadError("as NI words it", self.card["error"], 0)
        self._due_s = max(self._due_s, 0) + count / self.timing.samp_clk_rate
        if (FOLDER / "flood").exists():
            self._due_s = time.monotonic()
        time.sleep(max(0, self._due_s - time.monotonic()))  # the card's clock
        volts = self.card["volts"]
        rows = [volts[(self.taken + i) % len(volts)] for i in range(count)]
        self.taken += count
        return rows

    def close(self):
        (FOLDER / "closed").touch()
        if "close_error" in self.card:
            raise errors.DaqError("no end", self.card["close_error"])
