"""Archives of a model and its recordings made and rerun in Python; recordings packed anew."""

import hashlib
import json
import shutil
import unittest
import zipfile

import tactelier
from support import cli, folder, model_file, recording, refusal


class Pack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        recording()
        cls.model, cls.archive = model_file(), folder() / "whole.zip"
        cls.packed = tactelier.pack(cls.model, recording(), cls.archive,
                                    files=[folder() / "scan.json"])

    def test_the_archive_is_the_command_lines(self):
        told = json.loads(cli("pack", self.model, recording(), "--add", "scan.json", "-o",
                              "theirs.zip", "--json").stdout)
        self.assertEqual(self.archive.read_bytes(), (folder() / "theirs.zip").read_bytes())
        self.assertEqual(self.packed["files"], told["result"]["files"])
        self.assertEqual(self.packed["warnings"], told["warnings"])
        self.assertEqual((self.packed["file"], self.packed["bytes"]),
                         (str(self.archive), self.archive.stat().st_size))

    def test_every_member_has_the_hash_that_was_told(self):
        with zipfile.ZipFile(self.archive) as archive:
            for file in self.packed["files"]:
                content = archive.read(file["name"])
                self.assertEqual((len(content), hashlib.sha256(content).hexdigest()),
                                 (file["bytes"], file["sha256"]))
            self.assertEqual(archive.read(recording().name), recording().read_bytes())
        self.assertEqual([file["role"] for file in self.packed["files"]],
                         ["model", "recording", "report", "added"])

    def test_a_rerun_gives_the_same_numbers(self):
        told = []
        rerun = tactelier.verify_pack(self.archive, progress=told.append)
        self.assertIs(rerun["same"], True)
        self.assertEqual(rerun["differences"], [])
        self.assertEqual(rerun["packed_by"], rerun["rerun_by"])
        self.assertGreater(rerun["numbers"], 20)
        self.assertTrue(told)

    def test_a_number_that_the_recordings_do_not_give_is_found(self):
        document = json.loads(self.model.read_text())
        gain = document["response"]["tactels"][4]["press_gain"]
        packed, std = 1.02 * gain["value"], gain["std"]
        gain["value"] = packed
        (folder() / "bent.json").write_text(json.dumps(document))
        tactelier.pack(folder() / "bent.json", [recording()], folder() / "bent.zip")
        rerun = tactelier.verify_pack(folder() / "bent.zip")
        self.assertIs(rerun["same"], False)
        (one,) = rerun["differences"]
        self.assertEqual((one["path"], one["packed"]),
                         ("response.tactels[4].press_gain", packed))
        self.assertAlmostEqual(one["rerun"], packed / 1.02, delta=1e-12 * packed)
        self.assertAlmostEqual(one["sigmas"], abs(one["packed"] - one["rerun"]) / std, places=6)

    def test_a_damaged_archive_is_refused_in_the_command_lines_words(self):
        damaged = folder() / "damaged.zip"
        with zipfile.ZipFile(self.archive) as old, zipfile.ZipFile(damaged, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                new.writestr(name, content + b" " if name == "scan.json" else content)
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.verify_pack(damaged)
        self.assertEqual(caught.exception.code, "damaged")
        self.assertEqual(str(caught.exception), refusal("pack", "--verify", damaged))

    def test_a_recording_of_the_fit_must_be_there(self):
        cli("synth", "--protocol", "scan.json", "--sensor", "pad.json", "-o", "other.tact",
            "--seed", 9)
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.pack(self.model, folder() / "other.tact", folder() / "half.zip")
        self.assertEqual(str(caught.exception),
                         refusal("pack", self.model, "other.tact", "-o", "half.zip"))
        self.assertFalse((folder() / "half.zip").exists())

    def test_nothing_is_replaced_unasked(self):
        kept = self.archive.read_bytes()
        with self.assertRaisesRegex(tactelier.Error, "overwrite=True"):
            tactelier.pack(self.model, recording(), self.archive)
        self.assertEqual(self.archive.read_bytes(), kept)

    def test_what_progress_raises_stops_it(self):
        def refuse(progress):
            raise LookupError(progress.what)

        with self.assertRaises(LookupError):
            tactelier.verify_pack(self.archive, progress=refuse)


class Repack(unittest.TestCase):
    def test_the_recording_stays_what_it_is(self):
        for name in ("ours.tact", "theirs.tact"):
            shutil.copy(recording(), folder() / name)
        (told,) = json.loads(cli("repack", "theirs.tact", "--json").stdout)["result"]["files"]
        done = tactelier.repack(folder() / "ours.tact")
        self.assertEqual({**done, "file": "theirs.tact"}, told)
        self.assertEqual(done["bytes_after"], (folder() / "ours.tact").stat().st_size)
        with tactelier.open(folder() / "ours.tact") as ours, tactelier.open(recording()) as before:
            self.assertEqual(ours.content_hash(), before.content_hash())
        with self.assertRaises(tactelier.Error) as caught:
            tactelier.repack(folder() / "nowhere.tact")
        self.assertEqual(str(caught.exception), refusal("repack", folder() / "nowhere.tact"))


if __name__ == "__main__":
    unittest.main()
