#!/usr/bin/python3
"""Speed of the exported runtimes, and whether they agree.

usage: runtime_speed.py WTS.hpp WTS.py [FRAMES]

Both files are exported from one model (`tactelier export --to runtime-cpp`, `--to runtime-python`).
The header is compiled with c++ -O2 and turns the same frames into newtons as the module does, in
batches; processor time, one thread, best of five. Prints frames per second and the largest
difference between both.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402

ROUNDS = 5
PROGRAM = """#include "{header}"
#include <cstdio>
#include <ctime>
#include <fstream>
#include <vector>
int main() {{
  using namespace {name};
  std::ifstream in("readings", std::ios::binary | std::ios::ate);
  std::vector<double> readings(static_cast<std::size_t>(in.tellg()) / sizeof(double));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(readings.data()),
          static_cast<std::streamsize>(readings.size() * sizeof(double)));
  std::vector<double> forces(readings.size());
  std::vector<Flag> flags(readings.size());
  double best = 1e9;
  for (int i = 0; i < {rounds}; ++i) {{
    const std::clock_t begin = std::clock();
    newtons(readings.data(), readings.size() / kTactels, forces.data(), flags.data());
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }}
  std::ofstream out("forces", std::ios::binary);
  out.write(reinterpret_cast<char*>(forces.data()),
            static_cast<std::streamsize>(forces.size() * sizeof(double)));
  std::printf("%.9f", best);
}}
"""


def header_speed(header, readings, folder):
    name = re.search(r"^namespace (tactelier_\w+) ", header.read_text(), re.MULTILINE).group(1)
    readings.tofile(folder / "readings")
    (folder / "main.cpp").write_text(
        PROGRAM.format(header=header.resolve(), name=name, rounds=ROUNDS))
    subprocess.run(["c++", "-std=c++17", "-O2", "main.cpp", "-o", "runtime"], cwd=folder, check=True)
    best_s = subprocess.run(["./runtime"], cwd=folder, check=True, capture_output=True).stdout
    return float(best_s), np.fromfile(folder / "forces").reshape(readings.shape)


def module_speed(runtime, readings):
    best_s = float("inf")
    for _ in range(ROUNDS):
        begin_s = time.process_time()
        forces_N, _ = runtime.newtons(readings)
        best_s = min(best_s, time.process_time() - begin_s)
    return best_s, forces_N


def main():
    header, module = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    frames = int(sys.argv[3]) if len(sys.argv) > 3 else 50000
    spec = importlib.util.spec_from_file_location("runtime", module)
    runtime = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runtime)
    readings = np.random.default_rng(1).uniform(0, 4095, (frames, runtime.TACTELS))
    with tempfile.TemporaryDirectory() as folder:
        header_s, header_N = header_speed(header, readings, pathlib.Path(folder))
    module_s, module_N = module_speed(runtime, readings)
    for name, seconds in (("header", header_s), ("module", module_s)):
        print(f"{name}: {frames / seconds:.3g} frames/s of {runtime.TACTELS} tactels")
    assert (np.isnan(header_N) == np.isnan(module_N)).all()
    print(f"largest difference: {np.nanmax(abs(header_N - module_N)):.2g} N")


main()
