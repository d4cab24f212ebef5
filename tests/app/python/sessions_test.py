"""Recordings in Python against what the command line says of the same files."""

import csv
import json
import pathlib
import shutil
import unittest

import h5py
import numpy as np

import tactelier
from support import cli, folder, recording, refusal


def table(name):
    """A stream as `unpack` writes it: names, units, cells."""
    plain = folder() / "plain"
    if not plain.exists():
        cli("unpack", recording(), plain)
    with open(plain / f"{name}.csv", newline="") as file:
        header, *rows = csv.reader(file)
    names, units = zip(*((cell.rstrip("]").split("[") + [""])[:2] for cell in header))
    return names, units, rows


class Columns(unittest.TestCase):
    def setUp(self):
        self.session = tactelier.open(recording())
        self.addCleanup(self.session.close)

    def test_every_column_has_the_digits_of_the_folder(self):
        for stream, scales in (("force", {"us": 1e-6}), ("stage", {"us": 1e-6, "mm": 1e-3}),
                               ("tactile", {"us": 1e-6})):
            names, units, rows = table(stream)
            self.assertEqual(self.session[stream].columns, names[1:])
            self.assertEqual(list(self.session[stream]), list(names[1:]))
            for i, (name, unit) in enumerate(zip(names, units)):
                written = np.array([float(row[i]) for row in rows])
                found = self.session[stream][name]
                np.testing.assert_allclose(found, written * scales.get(unit, 1), rtol=3e-16,
                                           atol=1e-300, err_msg=f"{stream} {name}")

    def test_every_number_is_that_of_hdf5_to_the_bit(self):
        tactelier.unpack(self.session, folder() / "python.h5")
        cli("unpack", recording(), "-o", "program.h5")
        with h5py.File(folder() / "program.h5") as file:
            for stream in self.session:
                time_s, values = self.session[stream].read()
                np.testing.assert_array_equal(time_s, np.ravel(file[stream]["time_s"]))
                np.testing.assert_array_equal(values, file[stream]["values"])
                np.testing.assert_array_equal(self.session[stream].time_s, time_s)
                self.assertEqual(list(self.session[stream].units.values()),
                                 list(file[stream]["values"].attrs["units"]))
            with h5py.File(folder() / "python.h5") as ours:
                for stream in self.session:
                    np.testing.assert_array_equal(ours[stream]["values"], file[stream]["values"])

    def test_a_folder_is_written_as_the_command_line_does(self):
        table("force")
        self.assertEqual(tactelier.unpack(self.session, folder() / "python-plain"), [])
        for path in (folder() / "plain").iterdir():
            self.assertEqual((folder() / "python-plain" / path.name).read_bytes(),
                             path.read_bytes())
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.unpack(self.session, folder() / "python-plain")
        self.assertEqual(caught.exception.code, "usage")

    def test_arrays_own_their_memory_and_outlive_the_session(self):
        force = self.session["force"]
        time_s, force_N = force.read("Fz")
        kept = force_N.copy()
        self.assertEqual((force_N.dtype, force_N.ndim), (np.float64, 1))
        self.assertTrue(force_N.flags.writeable and force_N.flags.c_contiguous)
        self.session.close()
        del force
        np.testing.assert_array_equal(force_N, kept)
        force_N[0] = 7.0
        self.assertEqual(len(time_s), len(force_N))

    def test_columns_come_in_the_order_asked_for_and_are_contiguous(self):
        force = self.session["force"]
        _, values = force.read(["Fz", "Fx"])
        np.testing.assert_array_equal(values[:, 0], force["Fz"])
        np.testing.assert_array_equal(values[:, 1], force["Fx"])
        self.assertTrue(values[:, 1].flags.c_contiguous)

    def test_a_range_is_half_open(self):
        force = self.session["force"]
        time_s, force_N = force.read("Fz", 10.0, 11.0)
        inside = (force.time_s >= 10.0) & (force.time_s < 11.0)
        np.testing.assert_array_equal(time_s, force.time_s[inside])
        np.testing.assert_array_equal(force_N, force["Fz"][inside])
        self.assertEqual(force.read("Fz", 5.0, 5.0)[1].shape, (0,))
        self.assertEqual(force.read([], 10.0, 11.0)[1].shape, (len(time_s), 0))

    def test_what_a_stream_is_agrees_with_info(self):
        told = json.loads(cli("info", recording(), "--json").stdout)["result"]["sessions"][0]
        self.assertEqual([stream["name"] for stream in told["streams"]], list(self.session))
        for stream in told["streams"]:
            found = self.session[stream["name"]]
            self.assertEqual((found.name, found.rows, found.begin_s, found.end_s, found.rate_hz),
                             (stream["name"], stream["rows"], stream["begin_s"], stream["end_s"],
                              stream["rate_hz"]))
            self.assertEqual(len(found) + 1, stream["columns"])
        self.assertEqual(self.session.content_hash(), told["content_hash"])
        self.assertEqual(len(self.session.presses), told["presses"])

    def test_progress_is_told_while_reading(self):
        told = []
        self.session["force"].read(progress=told.append)
        self.assertTrue(told)
        self.assertEqual(told[-1].what, "read force")
        self.assertTrue(0 <= told[-1].fraction <= 1)
        self.assertIn("read force", repr(told[-1]))

    def test_what_progress_raises_reaches_the_caller(self):
        def refuse(progress):
            raise ZeroDivisionError(progress.what)

        with self.assertRaisesRegex(ZeroDivisionError, "read force"):
            self.session["force"].read(progress=refuse)


class Facts(unittest.TestCase):
    def test_metadata_and_events_are_those_of_the_folder(self):
        with tactelier.open(recording()) as session:
            table("force")
            plain = json.loads((folder() / "plain" / "session.json").read_text())
            self.assertEqual(session.metadata, plain)
            with open(folder() / "plain" / "events.csv", newline="") as file:
                written = [{"t_s": float(row["t[s]"]), "name": row["event"],
                            "data": json.loads(row["data"])} for row in csv.DictReader(file)]
            self.assertEqual(session.events, written)

    def test_presses_are_those_of_the_events(self):
        with tactelier.open(recording()) as session:
            begins = {event["data"]["press"]: event for event in session.events
                      if event["name"] == "press_begin"}
            self.assertEqual([press.number for press in session.presses], list(begins))
            for press in session.presses:
                begin = begins[press.number]
                self.assertEqual((press.begin_s, press.tactel, press.kind),
                                 (begin["t_s"], begin["data"]["tactel"], begin["data"]["kind"]))
                self.assertTrue(press.usable and press.end_s > press.begin_s)
                self.assertFalse(press.excluded)

    def test_info_is_that_of_the_command_line(self):
        table("force")
        for path in (recording(), folder() / "plain"):
            told = json.loads(cli("info", path, "--json").stdout)
            found = tactelier.info(path)
            self.assertEqual(found.pop("warnings"), told["warnings"])
            self.assertEqual(found, told["result"]["sessions"][0])

    def test_edits_are_applied(self):
        copy = folder() / "edited.tact"
        shutil.copy(recording(), copy)
        cli("edit", copy, "--exclude", "2-3")
        with tactelier.open(copy) as session:
            self.assertEqual(session.edits, ["exclude press 2", "exclude press 3"])
            self.assertEqual([press.number for press in session.presses if press.excluded], [2, 3])

    def test_a_folder_opens_as_the_file_does(self):
        table("force")
        with tactelier.open(str(folder() / "plain")) as of_folder, \
                tactelier.open(recording()) as of_file:
            np.testing.assert_array_equal(of_folder["tactile"]["4"], of_file["tactile"]["4"])
            self.assertEqual(of_folder.name, "plain")
            self.assertTrue(of_folder.finished)

    def test_it_says_what_it_is(self):
        with tactelier.open(recording()) as session:
            self.assertIn("pad.tact", repr(session))
            self.assertIn("Fz", repr(session["force"]))
            self.assertIn("ramp", repr(session.presses[0]))
            self.assertIn("force", session)
            self.assertNotIn("nothing", session)
            self.assertEqual(len(session), 3)
            self.assertIn("Fz", session["force"])
            self.assertEqual(pathlib.Path(session.path), recording())


class Refusals(unittest.TestCase):
    def test_the_words_are_those_of_the_command_line(self):
        (folder() / "text.tact").write_text("no recording")
        (folder() / "empty").mkdir(exist_ok=True)
        for name, code in (("nowhere.tact", "io"), ("text.tact", "invalid_input"),
                           ("empty", "invalid_input")):
            path = folder() / name
            with self.assertRaises(tactelier.Error) as caught:
                tactelier.open(path)
            self.assertEqual(str(caught.exception), refusal("info", path), name)
            self.assertEqual(caught.exception.code, code, name)

    def test_an_unknown_stream_or_column_is_named(self):
        with tactelier.open(recording()) as session:
            with self.assertRaisesRegex(tactelier.Error, "has no stream 'sound'"):
                session["sound"]
            with self.assertRaisesRegex(tactelier.Error, "has no column 'Fq'"):
                session["force"]["Fq"]

    def test_a_closed_session_says_so(self):
        session = tactelier.open(recording())
        session.close()
        with self.assertRaisesRegex(tactelier.Error, "closed"):
            session["force"]

    def test_damage_is_left_out_and_told(self):
        damaged = folder() / "damaged.tact"
        content = bytearray(recording().read_bytes())
        content[len(content) // 2:len(content) // 2 + 4096] = bytes(4096)
        damaged.write_bytes(content)
        with tactelier.open(damaged) as session:
            for stream in session:
                session[stream].read()
            self.assertTrue(session.warnings)
            self.assertEqual({one["code"] for one in session.warnings}, {"damaged"})
            found = session.warnings
        with tactelier.open(damaged) as session:
            self.assertEqual(session.check(), found)
        with tactelier.open(recording()) as session:
            told = []
            self.assertEqual(session.check(progress=told.append), [])
            self.assertTrue(told)

    def test_a_file_is_not_replaced_unasked(self):
        there = folder() / "there.h5"
        there.write_text("mine")
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True") as caught:
            tactelier.unpack(recording(), there)
        self.assertEqual(caught.exception.code, "usage")
        self.assertEqual(there.read_text(), "mine")
        tactelier.unpack(recording(), there, overwrite=True)
        self.assertNotEqual(there.read_bytes()[:4], b"mine")


if __name__ == "__main__":
    unittest.main()
