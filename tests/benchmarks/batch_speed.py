#!/usr/bin/env python3
"""Measures a batch over synthetic sensors, killed at random moments, and the catalogue it fills.

usage: batch_speed.py PROGRAM FOLDER [SENSORS] [JOBS]

Draws SENSORS pads (40), each recorded on a day of its own; their stiffness rises by 30 % over the
fleet (a drift), the pad in the middle is half as stiff again as it should be (an outlier). Then
plan, a run that is killed at five random moments, the rest of it, a second run, the report; and one
parameter queried from a catalogue of 10,000 sensors. Prints one line per number; exits with 1 when
a result is not whole, a row is there twice, or outlier or drift are not found.
"""

import datetime
import json
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import time

PROTOCOL = {
    "format": "tactelier/protocol", "version": 1, "name": "tiny", "description": "",
    "max_minutes": 60, "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "zero", "time_s": 2},
              {"do": "scan", "tactels": [44, 45], "speed_mm_s": 1.5, "repeats": 3,
               "until": {"force_N": 1.5, "depth_mm": 1.2}}]}
SEED = 21
KILLS = 5
MANY = 10000


class Measured:
    def __init__(self, program, folder):
        self.program, self.folder, self.wrong = str(pathlib.Path(program).resolve()), folder, []

    def run(self, *words):
        begun = time.monotonic()
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True,
                              text=True)
        return done, time.monotonic() - begun

    def must(self, *words):
        done, seconds = self.run(*words)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: {done.stderr}")
        return done.stdout, seconds

    def check(self, right, words):
        print(("ok     " if right else "WRONG  ") + words)
        if not right:
            self.wrong.append(words)


def record(m, sensors, base):
    """Session folders become recordings, so that each has its own date."""
    for i in range(sensors):
        truth = json.loads(json.dumps(base))
        factor = (1 + 0.3 * i / sensors) * (1.5 if i == sensors // 2 else 1) * random.gauss(1, 0.02)
        for name in ("foundation_modulus", "k", "k_punch", "k_affine"):
            if truth["stiffness"][name]["value"] is not None:
                truth["stiffness"][name]["value"] *= factor
        for tactel in truth["stiffness"]["k_punch_tactel"]:
            if tactel["value"] is not None:
                tactel["value"] *= factor
        (m.folder / "truth.json").write_text(json.dumps(truth))
        (m.folder / "raw.tact").unlink()
        m.must("synth", "--protocol", "tiny.json", "--truth", "truth.json", "-o", "raw.tact",
               "--seed", str(i + 1), "--write-truth", "drawn.json", "--force")
        m.must("unpack", "raw.tact", "raw")
        session = m.folder / "raw" / "session.json"
        document = json.loads(session.read_text())
        day = datetime.date(2026, 1, 1) + datetime.timedelta(days=i)
        document.update(created=f"{day}T10:00:00Z", sensor_serial=f"F{i:04}")
        session.write_text(json.dumps(document))
        m.must("import", "raw", "-o", f"rec/F{i:04}.tact")
        subprocess.run(["rm", "-r", "raw"], cwd=m.folder, check=True)


def whole(folder):
    """Every folder of results holds what its result.json names, and that reads."""
    for place in folder.iterdir() if folder.is_dir() else ():
        if place.name.startswith(".") or not place.is_dir():
            continue
        result = json.loads((place / "result.json").read_text())
        for name in result["files"]:
            text = (place / name).read_text()
            if name.endswith(".json"):
                json.loads(text)
    return True


def kill_at_random(m, jobs):
    for _ in range(KILLS):
        run = subprocess.Popen([m.program, "batch", "run", "fleet.json", "--jobs", str(jobs)],
                               cwd=m.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.05, 3))
        run.send_signal(signal.SIGKILL)
        run.wait()
        m.check(whole(m.folder / "fleet.results"), "killed: every folder of results is whole")


def rows_twice(file):
    with sqlite3.connect(file) as db:
        fits = db.execute("SELECT count(*), count(DISTINCT sensor) FROM fit").fetchone()
        rows = db.execute("SELECT count(*) FROM (SELECT 1 FROM parameter GROUP BY path, fit "
                          "HAVING count(*) > 1)").fetchone()
    return fits, rows[0]


def many_sensors(m, template):
    """A catalogue of MANY sensors, each with the rows of the first, its numbers scattered."""
    file = m.folder / "many.sqlite"
    file.write_bytes(template.read_bytes())
    with sqlite3.connect(file) as db:
        first = db.execute("SELECT min(id) FROM fit").fetchone()[0]
        db.execute("DELETE FROM parameter WHERE fit<>?", (first,))
        for table in ("session", "quality"):
            db.execute(f"DELETE FROM {table}")
        db.execute("DELETE FROM fit WHERE id<>?", (first,))
        for i in range(1, MANY):
            serial, key = f"M{i:05}", f"many {i}"
            sensor = db.execute("INSERT INTO sensor(sensor, serial) VALUES('many', ?)",
                                (serial,)).lastrowid
            recorded = f"2026-01-01T00:00:{i % 60:02}Z"
            fit = db.execute("INSERT INTO fit(sensor, key, state, recorded) VALUES(?, ?, "
                             "'identified', ?)", (sensor, key, recorded)).lastrowid
            db.execute("INSERT INTO parameter SELECT path, ?, value * ?, std, u95, spread, count, "
                       "tactels, unit, status, reason FROM parameter WHERE fit=?",
                       (fit, random.gauss(1, 0.05), first))
    return file


def main():
    folder = pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True)
    (folder / "rec").mkdir()
    m = Measured(sys.argv[1], folder)
    sensors = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    jobs = int(sys.argv[4]) if len(sys.argv) > 4 else 2
    random.seed(SEED)
    (folder / "tiny.json").write_text(json.dumps(PROTOCOL))
    m.must("synth", "--protocol", "tiny.json", "-o", "raw.tact", "--write-truth", "base.json")
    record(m, sensors, json.loads((folder / "base.json").read_text()))
    _, seconds = m.must("batch", "plan", "rec", "-o", "fleet.json", "--export", "openrave")
    print(f"plan of {sensors} sensors: {seconds:.2f} s")
    kill_at_random(m, jobs)
    done, seconds = m.run("batch", "run", "fleet.json", "--jobs", str(jobs), "--json")
    outcome = json.loads(done.stdout)["result"]
    print(f"run, the rest of it: {outcome['fitted']} fitted in {seconds:.1f} s")
    done, seconds = m.run("batch", "run", "fleet.json", "--json")
    fitted = json.loads(done.stdout)["result"]["fitted"]
    m.check(fitted == 0, f"second run: {fitted} fitted, {seconds:.2f} s")
    catalogue = folder / "fleet.results" / "catalogue.sqlite"
    (fits, distinct), twice = rows_twice(catalogue)
    m.check(fits == distinct == sensors and twice == 0,
            f"{fits} fits of {distinct} sensors, {twice} rows twice")
    text, seconds = m.must("catalogue", "report", str(catalogue), "--json")
    print(f"report: {seconds:.2f} s")
    found = {p["path"]: p for p in json.loads(text)["result"]["parameters"]}["stiffness.k_punch"]
    odd = [o["serial"] for o in found["outliers"]]
    m.check(odd == [f"F{sensors // 2:04}"], f"outlier of stiffness.k_punch: {odd}")
    m.check(found["drift"]["significant"], f"drift: {found['drift']}")
    many = many_sensors(m, catalogue)
    _, seconds = m.must("catalogue", "query", str(many), "--parameter", "stiffness.k_punch", "-q")
    print(f"one parameter over {MANY} sensors: {seconds:.2f} s")
    _, seconds = m.must("catalogue", "report", str(many), "-q")
    print(f"report over {MANY} sensors: {seconds:.2f} s")
    return 1 if m.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
