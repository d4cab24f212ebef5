"""The stubs say what the module has: every class, member, function and argument, and no more."""

import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import tactelier
from support import SOURCE

STUB = ast.parse((pathlib.Path(tactelier.__file__).parent / "__init__.pyi").read_text())


def arguments(function):
    of = function.args
    return [one.arg for one in (*of.posonlyargs, *of.args, *of.kwonlyargs) if one.arg != "self"]


def signature(function):
    """Names of arguments as the module itself tells them, in the first line of its help."""
    inside = re.match(r"\w+\((.*)\) ->", function.__doc__)[1]
    flat = inside
    while (shorter := re.sub(r"[\[({][^\[\](){}]*[\])}]", "", flat)) != flat:
        flat = shorter
    names = [part.split(":")[0].split("=")[0].strip() for part in flat.split(",")]
    return [name for name in names if name not in ("self", "*", "")]


def checked(text):
    """What mypy says of a program."""
    package = pathlib.Path(tactelier.__file__).parent.parent
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(text)
        done = subprocess.run(
            ["/usr/bin/mypy", "--strict", "--python-executable", sys.executable,
             "--cache-dir", os.devnull, program], capture_output=True, text=True, check=False,
            env={**os.environ, "MYPYPATH": str(package), "PYTHONPATH": ""})
        return done.stdout + done.stderr


class Stubs(unittest.TestCase):
    @unittest.skipUnless(pathlib.Path("/usr/bin/mypy").exists(), "mypy is not installed")
    def test_the_manuals_example_has_no_wrong_type_and_a_wrong_one_is_found(self):
        page = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
        example = "\n".join(re.findall(r"```python\n(.*?)```", page, re.S))
        self.assertIn("Success: no issues", checked(example))
        wrong = checked('import tactelier\ntactelier.load_model("a").forward({}, force=2.0)\n')
        self.assertIn('did you mean "force_N"', wrong)

    def test_every_public_name_is_typed(self):
        named = {node.name for node in STUB.body
                 if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        named |= {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign)}
        self.assertEqual(named, set(tactelier.__all__))
        self.assertEqual(sorted(tactelier.__all__), sorted(set(tactelier.__all__)))

    def test_every_member_of_every_class_is_typed(self):
        for node in STUB.body:
            if not isinstance(node, ast.ClassDef) or node.name == "Error":
                continue
            kind = getattr(tactelier, node.name)
            typed = {member.name for member in node.body} - {"__init__"}  # all have one
            own = {name for name in vars(kind)
                   if not name.startswith("_") or name in ("__getitem__", "__contains__",
                                                           "__iter__", "__next__", "__len__",
                                                           "__float__", "__enter__",
                                                           "__exit__")}
            self.assertEqual(typed, own, node.name)

    def test_arguments_are_named_alike(self):
        for node in STUB.body:
            if isinstance(node, ast.FunctionDef):
                self.assertEqual(arguments(node), signature(getattr(tactelier, node.name)),
                                 node.name)
            if not isinstance(node, ast.ClassDef) or node.name == "Error":
                continue
            for member in node.body:
                if member.name.startswith("_") or member.decorator_list:
                    continue
                self.assertEqual(arguments(member),
                                 signature(getattr(getattr(tactelier, node.name), member.name)),
                                 f"{node.name}.{member.name}")

    def test_everything_has_help(self):
        self.assertTrue(inspect.getdoc(tactelier))
        for name in tactelier.__all__:
            thing = getattr(tactelier, name)
            if not callable(thing):
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            if not inspect.isclass(thing) or name == "Error":
                continue
            for member, what in vars(thing).items():
                if not member.startswith("_"):
                    self.assertTrue(inspect.getdoc(what), f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
