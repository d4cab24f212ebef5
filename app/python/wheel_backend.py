"""Makes the wheel of the Python module (PEP 517), with the standard library, CMake and Ninja alone.

`pip install .` compiles the module in build/python, as the preset `python` says; a second time only
what has changed. Where a build has the module already, it is named and nothing is compiled:

    pip install . --config-settings build-dir=build/fresh
    TACTELIER_BUILD_DIR=build/fresh pip install .
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Refusal(SystemExit):
    """What pip shows as the last line."""


def project():
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(tactelier VERSION ([\d.]+)", text, re.M)[1]


def metadata():
    of = project()
    lines = ["Metadata-Version: 2.1", f"Name: {of['name']}", f"Version: {version()}",
             f"Summary: {of['description']}", f"Requires-Python: {of['requires-python']}",
             *(f"Requires-Dist: {name}" for name in of["dependencies"]),
             "License: Apache-2.0", "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (ROOT / of["readme"]).read_text(encoding="utf-8")


def tag():
    """cp311-cp311-linux_x86_64 of the Python that runs this."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def compiled():
    """The package in a build of its own."""
    folder = ROOT / "build" / "python"
    # The presets want ccache, which a single build can do without.
    launcher = [] if shutil.which("ccache") else ["-DCMAKE_CXX_COMPILER_LAUNCHER="]
    # Looked for anew each time: another Python than the last may be installing.
    for command in (["cmake", "--fresh", "--preset", "python",
                     f"-DPython3_EXECUTABLE={sys.executable}", *launcher],
                    ["cmake", "--build", folder, "--target", "tactelier_python"]):
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            raise Refusal("tactelier: the module was not built; docs/python.md names the packages "
                          "that it needs")
    return folder


def built(settings):
    """The folder of the finished package: of the build that is named, else of one made now."""
    named = (settings or {}).get("build-dir") or os.environ.get("TACTELIER_BUILD_DIR")
    folder = ROOT / named if named else compiled()
    package = folder / "app" / "python" / "tactelier"
    module = package / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.is_file():
        raise Refusal(f"tactelier: {module} is not there: build the target tactelier_python for "
                      "this Python first")
    return package


class Wheel:
    """A zip file with the list of what is in it."""

    def __init__(self, file):
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")
        self.write(name, content)

    def write(self, name, content):
        entry = zipfile.ZipInfo(name)  # dated 1980: the same content, the same wheel
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
        self.zip.writestr(entry, content)

    def close(self, information):
        name = f"{information}/RECORD"
        self.write(name, "\n".join([*self.record, f"{name},,", ""]).encode())
        self.zip.close()


def information_files():
    return {"METADATA": metadata(), "WHEEL": f"Wheel-Version: 1.0\nGenerator: tactelier {version()}\n"
            f"Root-Is-Purelib: false\nTag: {tag()}\n"}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del metadata_directory  # made of the same sources again
    package = built(config_settings)
    name = f"{project()['name']}-{version()}"
    file = f"{name}-{tag()}.whl"
    information = f"{name}.dist-info"
    wheel = Wheel(pathlib.Path(wheel_directory) / file)
    for path in sorted(package.iterdir()):
        if path.name == "py.typed" or path.suffix in (".py", ".pyi", ".so"):
            wheel.add(f"tactelier/{path.name}", path.read_bytes())
    for member, text in information_files().items():
        wheel.add(f"{information}/{member}", text.encode())
    wheel.add(f"{information}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.close(information)
    return file


def build_sdist(sdist_directory, config_settings=None):
    raise Refusal("tactelier: there is no source package; install from a clone")
