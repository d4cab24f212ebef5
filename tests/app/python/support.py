"""A small recording and its model, made by the command line: the other end of what Python reads.

Environment: TACTELIER, the program; TACTELIER_SOURCE, the tree; PYTHONPATH leads to the module.
"""

import atexit
import functools
import json
import os
import pathlib
import subprocess
import tempfile

TACTELIER = os.environ["TACTELIER"]
SOURCE = pathlib.Path(os.environ["TACTELIER_SOURCE"])
PAD = {
    "format": "tactelier/sensor", "version": 1, "vendor": "Test", "model": "Pad 3x3", "rows": 3,
    "columns": 3, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "channels": 1,
    "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": 100, "thickness_mm": 3,
    "max_force_N": 10, "max_pressure_MPa": None, "falling": False, "source": "for this test",
}
SCAN = {
    "format": "tactelier/protocol", "version": 1, "name": "small", "description": "Each tactel.",
    "max_minutes": 15, "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
    "steps": [
        {"do": "zero", "time_s": 5},
        {"do": "scan", "tactels": "all", "speed_mm_s": 0.8, "repeats": 2, "rest_s": 1,
         "until": {"saturated": True, "force_N": 3, "depth_mm": 1.5}},
        {"do": "images",
         "indenters": [{"id": "bar", "shape": "edge", "length_mm": 5, "width_mm": 2}],
         "force_N": 2, "rz_deg": [0, 45], "x_mm": 0.4, "y_mm": 0.3, "repeats": 2, "dwell_s": 3},
        {"do": "zero", "time_s": 5},
    ],
}


def run(*arguments):
    """Runs the program in folder()."""
    return subprocess.run([TACTELIER, *map(str, arguments)], cwd=folder(), capture_output=True,
                          text=True, check=False)


def cli(*arguments, status=0):
    """The same where it is known how it ends."""
    done = run(*arguments)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done


def refusal(*arguments):
    """The words of a command that fails: "tactelier fit: WORDS"."""
    done = run(*arguments)
    assert done.returncode != 0, arguments
    return done.stderr.strip().split(": ", 1)[1]


@functools.cache
def folder():
    """Of this run, removed at its end."""
    made = tempfile.TemporaryDirectory(prefix="tactelier-python-")
    atexit.register(made.cleanup)
    return pathlib.Path(made.name)


@functools.cache
def recording():
    """18 presses on nine tactels and four images, three and a half minutes."""
    (folder() / "pad.json").write_text(json.dumps(PAD))
    (folder() / "scan.json").write_text(json.dumps(SCAN))
    cli("synth", "--protocol", "scan.json", "--sensor", "pad.json", "-o", "pad.tact", "--seed", 5)
    return folder() / "pad.tact"


@functools.cache
def second_recording():
    """Of the same pad on another day."""
    cli("synth", "--protocol", "scan.json", "--truth", truth_file(), "-o", "tuesday.tact",
        "--seed", 6)
    return folder() / "tuesday.tact"


@functools.cache
def long_recording():
    """122 presses on 84 tactels: its fit takes some seconds."""
    cli("synth", "--protocol", "quick", "-o", "long.tact", "--seed", 8)
    return folder() / "long.tact"


@functools.cache
def model_file():
    """What the command line fits to the recording."""
    cli("fit", recording(), "-o", "pad.model.json")
    return folder() / "pad.model.json"


def truth_file():
    """The pad itself as a model: everything is known."""
    return recording().with_name("pad.truth.json")
