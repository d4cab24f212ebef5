#!/usr/bin/env python3
"""Fails when a citation leads nowhere: to a page or a numbered section that docs/ has not, or to a
book that is not in the repository, or, in a page, to a file, folder or picture that isn't there; and when
a page of docs/ can't be reached by links from README.md.

usage: check_citations.py ROOT

A citation is the path of a page and, where it means one section or several, their numbers:
(docs/theory/friction.md 4), docs/theory/response.md 1, 3. In a page it may be a link, followed by
"section 4" or "sections 1 and 2". A page names files and folders in backticks: `devices/weiss/`,
`libcalib/session/events.{hpp,cpp}`, `data/devices/*.json`; what a reader is to write begins with my.
"""

import pathlib
import re
import sys

TOPS = ("libcalib", "fitting", "devices", "reports", "app", "tests", "docs", "data", "cmake",
        "scripts")
SUFFIXES = {".hpp", ".cpp", ".md", ".py", ".cmake", ".txt", ""}
NUMBERS = r"\d+(?:(?:, | and )\d+)*"
CITED = re.compile(r"(?<![\w./-])((?:docs|data)/[a-z0-9_./-]+\.(?:md|json))"
                   rf"(?: ({NUMBERS})(?![\w%.]\d))?")
LINK = re.compile(rf"\]\(([\w./-]+\.md)(#[\w-]+)?\)(?:, sections? ({NUMBERS}))?")
# A link or picture whose target is no page; text in backticks is what a reader types, not a link.
TARGET = re.compile(r"\]\(([^)\s#:]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
NAMED = re.compile(rf"`((?:{'|'.join(TOPS)})/[\w./{{}},*-]*)`")
HEADING = re.compile(r"^#+ (?:(\d+)\. )?(.*)$", re.M)
# Books that a reader of the repository has not got, and a page of docs/ without its folder.
LOST = re.compile(r"identification(?:\.md)?,? (?:\d|Appendix)|\bcontracts?[:/] ?\w"
                  r"|\(design, (?:section )?\d|\b(?:lab-practice|experiment-design"
                  r"|lab-identifiability|image-comparison|users-and-peers)\b"
                  r"|(?<![\w/.-])[a-z][a-z-]*\.md \d")
# "(identification\n// 5.1)": a citation may be broken between two comment lines.
BREAK = re.compile(r"[ \t]*\n[ \t]*(?://+|#)[ \t]*")


class Pages:
    """Numbers and anchors of the pages' headings, read once."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.read = {}

    def own(self, page: pathlib.Path):
        return page.parent == self.root or self.root / "docs" in page.parents

    def headings(self, page: pathlib.Path):
        if page not in self.read:
            found = HEADING.findall(page.read_text(encoding="utf-8"))
            self.read[page] = ({number for number, _ in found if number},
                               {anchor_of(f"{number}. {words}" if number else words)
                                for number, words in found})
        return self.read[page]

    def problem(self, page: pathlib.Path, numbers: str | None, anchor: str | None = None):
        if not page.is_file():
            return "there is no such file"
        if not numbers and not anchor:
            return None
        known, anchors = self.headings(page)
        if numbers:
            for number in re.findall(r"\d+", numbers):
                if number not in known:
                    return f"it has no section {number}"
        return f"it has no heading {anchor}" if anchor and anchor[1:] not in anchors else None


def anchor_of(heading: str) -> str:
    """As GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def is_there(root: pathlib.Path, path: str):
    """Braces and stars as a shell reads them; a module may go without its ending."""
    if braces := re.search(r"\{([^}]*)\}", path):
        return all(is_there(root, path.replace(braces[0], word, 1))
                   for word in braces[1].split(","))
    return any(any(root.glob(path.rstrip("/") + end)) for end in ("", ".*"))


def problems_of(text: str, path: pathlib.Path, pages: Pages):
    for match in CITED.finditer(text):
        if problem := pages.problem(pages.root / match[1], match[2]):
            yield f"{match[0]}: {problem}"
    if match := LOST.search(text):
        yield f"{match[0]}: not a page of docs/"
    if path.suffix != ".md":
        return
    for match in NAMED.finditer(text) if pages.own(path) else ():
        if not re.search(r"/my[_-]", match[1]) and not is_there(pages.root, match[1]):
            yield f"{match[1]}: there is no such file"
    for match in LINK.finditer(text):
        if problem := pages.problem(path.parent / match[1], match[3], match[2]):
            yield f"{match[0]}: {problem}"
    for match in TARGET.finditer(CODE.sub("", text)) if pages.own(path) else ():
        if not match[1].endswith(".md") and not (path.parent / match[1]).exists():
            yield f"{match[0]}: there is no such picture, file or folder"


def unreached(root: pathlib.Path):
    """Pages of docs/ that no way of links leads to from README.md."""
    seen, ahead = set(), [root / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in seen or not page.is_file():
            continue
        seen.add(page)
        ahead += [(page.parent / match[1]).resolve()
                  for match in LINK.finditer(page.read_text(encoding="utf-8"))]
    return [page for page in sorted((root / "docs").rglob("*.md")) if page not in seen]


def files_of(root: pathlib.Path):
    own = root / "tests" / "structure"
    for top in TOPS:
        for file in sorted((root / top).rglob("*")):
            if file.is_file() and file.suffix in SUFFIXES and own not in file.parents:
                yield file
    if (root / "README.md").is_file():
        yield root / "README.md"


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    pages, count, problems = Pages(root), 0, []
    for file in files_of(root):
        count += 1
        text = file.read_text(encoding="utf-8", errors="ignore")
        if file.suffix != ".md":
            text = BREAK.sub(" ", text)
        problems += [f"{file.relative_to(root).as_posix()}: {p}"
                     for p in problems_of(text, file, pages)]
    problems += [f"{page.relative_to(root).as_posix()}: no links lead here from README.md"
                 for page in unreached(root)]
    print("\n".join(problems) if problems else f"{count} files cite pages that are there")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
