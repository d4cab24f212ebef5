#!/usr/bin/python3
"""The Debian package as a lab meets it: made, checked, unpacked, used, installed, removed.

usage: package_test.py BUILD_FOLDER SOURCE_FOLDER

Used from a clean root with the source out of sight where the kernel lets us hide it.
"""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])


def run(*command, **options):
    options = {"capture_output": True, "text": True, **options}
    return subprocess.run([str(word) for word in command], **options)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.kept.name)
        made = run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
        assert made.returncode == 0, made.stdout + made.stderr
        (cls.file,) = folder.glob("tactelier_*.deb")
        cls.root = folder / "root"
        unpacked = run("dpkg-deb", "-x", cls.file, cls.root)
        assert unpacked.returncode == 0, unpacked.stderr
        cls.home = folder / "home"
        cls.home.mkdir()
        cls.hides = os.geteuid() == 0 and run("unshare", "-m", "true").returncode == 0

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def used(self, *command, expect=0):
        """A command of the package, in an empty home, without what it was built from."""
        words = ["env", "-i", f"PATH={self.root}/usr/bin:/usr/bin:/bin", f"HOME={self.home}",
                 "LC_ALL=C.UTF-8", "QT_QPA_PLATFORM=offscreen", *map(str, command)]
        if self.hides:
            words = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"',
                     str(SOURCE), *words]
        done = run(*words, cwd=self.home)
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def control(self, field):
        return run("dpkg-deb", "-f", self.file, field).stdout.strip()

    def test_names_what_it_needs(self):
        self.assertEqual(self.control("Package"), "tactelier")
        needs = self.control("Depends")
        for library in ("libqt6widgets6", "libqcustomplot2.1-qt6", "libserialport0", "libc6"):
            self.assertIn(library, needs)
        self.assertLess(self.file.stat().st_size, 40e6)

    def test_finds_its_data_in_itself(self):
        self.assertRegex(self.used("tactelier", "--version"), r"\d+\.\d+\.\d+")
        self.assertRegex(self.used("tactelier-app", "--version"), r"\d+\.\d+\.\d+")
        self.assertIn("standard", self.used("tactelier", "protocols", "list"))
        self.assertIn("weiss-wts0614", self.used("tactelier", "sensors", "list"))

    def test_goes_the_way_of_a_lab(self):
        self.used("tactelier", "synth", "--protocol", "quick", "--seed", "7", "-o", "pad.tact", "-q")
        self.used("tactelier", "fit", "pad.tact", "-o", "pad.json", "-q", "--require", "response")
        self.used("tactelier", "report", "pad.json", "-o", "pad.html", "-q")
        self.used("tactelier", "export", "pad.json", "--to", "openrave", "-o", "pad.xml")
        for name in ("pad.json", "pad.html", "pad.xml"):
            self.assertGreater((self.home / name).stat().st_size, 1000, name)

    def test_does_what_its_manual_says(self):
        lab = self.home.parent / "lab"
        shutil.copytree(self.root / "usr/share/doc/tactelier", lab)
        (lab / "data").symlink_to(self.root / "usr/share/tactelier")
        script = self.home.parent / "commands_test.py"
        shutil.copy(SOURCE / "tests/docs/commands_test.py", script)
        self.used("/usr/bin/python3", script, self.root / "usr/bin/tactelier", lab,
                  lab / "docs/ten-minutes.md", lab / "docs/bring-your-own.md")

    def test_fits_a_shipped_example(self):
        examples = self.root / "usr/share/tactelier/examples"
        self.assertTrue((examples / "fluid-taxel").is_dir())
        self.assertTrue(any(examples.rglob("*.csv")))

    def test_has_a_man_page_for_every_command(self):
        pages = self.root / "usr/share/man/man1"
        listed = re.findall(r"^  ([a-z][a-z-]*) {2,}\S", self.used("tactelier", "--help"),
                            re.MULTILINE)
        self.assertGreater(len(listed), 20)
        for name in listed:
            self.assertTrue((pages / f"tactelier-{name}.1.gz").exists(), name)
        self.assertIn("tactelier\\-rig\\-acknowledge",
                      gzip.decompress((pages / "tactelier-rig-acknowledge.1.gz").read_bytes())
                      .decode())
        for page in sorted(pages.glob("*.gz")):
            shown = run("man", "--warnings", "-l", page, env={**os.environ, "MANWIDTH": "200",
                                                              "LC_ALL": "C.UTF-8"})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), page.name)
        fit = run("man", "-l", pages / "tactelier-fit.1.gz", env={**os.environ, "MANWIDTH": "200"})
        self.assertIn("--holdout", fit.stdout)

    def completed(self, *words):
        script = self.root / "usr/share/bash-completion/completions/tactelier"
        line = " ".join(f"'{word}'" for word in words)
        done = run("bash", "-c", f'source "{script}"; COMP_WORDS=({line}); '
                   f'COMP_CWORD={len(words) - 1}; _tactelier; printf "%s\\n" "${{COMPREPLY[@]}}"',
                   cwd=self.home)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_completes_commands_options_and_files(self):
        self.assertIn("fit", self.completed("tactelier", "fi"))
        self.assertIn("--stages", self.completed("tactelier", "fit", "--st"))
        self.assertEqual(self.completed("tactelier", "rig", "ackn"), ["acknowledge"])
        self.assertEqual(self.completed("tactelier", "fit", "a.tact", "--hold"), ["--holdout"])
        (self.home / "monday.tact").write_text("")
        self.assertIn("monday.tact", self.completed("tactelier", "fit", "mon"))
        self.assertEqual(self.completed("tactelier", "fit", "-o", "mon"), ["monday.tact"])

    def test_desktop_finds_the_app(self):
        share = self.root / "usr/share"
        entry = share / "applications/org.tactelier.Tactelier.desktop"
        checked = run("desktop-file-validate", entry)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))
        meta = share / "metainfo/org.tactelier.Tactelier.metainfo.xml"
        checked = run("appstreamcli", "validate", "--no-net", meta)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        words = dict(line.split("=", 1) for line in entry.read_text().splitlines() if "=" in line)
        self.assertTrue((self.root / "usr/bin" / words["Exec"].split()[0]).exists())
        self.assertTrue((share / f"icons/hicolor/scalable/apps/{words['Icon']}.svg").exists())

    def test_manual_names_what_is_there(self):
        manual = self.root / "usr/share/doc/tactelier"
        self.assertTrue((manual / "copyright").exists())
        readme = (manual / "README.md").read_text(encoding="utf-8")
        for link in re.findall(r"\]\((docs/[^)#]+)\)", readme):
            self.assertTrue((manual / link).exists(), link)

    def test_installs_and_leaves_nothing_behind(self):
        if shutil.which("dpkg") is None or os.geteuid() != 0:
            self.skipTest("dpkg installs as root only")
        root = pathlib.Path(self.kept.name) / "clean"
        (root / "var/lib/dpkg").mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        dpkg = ("dpkg", f"--root={root}", "--force-depends", "--log=/dev/null")

        def files():
            return {path.relative_to(root) for path in root.rglob("*")
                    if not path.is_dir() and "var/lib/dpkg" not in str(path.relative_to(root))}

        done = run(*dpkg, "--install", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(pathlib.Path("usr/bin/tactelier"), files())
        done = run(*dpkg, "--purge", "tactelier")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(files(), set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
