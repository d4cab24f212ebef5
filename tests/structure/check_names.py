"""Two types of one name in one name space are one to the linker: it keeps the functions of either.

usage: check_names.py ROOT

Looks at the types that headers of the project define at the level of a name space, and at those of
sources outside anonymous ones. Exit status 1 names the pairs.
"""

import collections
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: :[^;{]*)? \{", re.MULTILINE)
NAME_SPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


def types(text):
    """By name space and name; one name space inside another by both."""
    anonymous = re.compile(r"^namespace \{.*?^\}  // namespace$", re.MULTILINE | re.DOTALL)
    text = anonymous.sub("", text)
    for found in TYPE.finditer(text):
        before = text[: found.start()]
        spaces = [name for name in NAME_SPACE.findall(before)
                  if f"}}  // namespace {name}\n" not in before]
        yield ("::".join(spaces), found.group(1))


def main():
    root = pathlib.Path(sys.argv[1])
    places = collections.defaultdict(list)
    for folder in ("app", "libcalib", "devices", "fitting", "reports"):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            if path.stem.endswith("_absent"):  # compiled instead of another
                continue
            for key in types(path.read_text(encoding="utf-8")):
                places[key].append(path.relative_to(root))
    wrong = {key: paths for key, paths in places.items() if len(paths) > 1}
    for (space, name), paths in wrong.items():
        print(f"{space}::{name} is defined in {' and in '.join(map(str, paths))}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
