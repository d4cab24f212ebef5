"""What runs over drawn seeds share: which seeds, and which program made a result."""

import hashlib


def seeds_in(text):
    """Of "1-50,101,103" a list."""
    seeds = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def identity(program):
    """Of a program's bytes: a result of another program is made again."""
    return hashlib.sha256(program.read_bytes()).hexdigest()[:16]
