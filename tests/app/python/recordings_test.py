"""Recordings made or changed in Python against those of the command line."""

import json
import shutil
import unittest

import tactelier
from support import SOURCE, cli, folder, recording, refusal, second_recording, truth_file


def content(path):
    with tactelier.open(path) as session:
        return session.content_hash()


class Import(unittest.TestCase):
    def test_a_folder_becomes_the_same_recording(self):
        cli("unpack", recording(), "out")
        told = tactelier.import_recording(folder() / "out", folder() / "back.tact")
        by_program = json.loads(cli("import", "out", "-o", "program.tact", "--json").stdout)
        del told["session"], by_program["result"]["session"]
        self.assertEqual(told, {**by_program["result"], "warnings": by_program["warnings"]})
        self.assertEqual(content(folder() / "back.tact"), content(folder() / "program.tact"))
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            tactelier.import_recording(folder() / "out", folder() / "back.tact")
        tactelier.import_recording(folder() / "out", folder() / "back.tact", overwrite=True)

    def test_a_table_goes_by_its_map(self):
        table = SOURCE / "data" / "examples" / "fluid-taxel" / "oil.csv"
        shutil.copy(table, folder() / "oil.csv")
        cli("import", "oil.csv", "--guess", "--import", "--indenter", "cylinder 5", "-o",
            "guessed.tact")
        tactelier.import_recording(folder() / "oil.csv", folder() / "oil.tact",
                                   map=folder() / "oil.map.json")
        self.assertEqual(content(folder() / "oil.tact"), content(folder() / "guessed.tact"))
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.import_recording(folder() / "oil.csv", folder() / "none.tact")
        self.assertEqual(str(caught.exception),
                         refusal("import", folder() / "oil.csv", "-o", "none.tact"))
        self.assertEqual(caught.exception.code, "usage")

    def test_a_map_is_guessed_as_the_command_line_does(self):
        table = SOURCE / "data" / "examples" / "fluid-taxel" / "oil.csv"
        for name in ("ours.csv", "theirs.csv"):
            shutil.copy(table, folder() / name)
        found = tactelier.guess_map(folder() / "ours.csv", indenter="cylinder 5", certificate=1.5)
        told = json.loads(cli("import", "theirs.csv", "--guess", "--indenter", "cylinder 5",
                              "--certificate", 1.5, "--json").stdout)["result"]
        self.assertEqual(found["map"], str(folder() / "ours.map.json"))
        self.assertEqual((found["columns"], found["understood"]),
                         (told["columns"], told["understood"]))
        self.assertEqual([f"--{one['option'].replace('_', '-')}" for one in found["unknown"]],
                         [one["option"] for one in told["unknown"]])
        self.assertEqual((folder() / "ours.map.json").read_text().replace("ours", "theirs"),
                         (folder() / "theirs.map.json").read_text())
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            tactelier.guess_map(folder() / "ours.csv")
        (folder() / "words.csv").write_text("a,b\nc,d\n")
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.guess_map(folder() / "words.csv")
        self.assertEqual(str(caught.exception),
                         refusal("import", folder() / "words.csv", "--guess"))

    def test_time_that_runs_backwards_is_refused_or_sorted(self):
        shuffled = folder() / "shuffled"
        cli("unpack", recording(), shuffled)
        lines = (shuffled / "tactile.csv").read_text().splitlines()
        lines[10], lines[11] = lines[11], lines[10]
        (shuffled / "tactile.csv").write_text("\n".join(lines) + "\n")
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.import_recording(shuffled, folder() / "sorted.tact")
        self.assertEqual(str(caught.exception), refusal("import", shuffled, "-o", "sorted.tact"))
        tactelier.import_recording(shuffled, folder() / "sorted.tact", sort=True)
        cli("import", shuffled, "-o", "by-program.tact", "--sort")
        self.assertEqual(content(folder() / "sorted.tact"), content(folder() / "by-program.tact"))


class Edits(unittest.TestCase):
    def test_they_are_the_command_lines(self):
        ours, theirs = folder() / "ours.tact", folder() / "theirs.tact"
        for copy in (ours, theirs):
            shutil.copy(recording(), copy)
        with tactelier.open(recording()) as session:
            begin_s, end_s = session.presses[4].begin_s, session.presses[4].end_s
        contact_s = round((begin_s + end_s) / 2, 3)
        words = tactelier.edit(ours, exclude=[2, 3], include=[3], contact_s={5: contact_s, 6: None},
                               notes=["a remark"])
        told = json.loads(cli("edit", theirs, "--exclude", "2-3", "--include", 3, "--contact",
                              f"5={contact_s}", "--contact", "6=found", "--note", "a remark",
                              "--json").stdout)
        self.assertEqual(words, [edit["edit"] for edit in told["result"]["edits"]])
        with tactelier.open(ours) as session:
            self.assertEqual(session.edits, words)
            self.assertEqual([press.number for press in session.presses if press.excluded], [2])
            self.assertEqual(session.presses[4].contact_s, contact_s)
            self.assertEqual(session.content_hash(), content(recording()))

    def test_refusals(self):
        copy = folder() / "refused.tact"
        shutil.copy(recording(), copy)
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.edit(copy, exclude=[99])
        self.assertEqual(str(caught.exception), refusal("edit", copy, "--exclude", 99))
        with self.assertRaisesRegex(tactelier.Error, "nothing to do"):
            tactelier.edit(copy)


class Synth(unittest.TestCase):
    def test_the_recording_is_the_command_lines_to_the_byte(self):
        recording()
        told = []
        made = tactelier.synth(folder() / "mine.tact", protocol=str(folder() / "scan.json"),
                               sensor=folder() / "pad.json", seed=5, progress=told.append)
        self.assertEqual(content(made["recording"]), content(recording()))
        self.assertEqual((folder() / "mine.truth.json").read_bytes(), truth_file().read_bytes())
        self.assertEqual((made["presses"], made["truth"]), (18, str(folder() / "mine.truth.json")))
        of_truth = tactelier.synth(folder() / "again.tact", protocol=str(folder() / "scan.json"),
                                   truth=truth_file(), seed=6)
        self.assertEqual(content(of_truth["recording"]), content(second_recording()))

    def test_every_option_reaches_the_pad(self):
        options = {"preset": "lab", "steps": "ticks", "draw": ["hardening"], "seed": 3}
        made = tactelier.synth(folder() / "lab.tact", protocol="study",
                               rig=SOURCE / "data" / "rigs" / "virtual-bench.json", **options)
        cli("synth", "--protocol", "study", "-o", "lab-program.tact", "--preset", "lab", "--steps",
            "ticks", "--draw", "hardening", "--seed", 3, "--rig",
            SOURCE / "data" / "rigs" / "virtual-bench.json")
        self.assertEqual(content(made["recording"]), content(folder() / "lab-program.tact"))

    def test_presses_are_chosen_until_targets_are_reached(self):
        recording()
        made = tactelier.synth(folder() / "until.tact", until="gain 3 %", minutes=8.0,
                               sensor=folder() / "pad.json", seed=2)
        cli("synth", "--until", "gain 3 %", "--minutes", 8, "-o", "until-program.tact", "--sensor",
            "pad.json", "--seed", 2)
        self.assertEqual(content(made["recording"]), content(folder() / "until-program.tact"))

    def test_refusals(self):
        for options in ({}, {"protocol": "study", "until": "gain 2 %"}):
            with self.assertRaisesRegex(tactelier.Error, "give a protocol, or until"):
                tactelier.synth(folder() / "no.tact", **options)
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.synth(folder() / "no.tact", protocol="study", preset="mud")
        self.assertEqual(str(caught.exception), refusal("synth", "--protocol", "study", "-o",
                                                        "no.tact", "--preset", "mud"))
        self.assertFalse((folder() / "no.tact").exists())
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            tactelier.synth(recording(), protocol="study")


if __name__ == "__main__":
    unittest.main()
