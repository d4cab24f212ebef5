"""Many sensors from Python: what a batch and its catalogue give against the command line's."""

import csv
import json
import pathlib
import shutil
import sqlite3
import threading
import unittest

import tactelier
from support import TACTELIER, cli, folder, recording, refusal

K = "stiffness.k_punch"
GAIN = "response.tactels[].press_gain"
RECORDINGS = 8  # that many limits take


def theirs(*arguments, status=0):
    return json.loads(cli(*arguments, "--json", status=status).stdout)["result"]


class Fleet(unittest.TestCase):
    """In the order of the names: each needs what the one before has left."""

    @classmethod
    def setUpClass(cls):
        recording()  # description and protocol
        cls.line = folder() / "line"
        cls.line.mkdir()
        for seed in range(RECORDINGS):
            cli("synth", "--protocol", "scan.json", "--sensor", "pad.json", "-o",
                f"line/S{seed}.tact", "--seed", 20 + seed)
        cls.plan = folder() / "line.json"
        cls.catalogue = folder() / "line.results" / "catalogue.sqlite"

    def refused(self, code, call, *arguments, **options):
        with self.assertRaises(tactelier.Error) as caught:
            call(*arguments, **options)
        self.assertEqual(caught.exception.code, code)
        return str(caught.exception)

    def test_1_a_plan_is_the_command_lines(self):
        planned = tactelier.plan_batch(self.line, self.plan, require="response",
                                       exports=["openrave"])
        self.assertEqual(len(planned["sensors"]), RECORDINGS)
        self.assertEqual(planned["results"], str(self.catalogue.parent))
        cli("batch", "plan", "line", "-o", "theirs.json", "--require", "response",
            "--export", "openrave")
        other = json.loads((folder() / "theirs.json").read_text())
        mine = json.loads(self.plan.read_text())
        self.assertEqual(mine["sensors"], other["sensors"])
        self.assertEqual(mine["options"], other["options"])
        self.refused("usage", tactelier.plan_batch, self.line, self.plan)
        self.refused("usage", tactelier.plan_batch, self.line, folder() / "x.json", holdout=0.7)
        self.refused("usage", tactelier.plan_batch, self.line, folder() / "x.json", stages="all")
        some = tactelier.plan_batch([self.line / "S0.tact", str(self.line / "S1.tact")],
                                    folder() / "some.json", each_session=True)
        self.assertEqual([len(sensor["sessions"]) for sensor in some["sensors"]], [1, 1])

    def test_2_what_is_due_is_fitted_by_processes_of_their_own_and_ctrl_c_keeps_what_is_done(self):
        before = tactelier.batch_status(self.plan)
        self.assertEqual((before["due"], {one["standing"] for one in before["sensors"]}),
                         (RECORDINGS, {"waiting"}))
        first = before["sensors"][0]["id"]
        alone = tactelier.run_batch(self.plan, only=first, threads=1)
        self.assertEqual([(one["id"], one["state"]) for one in alone["sensors"]],
                         [(first, "identified")])
        self.assertFalse(self.catalogue.exists())
        fitted = threading.Event()

        def stop(progress):
            if progress.what == "fitting sensors" and progress.done >= 2:
                fitted.set()
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            tactelier.run_batch(self.plan, jobs=2, program=TACTELIER, progress=stop)
        self.assertTrue(fitted.is_set())
        due = tactelier.batch_status(self.plan)["due"]
        self.assertTrue(0 < due <= RECORDINGS - 3, due)
        done = tactelier.run_batch(self.plan, jobs=2, program=TACTELIER)
        self.assertEqual((done["fitted"], done["up_to_date"]), (due, RECORDINGS - due))
        self.assertEqual({one["state"] for one in done["sensors"]}, {"identified"})
        self.assertTrue(all("openrave.xml" in one["files"] for one in done["sensors"]))
        self.assertEqual(tactelier.batch_status(self.plan), theirs("batch", "status", self.plan))
        again = tactelier.run_batch(self.plan, program=TACTELIER)
        self.assertEqual((again["fitted"], again["catalogued"]), (0, 0))
        self.assertEqual(again["sensors"],
                         theirs("batch", "run", self.plan)["sensors"])

    def test_3_a_program_that_is_not_there_fails_no_sensor(self):
        words = self.refused("io", tactelier.run_batch, self.plan, anew=True,
                             program=folder() / "nowhere")
        self.assertIn("nowhere", words)
        self.assertEqual(tactelier.batch_status(self.plan)["due"], 0)
        self.refused("usage", tactelier.run_batch, self.plan, jobs=-1, program=TACTELIER)
        self.assertIn("S9", self.refused("usage", tactelier.run_batch, self.plan, only="S9"))

    def test_4_rows_and_report_are_the_command_lines(self):
        catalogue = tactelier.Catalogue(self.catalogue)
        rows = catalogue.query([K, GAIN], status="identified")
        self.assertEqual(rows, theirs("catalogue", "query", self.catalogue, "--parameter",
                                      f"{K},{GAIN}", "--status", "identified")["rows"])
        self.assertEqual({row["path"] for row in rows}, {K, GAIN})
        self.assertEqual(len(catalogue.query(K, serial=rows[0]["serial"])), 1)
        written = catalogue.export(folder() / "rows.csv", K)
        with open(folder() / "rows.csv", encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual((written, len(table)), (RECORDINGS, RECORDINGS))
        self.assertEqual({float(row["value"]) for row in table},
                         {row["value"] for row in catalogue.query(K)})
        self.refused("usage", catalogue.export, folder() / "rows.csv")
        self.assertIn("stiffness.q", self.refused("usage", catalogue.query, "stiffness.q"))
        report = catalogue.report(K)
        self.assertIn(K, report.pop("table"))
        self.assertEqual(report, theirs("catalogue", "report", self.catalogue, "--parameter", K))
        self.assertEqual(report["parameters"][0]["count"], RECORDINGS)
        self.assertEqual(str(self.error_of(tactelier.Catalogue, folder() / "none.sqlite")),
                         refusal("catalogue", "query", folder() / "none.sqlite"))

    def error_of(self, call, *arguments):
        with self.assertRaises(tactelier.Error) as caught:
            call(*arguments)
        return caught.exception

    def test_5_draws_and_a_verdict_are_the_command_lines(self):
        catalogue = tactelier.Catalogue(self.catalogue)
        model_file = next(pathlib.Path(self.catalogue.parent).glob("*/model.json"))
        target = folder() / "draws.json"
        drawn = catalogue.randomize(target, K, draws=5, seed=3, model=model_file,
                                    models=folder() / "drawn")
        cli("catalogue", "randomize", self.catalogue, "--parameter", K, "--draws", 5, "--seed", 3,
            "-o", "theirs.draws.json")
        draws = json.loads(target.read_text())
        other = json.loads((folder() / "theirs.draws.json").read_text())
        self.assertEqual(draws["draws"], other["draws"])
        self.assertEqual((len(draws["draws"]), len(drawn["models"])), (5, 5))
        self.assertEqual(drawn["units"], ["N/m"])
        low, high = drawn["range"][0]
        self.assertTrue(0 < low < high)
        self.assertIsNotNone(tactelier.load_model(drawn["models"][0])[K].value)
        self.refused("usage", catalogue.randomize, target, K)
        self.refused("usage", catalogue.randomize, folder() / "no.json", K, model=model_file)
        verdict = catalogue.accept(tactelier.load_model(model_file), [K])
        self.assertIn("k_punch", verdict.pop("table"))
        done = json.loads(cli("catalogue", "accept", self.catalogue, model_file, "--parameter", K,
                              "--json", status=0 if verdict["acceptance"] == "accept"
                              else 5).stdout)
        self.assertEqual(verdict, done["result"])

    def test_6_a_gauge_study_is_the_command_lines(self):
        study = folder() / "study.sqlite"
        shutil.copy(self.catalogue, study)
        with sqlite3.connect(study) as database:  # two sensors, two operators, two trials
            keys = [key for key, in database.execute("SELECT key FROM fit ORDER BY key")]
            sensors = [one for one, in database.execute("SELECT id FROM sensor ORDER BY id")][:2]
            for number, key in enumerate(keys):
                database.execute("UPDATE fit SET who = ?, sensor = ? WHERE key = ?",
                                 ("anna" if number % 2 else "ben", sensors[number // 4], key))
        database.close()
        found = tactelier.Catalogue(study).rr(K)
        self.assertIn("Repeatability", found.pop("table"))
        self.assertEqual(found, theirs("catalogue", "rr", study, "--parameter", K))
        self.assertEqual((found["operators"], found["trials"]), (["anna", "ben"], 2))

    def test_7_catalogues_are_merged_and_what_comes_is_fitted(self):
        into = folder() / "all.sqlite"
        merged = tactelier.merge_catalogues([self.catalogue], into)
        self.assertEqual((merged["fits"], merged["added"]), (RECORDINGS, RECORDINGS))
        self.assertEqual(tactelier.merge_catalogues(self.catalogue, into)["added"], 0)
        coming = folder() / "coming"
        coming.mkdir()
        shutil.copy(self.line / "S0.tact", coming)
        rounds = []

        def tell(outcome):
            rounds.append((outcome["fitted"], threading.get_ident()))
            if len(rounds) == 2:
                raise StopIteration
            shutil.copy(self.line / "S1.tact", coming)

        with self.assertRaises(StopIteration):
            tactelier.watch_batch(coming, folder() / "coming.json", every_s=0.1, tell=tell,
                                  program=TACTELIER)
        self.assertEqual(rounds, [(1, threading.get_ident())] * 2)
        tactelier.watch_batch(coming, folder() / "coming.json", once=True, tell=rounds.append,
                              program=TACTELIER)
        self.assertEqual(rounds[2]["fitted"], 0)


if __name__ == "__main__":
    unittest.main()
