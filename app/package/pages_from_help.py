#!/usr/bin/env python3
"""Man pages and the completion of bash from what the program says itself.

usage: pages_from_help.py TACTELIER FOLDER

Writes FOLDER/share/man/man1/*.1.gz and FOLDER/share/bash-completion/completions/tactelier: the text
of `--help` of the program and of each of its commands is the one place where options are described.
"""

import gzip
import pathlib
import re
import subprocess
import sys

SEES_ALL = "tactelier"


def said(tactelier, *words):
    return subprocess.run([tactelier, *words], check=True, capture_output=True, text=True).stdout


def sections(text):
    """Paragraphs before any heading under "", then by heading."""
    found, heading = {"": []}, ""
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][A-Za-z ]*:", line):
            heading = line[:-1]
            found[heading] = []
        else:
            found[heading].append(line)
    return found


def commands(text):
    """Names and descriptions of the commands that a help lists."""
    return re.findall(r"^  ([a-z][a-z-]*) +(\S.*)$", "\n".join(sections(text).get("Subcommands", [])),
                      re.MULTILINE)


def options(text):
    """Every way to write an option, and whether a value follows."""
    found = {}
    for line in sections(text).get("Options", []):
        match = re.match(r"  (-[^ ]+)( ?)(.*)", line)
        if not match:
            continue
        takes = bool(re.match(r"[A-Z]", match[3]))
        for name in match[1].split(","):
            found[name] = takes
    return found


def all_pages(tactelier, words=()):
    """(words, help) of the program and of every command below it."""
    text = said(tactelier, *words, "--help")
    yield words, text
    for name, _ in commands(text):
        yield from all_pages(tactelier, (*words, name))


def escaped(line):
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def verbatim(lines):
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return [".nf", *(escaped(line) for line in lines), ".fi"]


def man_page(words, text, version):
    name = "-".join((SEES_ALL, *words))
    parts = sections(text)
    opening = parts.pop("")
    usage = [line.removeprefix("Usage: ") for line in opening if line.startswith("Usage: ")]
    about = [line for line in opening if line.strip() and not line.startswith("Usage: ")]
    page = [f'.TH {name.upper()} 1 "" "Tactelier {version}" "Tactelier"', ".SH NAME",
            escaped(name) + " \\- " + escaped(" ".join(about).split(". ")[0].rstrip("."))]
    page += [".SH SYNOPSIS", *(escaped(line) for line in usage)]
    page += [".SH DESCRIPTION", *(escaped(line) for line in about)]
    for heading, lines in parts.items():
        page += [f".SH {heading.upper()}", *verbatim(lines)]
    above = "-".join((SEES_ALL, *words[:-1]))
    if words:
        page += [".SH SEE ALSO", f".BR {escaped(above)} (1)"]
    return "\n".join(page) + "\n"


def completion(pages):
    """A case for each command: its commands and options; after an option with a value, files."""
    lines = ["# Completion of tactelier for bash; made from its --help.", "_tactelier() {",
             '  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} path= i',
             "  for ((i = 1; i < COMP_CWORD; ++i)); do",
             '    case "$path ${COMP_WORDS[i]}" in']
    below = [" " + " ".join(words) for words, _ in pages if words]
    lines += ["      " + "|".join(f'"{path}"' for path in below) + ') path="$path ${COMP_WORDS[i]}" ;;',
              "    esac", "  done", "  local words= valued=", '  case "$path" in']
    for words, text in pages:
        path = "".join(" " + word for word in words)
        opts = options(text)
        names = [name for name, _ in commands(text)] + sorted(opts)
        valued = [name for name, takes in opts.items() if takes]
        lines.append(f"    \"{path}\") words='{' '.join(names)}' valued=' {' '.join(valued)} ' ;;")
    lines += ["  esac", '  if [[ $valued == *" $last "* ]] || [[ $word != -* && -n $path && -z $words ]]; then',
              '    COMPREPLY=($(compgen -f -- "$word"))', "  else",
              '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
              '    [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word"))', "  fi", "}",
              "complete -o filenames -F _tactelier tactelier"]
    return "\n".join(lines) + "\n"


def main():
    tactelier, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    version = said(tactelier, "--version").split()[-1]
    pages = list(all_pages(tactelier))
    man = folder / "share/man/man1"
    man.mkdir(parents=True, exist_ok=True)
    for words, text in pages:
        name = "-".join((SEES_ALL, *words))
        data = man_page(words, text, version).encode()
        (man / f"{name}.1.gz").write_bytes(gzip.compress(data, mtime=0))
    bash = folder / "share/bash-completion/completions"
    bash.mkdir(parents=True, exist_ok=True)
    (bash / "tactelier").write_text(completion(pages), encoding="utf-8")


if __name__ == "__main__":
    main()
