#!/usr/bin/env python3
"""Fails when an include breaks the arrows of docs/architecture.md, or Qt leaves its folders.

usage: check_includes.py ROOT
"""

import pathlib
import re
import sys

# folder -> project folders it may include from
ALLOWED = {
    "libcalib": {"libcalib"},
    "fitting": {"fitting", "libcalib"},
    "devices": {"devices", "libcalib"},
    "reports": {"reports", "fitting", "libcalib"},
    "app/workflow": {"app/workflow", "reports", "fitting", "devices", "libcalib"},
    "app/cli": {"app/cli", "app/workflow", "reports", "fitting", "devices", "libcalib"},
    "app/python": {"app/python", "app/workflow", "reports", "fitting", "devices", "libcalib"},
    "app/gui": {"app/gui", "app/workflow", "reports", "fitting", "devices", "libcalib"},
}
# Inside them, from the bottom up: a folder includes only from levels below its own, so that none
# stands in a circle.
LEVELS = {
    "libcalib": [{"."}, {"sensor"}, {"models"}, {"models/response"}, {"model_file", "session"},
                 {"import/formats"}, {"forward", "import", "pad", "protocol"}, {"import/guess", "synth"}],
    "fitting": [{"statistics"}, {"recording"},
                {"array", "contact", "friction", "response", "rotary", "time", "wrench"},
                {"psf", "relaxation", "stiffness"}, {"damping"}, {"joint"},
                {"hydroelastic", "refresh"}, {"layer"}, {"engine"}, {"plan", "views"}, {"adaptive"}],
    "devices": [{"link"}, {"interface"},
                {"ati", "framed", "grbl", "manual", "marlin", "replay", "supervision",
                 "zaber"},
                {"contactile", "gauge", "learn", "weiss", "xela"}, {"emulator", "registry"}, {"acquisition", "bench"},
                {"motion"}, {"server"}],
    "reports": [{"."}, {"document", "export"}, {"verify"}],
    "app/workflow": [{"."}, {"catalogue", "cluster", "open_data", "report"}, {"batch", "pack"},
                     {"station"}],
    "app/gui": [{"text", "theme"}, {"state"}, {"item_models", "widgets"},
                {"pages/bench", "pages/compare", "pages/export", "pages/library", "pages/log", "pages/protocol",
                 "pages/recording", "pages/report", "pages/session", "pages/settings",
                 "pages/welcome"},
                {"pages/fit", "pages/import", "pages/station"}, {"frame"}, {".", "screenshots"}],
}
# The simulated pad is the truth that fits are tested against: it shares no physics with them, in
# either direction. Its one edge turns sensor models into truths and back.
PAD = "libcalib/pad/"
PAD_SHARES = (PAD, "libcalib/sensor/", "libcalib/units.hpp", "libcalib/result.hpp")
PAD_EDGE = "libcalib/pad/truth"
PAD_EDGE_SHARES = ("libcalib/model_file/", "libcalib/parameter.hpp")
SYNTH = "libcalib/synth/"
FITTED = ("libcalib/models/", "libcalib/forward/", "fitting/")
QT_FOLDERS = ("app/gui",)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
QT_HEADER = re.compile(r"^(Q[A-Z]\w*|Qt[A-Z]\w*/.*|qcustomplot\.h)$")


def folder_of(path: str) -> str | None:
    """The longest folder of ALLOWED that holds the path."""
    return max((f for f in ALLOWED if path.startswith(f + "/")), key=len, default=None)


def level_of(path: str, layer: str) -> tuple[str, int | None]:
    """The folder within its layer that holds the path, and its level there."""
    inner = pathlib.PurePosixPath(path).relative_to(layer).parent.as_posix()
    levels = (i for i, folders in enumerate(LEVELS[layer]) if inner in folders)
    return inner, next(levels, None)


def level_problem(place: str, header: str, layer: str) -> str | None:
    if layer not in LEVELS or folder_of(header) != layer:
        return None
    inner, level = level_of(place, layer)
    target, below = level_of(header, layer)
    if level is None:
        return f"{layer}/{inner} has no level in check_includes.py"
    if inner != target and (below is None or below >= level):
        return f"{layer}/{inner} must not include {header}: it lies no lower"
    return None


def pad_problem(place: str, header: str) -> str | None:
    if folder_of(header) is None:
        return None
    if place.startswith(PAD):
        allowed = PAD_SHARES + (PAD_EDGE_SHARES if place.startswith(PAD_EDGE) else ())
        if not header.startswith(allowed):
            return f"the simulated pad must not share {header}"
    elif place.startswith(FITTED) and header.startswith((PAD, SYNTH)):
        return f"what is fitted must not know the simulated pad ({header})"
    return None


def problems_of(file: pathlib.Path, root: pathlib.Path):
    place = file.relative_to(root).as_posix()
    folder = folder_of(place)
    if folder is None:
        yield f"{place}: in no folder of the architecture"
        return
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        if QT_HEADER.match(header) and not place.startswith(QT_FOLDERS):
            yield f"{place}:{number}: Qt ({header}) outside {' and '.join(QT_FOLDERS)}"
        target = folder_of(header)
        if target is not None and target not in ALLOWED[folder]:
            yield f"{place}:{number}: {folder} must not include {header}"
        for problem in (level_problem(place, header, folder), pad_problem(place, header)):
            if problem:
                yield f"{place}:{number}: {problem}"
        if quote == '"' and target is None and not place.startswith("app/gui"):
            yield f"{place}:{number}: \"{header}\" is not written from the root of the tree"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    files = [f for top in ("libcalib", "fitting", "devices", "reports", "app")
             for f in sorted((root / top).rglob("*")) if f.suffix in (".hpp", ".cpp", ".h", ".cc")]
    problems = [p for f in files for p in problems_of(f, root)]
    print("\n".join(problems) if problems else f"{len(files)} files keep to the arrows")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
