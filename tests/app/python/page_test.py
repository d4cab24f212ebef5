"""The example of docs/python.md runs as it is written."""

import contextlib
import io
import re
import unittest

from support import SOURCE, cli, folder

PAGE = SOURCE / "docs" / "python.md"


class Page(unittest.TestCase):
    def test_the_example_runs(self):
        text = PAGE.read_text(encoding="utf-8")
        (synth,) = re.findall(r"^tactelier (synth .*)$", text, re.M)
        cli(*synth.split())
        blocks = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(blocks), 5)
        names = {}
        said = io.StringIO()
        with contextlib.chdir(folder()), contextlib.redirect_stdout(said):
            for block in blocks:
                if "watch_rig" in block:  # rigs_test.py has a rig
                    compile(block, PAGE.name, "exec")
                    continue
                exec(compile(block, PAGE.name, "exec"), names)  # pylint: disable=exec-used
        printed = said.getvalue()
        for words in ("1000.0", "84", " %", "N/m", "ST-05", "pad.image.json", "No such file"):
            self.assertIn(words, printed)
        model = names["model"]
        self.assertEqual(names["largest"].shape, (14, 6))
        truth = names["tactelier"].load_model(folder() / "pad.truth.json")
        sure = abs(names["gain"] - truth.array("response.tactels[*].press_gain")) <= names["u95"]
        self.assertGreater(sure.mean(), 0.85)
        self.assertEqual(model["stiffness.k_punch"].status, "identified")

    def test_every_public_function_is_named(self):
        import tactelier

        text = PAGE.read_text(encoding="utf-8")
        for name in tactelier.__all__:
            thing = getattr(tactelier, name)
            if callable(thing) and name not in ("Press", "Stream"):
                self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main()
