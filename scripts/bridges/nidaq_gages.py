#!/usr/bin/env python3
"""Gage voltages of an ATI transducer on a National Instruments card, for the driver six-gages.

Reads six voltages with NI-DAQmx, timed by the card's own clock, and hands them to whoever connects;
the driver makes a wrench of them by the transducer's .cal file. The first line it prints is the
entry for the device file. docs/devices.md tells how a rig is connected.
"""

import argparse
import contextlib
import importlib
import json
import math
import sys

import numpy as np

from frame_server import (EXIT_DEVICE, EXIT_USAGE, BridgeError, Ending, FrameServer, Samples,
                          add_listen, frame_type, sayer)

GAGES = 6
FRAME = frame_type("6<f8")
# By number: nidaqmx.constants.TerminalConfiguration has had two names for differential.
TERMINALS = {"differential": 10106, "single-ended": 10083, "nrse": 10078, "pseudo": 12529}
# A gage that close to the end of the card's range, as a part of its half, is taken for one that
# can't go on: a calibrated converter stops beside its nominal end, not at it.
AT_ITS_END = 1e-3
# NI's advice is 10 reads a second, 100 as probably still fine (ni/nidaqmx-python, issue 615): so
# every sample is handed on within 10 ms. A rig stops where forces are older than 20 ms.
READS_PER_S = 100.0
BUFFER_S = 2.0  # of NI-DAQmx in this computer; after a longer pause the acquisition ends
# nidaqmx.error_codes.DAQmxErrors: what happened, and what helps.
TOO_SLOW = "lower --rate, or end what keeps this computer busy; then start this again"
REPLUG = "look at its cable and power; then start this again"
ERRORS = {
    -200279: ("samples came faster than this computer read them (buffer overwritten)", TOO_SLOW),
    -200222: ("samples came faster than this computer read them (buffer full)", TOO_SLOW),
    -200361: ("the card's own memory ran over", TOO_SLOW),
    -200284: ("the card sends no samples", REPLUG),
    -200220: ("there is no such card", "nilsdev (Linux) or NI MAX (Windows) lists the names"),
    -200170: ("the card has no such inputs", "name six: --channels Dev1/ai0:5"),
    -201003: ("the card can't be reached", REPLUG),
    -88705: ("the card is gone", REPLUG),
    -88709: ("the card is gone", REPLUG),
    -88710: ("the card is gone", REPLUG),
    -50405: ("the card is gone", REPLUG),
}
NAMES = (-200220, -200170)  # a list of those that there are helps
EXAMPLES = """
examples:
  nidaq_gages.py --channels Dev1/ai0:5
  nidaq_gages.py --channels Dev1/ai0,Dev1/ai1,Dev1/ai2,Dev1/ai3,Dev1/ai4,Dev1/ai5 --rate 2000
  nidaq_gages.py --listen 0.0.0.0:5017          for a reader on another computer

exit status: 0 ended by Ctrl-C, 2 usage, 3 bad input (the Python module nidaqmx is missing), 4 the
card. It goes on until Ctrl-C; when the card's samples can't be kept up with it ends and says how
many are lost, since numbers after that would be guesses.
"""
say = sayer("nidaq_gages")


def import_nidaqmx():
    try:
        for name in ("constants", "errors", "stream_readers", "system"):
            importlib.import_module(f"nidaqmx.{name}")
        return importlib.import_module("nidaqmx")
    except ImportError as error:
        raise BridgeError(
            f"the Python module nidaqmx can't be imported ({error}): install it for "
            f"{sys.executable}, `pip install nidaqmx`, and NI's driver NI-DAQmx on this computer"
        ) from error


class Card:
    """Six inputs of a card, acquired continuously by its own clock."""

    def __init__(self, nidaqmx, options):
        self._nidaqmx, self._channels = nidaqmx, options.channels
        self.acquired = self.at_end = 0  # samples that have been read; with a gage at its end
        constants = nidaqmx.constants
        with self._failing(), contextlib.ExitStack() as made:
            self._task = nidaqmx.Task()
            made.callback(self._task.close)
            self._task.ai_channels.add_ai_voltage_chan(
                options.channels, min_val=-options.range_V, max_val=options.range_V,
                terminal_config=constants.TerminalConfiguration(TERMINALS[options.terminal]))
            if self._task.number_of_channels != GAGES:
                raise BridgeError(
                    f"--channels {options.channels}: {self._task.number_of_channels} inputs, a "
                    f"transducer has {GAGES} gages: name {GAGES}, in their order", EXIT_USAGE)
            self._task.timing.cfg_samp_clk_timing(
                options.rate, sample_mode=constants.AcquisitionType.CONTINUOUS,
                samps_per_chan=math.ceil(options.rate * BUFFER_S))
            self.rate_hz = self._task.timing.samp_clk_rate  # what the card can do
            # "returns the coerced maximum value that the device can measure with the current
            # settings": nidaqmx, AIChannel.ai_max
            self.range_V = np.array([(channel.ai_min, channel.ai_max)
                                     for channel in self._task.ai_channels]).T
            self._task.start()
            made.pop_all()
        self._reader = nidaqmx.stream_readers.AnalogMultiChannelReader(self._task.in_stream)
        self._block_V = np.empty((GAGES, max(1, round(self.rate_hz / options.reads))))
        self._timeout_s = 1 + 5 * self._block_V.shape[1] / self.rate_hz

    def read(self):
        """The next samples, one or more: when by the card's clock, and volts, a row for each."""
        count = self._block_V.shape[1]
        with self._failing():
            self._reader.read_many_sample(self._block_V, count, self._timeout_s)
        numbers = np.arange(self.acquired, self.acquired + count)
        self.acquired += count
        return numbers / self.rate_hz, self._block_V.T

    def close(self):
        """And says what it was."""
        try:
            self._task.close()
        except self._nidaqmx.errors.Error as error:  # of a card that is gone, for one
            say(f"NI-DAQmx at the end: {one_line(error)}")
        say(f"{self.acquired} samples, {self.at_end} of them with a gage at the end of the range")

    @contextlib.contextmanager
    def _failing(self):
        try:
            yield
        except self._nidaqmx.errors.Error as error:
            raise BridgeError(self._words(error), EXIT_DEVICE) from error

    def _words(self, error):
        theirs = one_line(error)
        code = getattr(error, "error_code", None)  # none where NI's driver is missing
        if code is None:
            return f"{self._channels}: NI-DAQmx can't be used: {theirs}"
        words, remedy = ERRORS.get(code, ("NI-DAQmx refuses", "what it says may help"))
        if code in NAMES:
            remedy += f"; this computer has {self._cards()}"
        where = f" after {self.acquired} samples" if self.acquired else ""
        return (f"{self._channels}: {words}{where}{self._left_behind()}: {remedy}. "
                f"NI-DAQmx: {theirs}")

    def _cards(self):
        try:
            return ", ".join(self._nidaqmx.system.System.local().devices.device_names) or "none"
        except (AttributeError, self._nidaqmx.errors.Error):
            return "nobody knows which"

    def _left_behind(self):
        """How many were acquired and never read, where the card still tells."""
        if not self.acquired:
            return ""
        try:
            left = self._task.in_stream.total_samp_per_chan_acquired - self.acquired
        except self._nidaqmx.errors.Error:
            return ", how many it took since is not known"
        return f", {left} that it took since are lost"


def one_line(error):
    return " ".join(str(error).split())


def status_of(volts, range_V):
    """A bit for each gage at its end, the first gage's the lowest; of each row of volts."""
    low_V, high_V = range_V
    margin_V = AT_ITS_END * (high_V - low_V) / 2
    ends = (volts <= low_V + margin_V) | (volts >= high_V - margin_V)
    return ends @ (1 << np.arange(GAGES))


def bridge(card, server, ending):
    """Until somebody asks for its end."""
    while not ending.asked:
        time_s, volts = card.read()
        status = status_of(volts, card.range_V)
        if np.any(status) and not card.at_end:
            gages = ", ".join(str(gage + 1) for gage in range(GAGES)
                              if np.bitwise_or.reduce(status) >> gage & 1)
            say(f"gage {gages} at the end of the card's range: such samples are sent as invalid")
        card.at_end += int(np.count_nonzero(status))
        server.serve(Samples(FRAME, status, time_s, volts))


def entry(server, card):
    return json.dumps({"driver": "six-gages", "url": f"tcp:{server.place}", "device": "daq-gages",
                       "rate_hz": card.rate_hz, "cal": "FT00000.cal"})


def run(options):
    nidaqmx = import_nidaqmx()
    with contextlib.ExitStack() as ends:  # in the reverse order
        ending = ends.enter_context(Ending())
        server = FrameServer(options.listen, say)
        ends.callback(server.close)
        card = Card(nidaqmx, options)
        ends.callback(card.close)
        low_V, high_V = card.range_V[0].max(), card.range_V[1].min()
        say(f"{options.channels} at {card.rate_hz:g} samples/s, {low_V:g} to {high_V:g} V, "
            f"{options.terminal}; Ctrl-C ends it")
        if not math.isclose(card.rate_hz, options.rate, rel_tol=1e-6):
            say(f"--rate {options.rate:g}: the card's clock makes {card.rate_hz:.9g} of it")
        print(entry(server, card), flush=True)
        bridge(card, server, ending)


def options_of(arguments):
    parser = argparse.ArgumentParser(
        prog="nidaq_gages.py", description=__doc__, epilog=EXAMPLES, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--channels", required=True, metavar="NAMES",
                        help="six inputs in the gages' order, as NI-DAQmx names them: Dev1/ai0:5")
    parser.add_argument("--rate", type=float, default=1000.0, metavar="HZ",
                        help="samples a second of each gage (1000)")
    parser.add_argument("--range", type=float, default=10.0, metavar="V", dest="range_V",
                        help="+- this (10: half of OutputRange in the .cal file)")
    parser.add_argument("--terminal", choices=TERMINALS, default="differential",
                        help="how the inputs are wired (differential: OutputMode in the .cal file)")
    parser.add_argument("--reads", type=float, default=READS_PER_S, metavar="HZ",
                        help="how often a second samples are handed on (100)")
    add_listen(parser, 5017)
    options = parser.parse_args(arguments)
    if not 1 <= options.rate <= 20000:
        parser.error(f"--rate {options.rate:g}: 1 to 20000 samples a second expected")
    if not 0.01 <= options.range_V <= 100:
        parser.error(f"--range {options.range_V:g}: 0.01 to 100 V expected")
    if not 1 <= options.reads <= 1000:
        parser.error(f"--reads {options.reads:g}: 1 to 1000 times a second expected")
    return options


def main(arguments):
    try:
        run(options_of(arguments))
    except BridgeError as error:
        say(error)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
