#!/usr/bin/env python3
"""A FUTEK load cell on a USB instrument of its maker, for the driver one-axis.

Asks the instrument through FUTEK's .NET library (Windows) and hands its converter's counts to
whoever connects. The first line it prints is the entry for the device file. docs/devices.md tells
how a rig is connected.
"""

import argparse
import contextlib
import importlib
import json
import sys
import time

from frame_server import (EXIT_DEVICE, BridgeError, Ending, FrameServer, Samples, frame_type,
                          add_listen, sayer)

FRAME = frame_type("<i4")
TRIES = 10  # the maker's example asks until the answer is a number; so often in a row, no longer
# Unit codes of FUTEK's library (its C# example, FindUnits(), after UnitCodes.html): newtons per
# unit, exact by NIST SP 811. Other codes are no forces.
N_PER_UNIT = {2: 1e-5, 5: 9.80665e-3, 11: 1e-2, 12: 9.80665, 16: 4448.2216152605, 17: 1e3,
              20: 4.4482216152605, 21: 10.0, 26: 1.0, 30: 4.4482216152605 / 16}
EXAMPLES = """
examples:
  futek_load_cell.py --serial 538827 --dll C:/FUTEK
  futek_load_cell.py --serial 538827 --rate 50 --listen 0.0.0.0:5018

exit status: 0 ended by Ctrl-C, 2 usage, 3 bad input (pythonnet or FUTEK_USB_DLL.dll is missing), 4
the instrument. The library tells the latest reading and neither number nor time: a --rate beyond
the instrument's own sampling rate reads the same conversion twice. An instrument that doesn't keep
up with --rate, and answers that are no numbers, are lost polls, counted.
"""
say = sayer("futek_load_cell")


def import_library(folder):
    """FUTEK's class USB_DLL."""
    if folder:
        sys.path.insert(0, folder)  # where pythonnet looks, too
    try:
        clr = importlib.import_module("clr")
        add_reference = clr.AddReference
    except (ImportError, AttributeError, RuntimeError) as error:  # .NET itself may be missing
        raise BridgeError(
            f"the Python module clr of pythonnet can't be used ({error}): `pip install pythonnet` "
            f"for {sys.executable}, and no other package named clr") from error
    try:
        add_reference("FUTEK_USB_DLL")
        return importlib.import_module("FUTEK_USB_DLL").USB_DLL
    except Exception as error:  # whatever .NET throws
        raise BridgeError(
            f"FUTEK_USB_DLL.dll can't be loaded ({one_line(error)}): name its folder, --dll "
            "FOLDER, take the one for this Python's 64 or 32 bits, and unblock it in its properties"
        ) from error


class Instrument:
    """By FUTEK's C# example: a reading is worth
    (counts - offset) / (full scale - offset) * load / 10^decimals, in its unit."""

    def __init__(self, library, serial, channel):
        self._serial, self._channel = serial, () if channel is None else (channel,)
        self.read = self.failed = 0
        with self._failing():
            self._dll = library()
            self._dll.Open_Device_Connection(serial)
            if self._status() != "0":
                raise BridgeError(
                    f"no FUTEK instrument with serial number {serial} answers (DeviceStatus "
                    f"{self._status()}): look at its cable and label, close other programs that "
                    "have it", EXIT_DEVICE)
            self._handle = self._dll.DeviceHandle
        try:
            self._take_calibration()
        except BridgeError:
            self.close()
            raise

    def _take_calibration(self):
        self._offset = self._needed("Get_Offset_Value")
        span = self._needed("Get_Fullscale_Value") - self._offset
        load = self._needed("Get_Fullscale_Load")
        decimals = self._needed("Get_Decimal_Point")
        unit = self._needed("Get_Unit_Code")
        if unit not in N_PER_UNIT:
            raise BridgeError(f"{self._serial}: unit code {unit} is no force: set the instrument's "
                              "unit to N, lb, kg, g or oz with its maker's program")
        if not span or not load:
            raise BridgeError(f"{self._serial}: full scale of {span} counts for {load}: it isn't "
                              "calibrated; its maker's program shows whether it knows the cell")
        if decimals > 3:  # as the example
            decimals = 0
        self.full_scale_N = load / 10**decimals * N_PER_UNIT[unit]
        self.N_per_count = self.full_scale_N / span

    def counts(self):
        """From its offset; None where the answer is no number."""
        counts = self._ask("Normal_Data_Request")
        if counts is None:
            self.failed += 1
            if self.failed >= TRIES:
                raise BridgeError(f"{self._serial}: {TRIES} answers in a row were no numbers "
                                  f"(DeviceStatus {self._status()}): look at its cable; then start "
                                  "this again", EXIT_DEVICE)
            return None
        self.failed = 0
        self.read += 1
        return counts - self._offset

    def close(self):
        try:
            self._dll.Close_Device_Connection(self._handle)
        except Exception as error:  # whatever .NET throws
            say(f"{self._serial} at the end: {one_line(error)}")

    def _needed(self, name):
        for _ in range(TRIES):
            number = self._ask(name)
            if number is not None:
                return number
        raise BridgeError(f"{self._serial}: {name} answers no number (DeviceStatus "
                          f"{self._status()})", EXIT_DEVICE)

    def _ask(self, name):
        with self._failing():
            answer = str(getattr(self._dll, name)(self._handle, *self._channel)).strip()
        return int(answer) if answer.lstrip("+-").isdecimal() else None

    def _status(self):
        return str(self._dll.DeviceStatus)

    @contextlib.contextmanager
    def _failing(self):
        try:
            yield
        except BridgeError:
            raise
        except Exception as error:  # whatever .NET throws
            raise BridgeError(f"{self._serial}: FUTEK's library: {one_line(error)}",
                              EXIT_DEVICE) from error


def one_line(error):
    return " ".join(str(error).split())


class Polls:
    """One in each period; those that are due while another takes longer are lost."""

    def __init__(self, rate_hz):
        self._period_s = 1 / rate_hz
        self._begin_s = time.monotonic()
        self._next = 0
        self.lost = 0

    def wait(self):
        """Until the next is due; how many were lost before it."""
        now_s = time.monotonic() - self._begin_s
        late = max(0, int(now_s / self._period_s) - self._next)
        self._next += late
        self.lost += late
        time.sleep(max(0.0, self._next * self._period_s - now_s))
        self._next += 1
        return late

    def now_s(self):
        return time.monotonic() - self._begin_s


def bridge(instrument, server, polls, ending):
    """Until somebody asks for its end."""
    while not ending.asked:
        late = polls.wait()
        if late and polls.lost == late:
            say("it answers more slowly than --rate: polls that are due meanwhile are lost, and "
                "counted")
        before_s = polls.now_s()
        counts = instrument.counts()
        after_s = polls.now_s()
        server.miss(late + (counts is None))
        none = counts is None
        server.serve(Samples(FRAME, [] if none else [0], [] if none else [(before_s + after_s) / 2],
                             [] if none else [counts]))
        polls.lost += none


def entry(server, instrument, rate_hz):
    return json.dumps({"driver": "one-axis", "url": f"tcp:{server.place}", "device": "futek-cell",
                       "rate_hz": rate_hz, "N_per_reading": instrument.N_per_count,
                       "full_scale_N": abs(instrument.full_scale_N)})


def run(options):
    library = import_library(options.dll)
    with contextlib.ExitStack() as ends:  # in the reverse order
        ending = ends.enter_context(Ending())
        server = FrameServer(options.listen, say)
        ends.callback(server.close)
        instrument = Instrument(library, options.serial, options.channel)
        ends.callback(instrument.close)
        say(f"{options.serial}: {abs(instrument.full_scale_N):g} N, {instrument.N_per_count:.6g} N "
            f"a count, {options.rate:g} times a second; Ctrl-C ends it")
        print(entry(server, instrument, options.rate), flush=True)
        polls = Polls(options.rate)
        ends.callback(lambda: say(f"{instrument.read} readings, {polls.lost} polls without one"))
        bridge(instrument, server, polls, ending)


def options_of(arguments):
    parser = argparse.ArgumentParser(
        prog="futek_load_cell.py", description=__doc__, epilog=EXAMPLES, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serial", required=True, metavar="NUMBER",
                        help="the instrument's serial number, on its label")
    parser.add_argument("--channel", type=int, metavar="N",
                        help="of an instrument with several inputs; its library asks for it then")
    parser.add_argument("--rate", type=float, default=100.0, metavar="HZ",
                        help="polls a second (100)")
    parser.add_argument("--dll", metavar="FOLDER", help="where FUTEK_USB_DLL.dll lies")
    add_listen(parser, 5018)
    options = parser.parse_args(arguments)
    if not 1 <= options.rate <= 1000:
        parser.error(f"--rate {options.rate:g}: 1 to 1000 polls a second expected")
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
