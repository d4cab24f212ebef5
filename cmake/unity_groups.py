#!/usr/bin/env python3
"""Puts source files into groups that can be compiled as one: file names on standard input, one
line "GROUP FILE" each on standard output.

Two files don't share a group where both keep the same name to themselves in an anonymous
namespace, which would define it twice, or where one keeps a constant whose name stands in the
other or in a header of the other's, which would shadow it.

A folder's files begin at a group that the folder's name says and go on to the next where it is
full, as in a hash table: a file that comes or goes changes two or three groups, and what a
compiler cache holds of the others stays good.
"""
import functools
import hashlib
import os
import pathlib
import re
import sys

LARGEST = 10  # files of a group: a few groups per core, and a gigabyte of compiler at most
USUAL = 7     # on average, so that there is room
# So many groups, the next that is enough: the number changes seldom, since all of them change then.
COUNTS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85, 113)

ROOT = pathlib.Path(__file__).resolve().parent.parent

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
OF_HEADER = re.compile(r"^(?:inline )?constexpr [^=({]*\b(k[A-Z]\w*)", re.M)
COMMENT = re.compile(r"//[^\n]*")
REGION = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)
NO_NAME = re.compile(r"TEST|TYPED_TEST|INSTANTIATE|RC_GTEST|MATCHER|BENCHMARK|using [\w:]+;"
                     r"|using namespace")
DEFINED = re.compile(r"\b([A-Za-z_]\w*)(?=\s*[({=\[;:])")
CONSTANT = re.compile(r"k[A-Z]")
COMMON = set("std size_t string string_view vector optional array span map pair function int "
             "double bool auto void const char Result struct class enum public testing Test "
             "fmt py".split())


def own_names(text):
    names = set()
    for region in REGION.findall(text):
        region = COMMENT.sub("", region)
        for line in region.splitlines():
            if line and line[0].isalpha() and not NO_NAME.match(line):
                names.update(DEFINED.findall(line))
            names.update(re.findall(r"\b(k[A-Z]\w*)(?=\s*[={\[])", line))
        names.update(re.findall(r"^MATCHER(?:_P\d?)?\((\w+)", region, re.M))
    return names - COMMON


@functools.cache
def constants_of_headers(file):
    """Of all headers of ours that it includes, or they."""
    constants, seen = set(), set()
    left = INCLUDE.findall(pathlib.Path(file).read_text(encoding="utf-8"))
    while left:
        header = left.pop()
        if header in seen or not (ROOT / header).is_file():
            continue
        seen.add(header)
        text = (ROOT / header).read_text(encoding="utf-8")
        constants.update(OF_HEADER.findall(text))
        left += INCLUDE.findall(text)
    return frozenset(constants)


class Group:
    def __init__(self):
        self.files = []
        self.names, self.constants, self.words = set(), set(), set()

    def takes(self, names, constants, words):
        return (len(self.files) < LARGEST and not names & self.names
                and not constants & self.words and not words & self.constants)

    def add(self, file, names, constants, words):
        self.files.append(file)
        self.names |= names
        self.constants |= constants
        self.words |= words


def main():
    files = sorted(sys.stdin.read().split(), key=lambda file: (os.path.dirname(file), file))
    usual = next(count for count in COUNTS if count * USUAL >= len(files))
    root = os.path.commonpath(files) if files else ""
    groups = [Group() for _ in range(usual)]
    for file in files:
        text = open(file, encoding="utf-8").read()
        names = own_names(text)
        constants = {name for name in names if CONSTANT.match(name)}
        words = set(re.findall(r"\w+", COMMENT.sub("", text))) | constants_of_headers(file)
        folder = os.path.relpath(os.path.dirname(file), root)
        first = int(hashlib.md5(folder.encode()).hexdigest(), 16) % usual
        for group in groups[first:usual] + groups[:first] + groups[usual:]:
            if group.takes(names, constants, words):
                break
        else:
            groups.append(group := Group())
        group.add(file, names, constants, words)
    for number, group in enumerate(groups):
        for file in group.files:
            print(number, file)


main()
