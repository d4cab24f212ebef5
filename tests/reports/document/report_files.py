#!/usr/bin/python3
"""Reports as a user files them.

usage: report_files.py TACTELIER SOURCE_FOLDER

A bench session, a real recording that ships with the program, a starved session and an all-dead
sensor: HTML is parsed strictly (html5lib where it is), the PDF read back by poppler where it is,
every number compared with the model's.
"""

import hashlib
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TACTELIER, SOURCE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
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
        {"do": "images", "indenters": [{"id": "bar", "shape": "edge", "length_mm": 5, "width_mm": 2}],
         "force_N": 2, "rz_deg": [0, 45], "x_mm": 0.4, "y_mm": 0.3, "repeats": 2, "dwell_s": 3},
        {"do": "zero", "time_s": 5},
    ],
}
VOID = {"meta", "link", "br", "img", "input", "hr", "col"}


def run(*arguments, expect=0):
    result = subprocess.run([str(TACTELIER), *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == expect, (arguments, result.returncode, result.stderr)
    return result


class Outline(html.parser.HTMLParser):
    """Tags that close what they open, ids that are there once, texts of cells."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.cells, self.tags = [], [], [], [], []
        self.feed(text)
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        if tag in ("td", "th"):
            self.cells.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def without_index(path):
    return re.sub(r"\[\d+\]", "[]", path)


def parameters(node, path=""):
    """(path, parameter) of a model file."""
    if isinstance(node, dict) and "status" in node and "value" in node:
        yield path, node
    elif isinstance(node, dict):
        for key, child in node.items():
            yield from parameters(child, f"{path}.{key}" if path else key)
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from parameters(child, f"{path}[{index}]")


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = folder = pathlib.Path(cls.temporary.name)
        (folder / "pad.json").write_text(json.dumps(PAD))
        (folder / "scan.json").write_text(json.dumps(SCAN))
        for name, seed in (("bench", 3), ("later", 4)):
            truth = ["--truth", folder / "bench.truth.json"] if name == "later" else [
                "--sensor", folder / "pad.json"]
            run("synth", "--protocol", folder / "scan.json", "--seed", seed, *truth, "-o",
                folder / f"{name}.tact")
        run("fit", folder / "bench.tact", "-o", folder / "bench.json")
        run("fit", folder / "later.tact", "-o", folder / "later.json")
        run("fit", folder / "bench.tact", "-o", folder / "starved.json", "--exclude", "2-18")
        examples = SOURCE / "data/examples/fluid-taxel"
        run("import", examples / "oil.csv", "--map", examples / "map.json", "-o",
            folder / "oil.tact")
        run("fit", folder / "oil.tact", "-o", folder / "oil.json")
        for name, table in (("afm", "afm_soft_creep"), ("steel", "steel_load_hold_unload")):
            creep = SOURCE / "data/examples/indent-creep"
            run("import", creep / f"{table}.csv", "--map", creep / f"{name}.map.json", "-o",
                folder / f"{name}.tact")
            run("fit", folder / f"{name}.tact", "-o", folder / f"{name}.json")
        rub_the_seal(folder)
        run("unpack", folder / "bench.tact", folder / "dead")
        tactile = folder / "dead" / "tactile.csv"
        lines = tactile.read_text().splitlines()
        tactile.write_text("\n".join([lines[0]] + [
            line.split(",")[0] + ",0" * (len(lines[0].split(",")) - 1) for line in lines[1:]]) + "\n")
        run("fit", folder / "dead", "-o", folder / "dead.json", "--stages", "response", expect=5)
        cls.made = {}
        for name, sessions in (("bench", ["bench.tact", "later.tact"]), ("starved", ["bench.tact"]),
                               ("oil", ["oil.tact"]), ("dead", ["dead"]), ("afm", ["afm.tact"]),
                               ("steel", ["steel.tact"]), ("seal", ["seal.tact"])):
            files = [folder / f"{name}_report.{suffix}" for suffix in ("html", "pdf")]
            paths = [folder / session for session in sessions]
            run("report", folder / f"{name}.json", *paths, "-o", files[0], "--data",
                folder / f"{name}_data.json")
            cls.made[name] = files, paths
        cls.has_pdf = run_pdf(cls)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def page(self, name):
        return self.made[name][0][0].read_text()

    def data(self, name):
        return json.loads((self.folder / f"{name}_data.json").read_text())

    def paragraphs(self, name, chapter="summary"):
        chapter = next(one for one in self.data(name)["chapters"] if one["id"] == chapter)
        return [block["text"] for block in chapter["blocks"] if "text" in block]

    def table(self, name, caption):
        return next(block for chapter in self.data(name)["chapters"] for block in chapter["blocks"]
                    if block.get("table", "").startswith(caption))

    def test_pages_are_whole_and_need_nothing_else(self):
        for name in self.made:
            page = self.page(name)
            outline = Outline(page)
            self.assertEqual(len(outline.ids), len(set(outline.ids)), name)
            for link in outline.links:
                self.assertIn(link.removeprefix("#"), outline.ids)
            self.assertNotRegex(page, r"https?:|src=|@import|url\(|<script")
            self.assertNotRegex(page, r"\bnan\b|\binf\b")
            for tag, attributes in outline.tags:
                if tag == "svg":
                    self.assertTrue(attributes["aria-label"].strip(" ."), name)
                if tag == "th":
                    self.assertIn("scope", attributes)

    def test_html_is_valid(self):
        try:
            import html5lib
        except ImportError:
            self.skipTest("no python3-html5lib")
        for name in self.made:
            html5lib.HTMLParser(strict=True).parse(self.page(name))

    def test_every_number_is_the_models(self):
        for name in self.made:
            model = json.loads((self.folder / f"{name}.json").read_text())
            known = dict(parameters(model))
            cells = Outline(self.page(name)).cells
            numbers = 0
            for chapter in self.data(name)["chapters"]:
                for block in chapter["blocks"]:
                    for row in block.get("rows", []):
                        for cell in row:
                            self.assertIn(cell["text"], cells)
                            if "path" not in cell:
                                continue
                            numbers += 1
                            if "[]" not in cell["path"]:
                                value = known[cell["path"]]["value"]
                            else:  # the mean over the tactels
                                all_of = [one["value"] for path, one in known.items()
                                          if without_index(path) == cell["path"]
                                          and one["value"] is not None]
                                value = sum(all_of) / len(all_of)
                            self.assertAlmostEqual(cell["value"], value, delta=1e-12 * abs(value),
                                                   msg=f"{name}: {cell['path']}")
                    for figure in block.get("figures", []):
                        for cell in figure.get("cells", []):
                            if figure["map"].startswith("gain κ"):
                                path = f"response.tactels[{cell['tactel']}].press_gain"
                                self.assertEqual(cell["value"], known[path]["value"])
            self.assertGreaterEqual(numbers, 1 if name == "dead" else 5, name)

    def test_the_verdict_is_the_models(self):
        calibrated = sum(one["press_gain"]["value"] is not None for one in json.loads(
            (self.folder / "bench.json").read_text())["response"]["tactels"])
        self.assertIn(f"{calibrated} of 9 tactels are calibrated", self.paragraphs("bench")[0])
        self.assertTrue(any(text.startswith("Not identified: ") and "P9" in text
                            for text in self.paragraphs("bench")))
        self.assertIn("1 of 9 tactels is calibrated", self.paragraphs("starved")[0])
        self.assertTrue(self.paragraphs("dead")[0].startswith("Nothing is calibrated"))
        states = {row[6]["text"] for row in self.table("dead", "Numbers of each tactel")["rows"]}
        self.assertEqual(states, {"no response"})
        self.assertNotIn("One reading of one tactel", self.page("dead"))

    def test_a_recording_that_the_fit_never_saw_tells_the_error(self):
        rows = self.table("bench", "Newtons from readings")["rows"]
        self.assertEqual([row[0]["text"] for row in rows],
                         ["later.tact (never seen by the fit)", "bench.tact (used by the fit)"])
        # By hand: readings of the same pad, pressed again, through `apply`.
        forces = self.table("bench", "One reading of one tactel")["rows"]
        at_1_N = next(row for row in forces if row[0].get("value") == 1)
        self.assertLess(rows[0][3]["value"], at_1_N[2]["value"])
        self.assertGreater(rows[0][5]["value"], 80)
        self.assertEqual(len(self.table("starved", "Newtons from readings")["rows"]), 1)

    def test_images_that_no_fit_has_used_are_predicted_beside(self):
        """The medians are those of `compare`, which is another way to the same presses."""
        by_compare = json.loads(run("compare", "--model", self.folder / "bench.json",
                                    self.folder / "bench.tact", self.folder / "later.tact",
                                    "--json").stdout)["result"]
        (method, medians), = by_compare["median"].items()
        rows = {row[0]["text"]: row for row in
                self.table("bench", "Predicted against measured")["rows"]}
        for name, title in (("rel_l1", "rel_l1 [%]"), ("total", "total [%]")):
            self.assertAlmostEqual(rows[title][1]["value"], medians[name], delta=1e-9)
        chapter = next(one for one in self.data("bench")["chapters"] if one["id"] == "images")
        triples = [block["figures"] for block in chapter["blocks"] if "figures" in block]
        self.assertEqual([[one["map"] for one in triple] for triple in triples],
                         [["Measured", "Predicted", "Predicted less measured"]] * 3)
        for measured, predicted, difference in triples:
            for one, other, less in zip(measured["cells"], predicted["cells"],
                                        difference["cells"]):
                self.assertAlmostEqual(less["value"], other["value"] - one["value"], delta=1e-9)
        self.assertNotIn("images", [one["id"] for one in self.data("oil")["chapters"]])

    def test_other_models_and_records_are_told_apart_by_content(self):
        folder = self.folder
        run("report", folder / "later.json", folder / "bench.json", folder / "later.tact", "-o",
            folder / "beside.html", "--data", folder / "beside_data.json")
        changes = {row["path"]: row for row in json.loads(
            run("diff", folder / "bench.json", folder / "later.json", "--json").stdout)["result"]
                   ["changes"]}
        gains = [row["e_n"] for path, row in changes.items()
                 if path.endswith(".press_gain") and row["e_n"] is not None]
        row = next(row for row in self.table("beside", "Tactel by tactel")["rows"]
                   if row[0]["text"].startswith("gain κ"))
        self.assertEqual(row[1]["value"], len(gains))
        self.assertAlmostEqual(row[3]["value"], max(gains), delta=1e-9)
        itself = run("report", folder / "bench.json", folder / "bench.json", "-o",
                     folder / "new2.html", expect=3)
        self.assertIn("the reported model itself", itself.stderr)
        other = run("report", folder / "bench.json", folder / "oil.json", "-o",
                    folder / "new2.html", expect=3)
        self.assertIn("another sensor", other.stderr)

    def test_a_verification_record_of_this_model_is_told(self):
        folder = self.folder
        run("export", folder / "bench.json", "--to", "json", "-o", folder / "exported.json")
        exported = (folder / "exported.json").read_bytes()
        record = {
            "format": "tactelier/verification-record", "version": 1, "name": "Test_Pad_3x3.mujoco",
            "created": "2026-11-21T09:00:00Z", "tool": "tactelier 0.1.0",
            "sensor": {"vendor": "Test", "model": "Pad 3x3", "serial": ""},
            "model_sha256": hashlib.sha256(exported).hexdigest(), "assumed": "",
            "target": {"format": "mujoco", "engine": "MuJoCo", "version": "2.2.2",
                       "time_step_s": 1e-3, "solver_tolerance": 1e-8},
            "force_N": [0.1, 2], "passed": True, "left_out": ["friction: none is known"],
            "quantities": [{"name": "depth under a plate", "unit": "m", "tolerance_percent": 1,
                            "median_percent": 0.02, "worst_percent": 0.31, "passed": True,
                            "presses": [{"press": "plate", "expected": 1e-3, "seen": 1.003e-3,
                                         "error_percent": 0.3}]}],
        }
        (folder / "verified.json").write_text(json.dumps(record))
        run("report", folder / "bench.json", folder / "verified.json", "-o", folder / "v.html",
            "--data", folder / "v_data.json")
        row, = self.table("v", "The target against our model")["rows"]
        self.assertEqual([cell["text"] for cell in row],
                         ["depth under a plate", "1", "0.02 %", "0.31 %", "1 %", "passed"])
        words = self.paragraphs("v", "verification")
        self.assertIn("MuJoCo 2.2.2", words[0])
        self.assertIn("Not compared: friction: none is known", words)
        record["model_sha256"] = "0" * 64
        (folder / "verified.json").write_text(json.dumps(record))
        other = run("report", folder / "bench.json", folder / "verified.json", "-o",
                    folder / "v2.html", expect=3)
        self.assertIn("another model", other.stderr)
        del record["quantities"]
        (folder / "verified.json").write_text(json.dumps(record))
        broken = run("report", folder / "bench.json", folder / "verified.json", "-o",
                     folder / "v2.html", expect=3)
        self.assertIn("quantities", broken.stderr)

    def test_the_paper_kit_compiles(self):
        """By pdflatex where it is; else braces and references are looked at."""
        folder = self.folder
        if not self.has_pdf:
            self.skipTest("no PDF")
        run("report", folder / "bench.json", *self.made["bench"][1], "--paper", folder / "kit")
        kit = folder / "kit"
        paper = (kit / "paper.tex").read_text()
        for name in re.findall(r"\\includegraphics\{([^}]+)\}", paper):
            self.assertTrue((kit / name).exists(), name)
        for tex in kit.glob("*.tex"):
            text = re.sub(r"\\[{}]", "", tex.read_text())
            self.assertEqual(text.count("{"), text.count("}"), tex.name)
            self.assertNotRegex(re.sub(r"(?m)^%.*$|\\%", "", text), "%")
        cited = set(re.findall(r"\\cite\{(\w+)\}", (kit / "methods.tex").read_text()))
        self.assertEqual(cited, set(re.findall(r"@\w+\{(\w+),",
                                               (kit / "references.bib").read_text())))
        again = run("report", folder / "bench.json", "--paper", kit, expect=2)
        self.assertIn("kit", again.stderr)
        if shutil.which("pdflatex") is None:
            return
        for command in (["pdflatex", "-interaction=nonstopmode", "paper"], ["bibtex", "paper"],
                        ["pdflatex", "-interaction=nonstopmode", "paper"]):
            made = subprocess.run(command, cwd=kit, capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stdout[-2000:])

    def test_uncertainty_at_a_force_is_that_of_apply(self):
        """The reading that a tactel's line has at 1 N, through `apply`."""
        model = json.loads((self.folder / "bench.json").read_text())
        tactels = model["response"]["tactels"]
        if any(one.get("knots") or one.get("coefficients") for one in tactels):
            self.skipTest("the fit preferred a curve")
        readings = [one["offset"]["value"] +
                    (1 - one["press_threshold"]["value"]) / one["press_gain"]["value"]
                    for one in tactels]
        table = self.folder / "one.csv"
        table.write_text("t[s]," + ",".join(map(str, range(9))) + "\n0," +
                         ",".join(map(repr, readings)) + "\n1," + ",".join(map(repr, readings)) + "\n")
        run("apply", self.folder / "bench.json", table, "-o", self.folder / "one_N.csv")
        head, first, *_ = (self.folder / "one_N.csv").read_text().splitlines()
        row = dict(zip(head.split(","), first.split(",")))
        spread = sorted(float(row[f"{i}.u95[N]"]) for i in range(9))
        forces = self.table("bench", "One reading of one tactel")["rows"]
        at_1_N = next(one for one in forces if one[0].get("value") == 1)
        self.assertAlmostEqual(at_1_N[2]["value"], spread[4], delta=1e-4)
        self.assertAlmostEqual(at_1_N[3]["value"], spread[-1], delta=1e-4)

    def test_a_second_run_gives_the_same_bytes(self):
        (page, pdf), paths = self.made["bench"]
        again = self.folder / "again.html"
        run("report", self.folder / "bench.json", *paths, "-o", again)
        self.assertEqual(again.read_bytes(), page.read_bytes())
        if self.has_pdf:
            run("report", self.folder / "bench.json", *paths, "-o", self.folder / "again.pdf")
            self.assertEqual((self.folder / "again.pdf").read_bytes(), pdf.read_bytes())

    def test_both_files_of_one_reading_are_those_of_two(self):
        made = self.folder / "oil.json", self.folder / "oil.tact"
        suffixes = ("html", "pdf") if self.has_pdf else ("html",)
        both = [self.folder / f"both.{suffix}" for suffix in suffixes]
        outputs = [word for file in both for word in ("-o", file)]
        answer = json.loads(run("report", *made, *outputs, "--json").stdout)
        self.assertEqual(answer["result"]["files"], list(map(str, both)))
        for file in both:
            alone = file.with_stem("alone")
            run("report", *made, "-o", alone)
            self.assertEqual(alone.read_bytes(), file.read_bytes())
        free = self.folder / "free.html"
        run("report", *made, "-o", free, "-o", both[0], expect=2)
        self.assertFalse(free.exists())

    def test_pdf_as_poppler_reads_it(self):
        if not self.has_pdf or shutil.which("pdftotext") is None:
            self.skipTest("no PDF, or no poppler-utils")
        for name, ((_, pdf), _) in self.made.items():
            info = subprocess.run(["pdfinfo", pdf], capture_output=True, text=True, check=True).stdout
            pages = int(re.search(r"Pages:\s+(\d+)", info)[1])
            self.assertIn("A4", info)
            text = subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True,
                                  check=True).stdout
            for page in (1, pages):
                self.assertRegex(text, rf"\b{page} ?/ ?{pages}\b")
            self.assertIn("Contents", text)
            words = " ".join(text.split())
            self.assertIn(self.data(name)["title"], words)
            for chapter in self.data(name)["chapters"]:
                self.assertIn(chapter["title"], words)

    def test_what_can_not_be_done_is_refused(self):
        folder = self.folder
        refused = run("report", folder / "bench.json", "-o", folder / "bench.txt", expect=2)
        self.assertIn(".html or .pdf", refused.stderr)
        there = run("report", folder / "bench.json", "-o", folder / "bench_report.html", expect=2)
        self.assertIn("--force", there.stderr)
        there = run("report", folder / "bench.json", "-o", folder / "new.html", "--data",
                    folder / "bench_data.json", expect=2)
        self.assertIn("--force", there.stderr)
        self.assertFalse((folder / "new.html").exists())
        other = run("report", folder / "bench.json", folder / "oil.tact", "-o", folder / "new.html",
                    expect=3)
        self.assertIn("another sensor", other.stderr)
        answer = json.loads(run("report", folder / "bench.json", "-o", folder / "new.html",
                                "--json").stdout)
        self.assertEqual(answer["warnings"][0]["code"], "NO-DATA")
        self.assertEqual(answer["warnings"][0]["where"], "bench.tact")
        self.assertEqual(answer["result"]["chapters"][0], {"id": "summary", "title": "Summary"})


def rub_the_seal(folder):
    """The table of docs/bring-your-own.md: the air's force on the bore of 25 mm taken off."""
    rows = (SOURCE / "data/examples/seal-friction/oring_3bar.csv").read_text().splitlines()
    lines = ["t_s,x_mm,friction_N"]
    for row in rows[1:]:
        t, x, pressure, force = map(float, row.split(","))
        lines.append(f"{t},{x},{force - pressure * 1e5 * 3.14159265 * 0.0125 ** 2}")
    (folder / "seal.csv").write_text("\n".join(lines) + "\n")
    run("import", folder / "seal.csv", "--guess", "--import", "-o", folder / "seal.tact")
    run("fit", folder / "seal.tact", "-o", folder / "seal.json", "--stages", "friction")


def run_pdf(cls):
    """Whether this build has PDF; all of them are made where it has."""
    for name, ((_, pdf), paths) in cls.made.items():
        result = subprocess.run([str(TACTELIER), "report", cls.folder / f"{name}.json", *paths, "-o",
                                 pdf], capture_output=True, text=True)
        if result.returncode == 2 and "libpango1.0-dev" in result.stderr:
            return False
        assert result.returncode == 0, result.stderr
    return True


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
