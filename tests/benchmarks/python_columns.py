#!/usr/bin/python3
"""Reading a column in Python against the call of C++ that it makes, in turn.

usage: PYTHONPATH=build/fresh/app/python python_columns.py COLUMN_READ TACTELIER [ROUNDS]

COLUMN_READ is built by `ninja -C build/fresh column_read`. Of a recording of protocol `standard`
one force column and one tactel are read; prints the least and the median of each, and their ratio,
and what opening and importing take.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import tactelier


def python(path, stream, column, times):
    with tactelier.open(path) as session:
        source = session[stream]
        for _ in range(times):
            begin = time.perf_counter()
            time_s, values = source.read(column)
            took = time.perf_counter() - begin
            assert len(time_s) == len(values) > 0
            del time_s, values
            yield took


def main():
    program, tactelier_program = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import tactelier"], check=True)
    print(f"a Python that imports the module: {time.perf_counter() - begin:.3f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "standard.tact"
        subprocess.run([tactelier_program, "synth", "-q", "--protocol", "standard", "-o", path],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for stream, column in (("force", "Fz"), ("tactile", "40")):
            ours, theirs = [], []
            for _ in range(rounds):
                done = subprocess.run([program, path, stream, column, "4"], check=True,
                                      capture_output=True, text=True)
                theirs += [float(line) for line in done.stdout.split()][1:]
                ours += list(python(path, stream, column, 4))[1:]
            least, median = min(ours) / min(theirs), statistics.median(ours) / statistics.median(theirs)
            print(f"{stream} {column}: C++ {min(theirs):.4f} s, Python {min(ours):.4f} s; "
                  f"ratio of the least {least:.3f}, of the medians {median:.3f}")


if __name__ == "__main__":
    main()
