#!/usr/bin/python3
"""The wheel, made of the build that is there, installed into an environment of its own, used there.

usage: wheel_test.py BUILD_FOLDER SOURCE_FOLDER

Nothing is fetched: pip is forbidden every index. The environment has the system's NumPy.
"""

import base64
import hashlib
import importlib.machinery
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import zipfile

BUILD, SOURCE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
ENVIRONMENT = {**os.environ, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull,
               "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
ENVIRONMENT.pop("PYTHONPATH", None)


def run(*command, cwd=None, status=0, **environment):
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, check=False,
                          env={**ENVIRONMENT, **environment}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}"
    return done.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory(prefix="tactelier-wheel-")
        cls.addClassCleanup(made.cleanup)
        cls.folder = pathlib.Path(made.name)
        run(sys.executable, "-m", "venv", "--system-site-packages", cls.folder / "venv")
        cls.python = cls.folder / "venv" / "bin" / "python"
        run(cls.python, "-m", "pip", "wheel", SOURCE, "-w", cls.folder, "--no-deps",
            TACTELIER_BUILD_DIR=str(BUILD))
        (cls.wheel,) = cls.folder.glob("*.whl")

    def test_the_name_tells_what_it_fits(self):
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        self.assertRegex(self.wheel.name,
                         rf"^tactelier-\d+\.\d+\.\d+-{python}-{python}-{platform}\.whl$")

    def test_the_record_holds_of_every_file(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            (record,) = (name for name in names if name.endswith("/RECORD"))
            lines = [line.split(",") for line in wheel.read(record).decode().splitlines()]
            self.assertEqual([name for name, _, _ in lines], names)
            for name, digest, size in lines:
                if name == record:
                    continue
                content = wheel.read(name)
                wanted = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
                self.assertEqual((digest, size), (f"sha256={wanted.decode()}", str(len(content))))
            for name in ("tactelier/py.typed", "tactelier/__init__.pyi", "tactelier/__init__.py"):
                self.assertIn(name, names)

    def test_it_is_the_same_each_time(self):
        again = self.folder / "again"
        run(self.python, "-m", "pip", "wheel", SOURCE, "-w", again, "--no-deps",
            "--config-settings", f"build-dir={BUILD}")
        self.assertEqual((again / self.wheel.name).read_bytes(), self.wheel.read_bytes())

    def test_installed_it_works_without_the_tree(self):
        run(self.python, "-m", "pip", "install", SOURCE, TACTELIER_BUILD_DIR=str(BUILD))
        place = run(self.python, "-c", "import tactelier; print(tactelier.__file__)",
                    cwd=self.folder)
        self.assertIn(str(self.folder / "venv"), place)
        example = SOURCE / "data" / "examples"
        words = run(self.python, "-c", "import sys, tactelier\n"
                    "try: tactelier.open(sys.argv[1])\n"
                    "except tactelier.Error as error: print(error.code)", example / "nowhere.tact",
                    cwd=self.folder)
        self.assertEqual(words, "io\n")
        told = run(self.python, "-m", "pip", "show", "tactelier")
        self.assertIn("Requires: numpy", told)
        self.assertIn("License: Apache-2.0", told)
        run(self.python, "-m", "pip", "uninstall", "-y", "tactelier")
        run(self.python, "-c", "import tactelier", cwd=self.folder, status=1)

    def test_a_build_without_the_module_is_refused(self):
        told = run(self.python, "-m", "pip", "wheel", SOURCE, "-w", self.folder / "none",
                   "--no-deps", status=1, TACTELIER_BUILD_DIR=str(self.folder))
        self.assertIn("build the target tactelier_python", told)

    def test_the_module_shows_its_entrance_alone_and_needs_no_qt(self):
        (module,) = (BUILD / "app" / "python" / "tactelier").glob("_core*.so")
        self.assertTrue(module.name.endswith(importlib.machinery.EXTENSION_SUFFIXES[0]))
        shown = run("nm", "-D", "--defined-only", module).split("\n")
        self.assertEqual([line.split()[-1] for line in shown if line], ["PyInit__core"])
        self.assertNotIn("Qt", run("ldd", module))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
