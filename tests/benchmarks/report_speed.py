#!/usr/bin/python3
"""How long reports take, and how large they are.

usage: report_speed.py TACTELIER

84 tactels: the protocol `quick` on the Weiss array. 1000 tactels: one quick press each on an array
of 25 x 40. Prints seconds of processor and of the clock for HTML and PDF with data beside the fit,
and bytes.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

WIDE = {
    "format": "tactelier/sensor", "version": 1, "vendor": "Test", "model": "Pad 25x40", "rows": 25,
    "columns": 40, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "channels": 1,
    "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": 100, "thickness_mm": 3,
    "max_force_N": 10, "max_pressure_MPa": None, "falling": False, "source": "for this benchmark",
}
ONCE = {
    "format": "tactelier/protocol", "version": 1, "name": "once", "description": "Each tactel once.",
    "max_minutes": 600, "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "zero", "time_s": 5},
              {"do": "scan", "tactels": "all", "speed_mm_s": 2, "until": {"force_N": 2, "depth_mm": 1}}],
}


def run(program, *arguments):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.monotonic() - begin


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "wide.json").write_text(json.dumps(WIDE))
        (folder / "once.json").write_text(json.dumps(ONCE))
        for tactels, options in (
                (84, ("--protocol", "quick", "--preset", "lab")),
                (1000, ("--protocol", folder / "once.json", "--sensor", folder / "wide.json"))):
            session, model = folder / f"{tactels}.tact", folder / f"{tactels}.json"
            run(program, "synth", *options, "-o", session)
            run(program, "fit", session, "-o", model, "-q")
            for suffixes in (("html",), ("pdf",), ("html", "pdf")):
                files = [folder / f"{tactels}-{len(suffixes)}.{suffix}" for suffix in suffixes]
                outputs = [word for file in files for word in ("-o", file)]
                used, took = run(program, "report", model, session, *outputs)
                sizes = ", ".join(f"{file.stat().st_size / 1e6:.1f} MB" for file in files)
                print(f"{tactels} tactels, {' and '.join(suffixes)}: {used:.1f} s processor, "
                      f"{took:.1f} s, {sizes}", flush=True)


if __name__ == "__main__":
    main()
