#!/usr/bin/env python3
"""Puts source files into groups that can be compiled as one: file names on standard input, one
line "GROUP FILE" each on standard output.

Two files don't share a group where both keep the same name to themselves in an anonymous
namespace, which would define it twice, or where one keeps a constant whose name stands in the
other, which would shadow it.
"""
import re
import sys

LARGEST = 10  # files of a group: a few groups per core, and a gigabyte of compiler at most

COMMENT = re.compile(r"//[^\n]*")
REGION = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)
NO_NAME = re.compile(r"TEST|TYPED_TEST|INSTANTIATE|RC_GTEST|MATCHER|BENCHMARK|using [\w:]+;"
                     r"|using namespace")
DEFINED = re.compile(r"\b([A-Za-z_]\w*)(?=\s*[({=\[;:])")
CONSTANT = re.compile(r"k[A-Z]")
COMMON = set("std size_t string string_view vector optional array span map pair function int "
             "double bool auto void const char Result struct class enum public testing Test "
             "fmt".split())


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


def main():
    groups = []  # of [files, names of their own, constants, words]
    for file in sorted(sys.stdin.read().split()):
        text = open(file, encoding="utf-8").read()
        names = own_names(text)
        constants = {name for name in names if CONSTANT.match(name)}
        words = set(re.findall(r"\w+", COMMENT.sub("", text)))
        for group in groups:
            if (len(group[0]) < LARGEST and not names & group[1] and not constants & group[3]
                    and not words & group[2]):
                break
        else:
            groups.append(group := [[], set(), set(), set()])
        group[0].append(file)
        group[1] |= names
        group[2] |= constants
        group[3] |= words
    for number, group in enumerate(groups):
        for file in group[0]:
            print(number, file)


main()
