"""Damaged model files: each is read, or refused with line and column, and never anything else.

``python tests/fuzz/model_files.py --cases 10000 --seed 1`` damages the examples of the package at random;
``--one NUMBER`` shows one case.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings

from dalembert.errors import DalembertError, ModelWarning
from dalembert.io import ModelFileError, example, example_names, parse_model

#: Pieces that are put where they do not belong.
PIECES = (
    "[", "]", "{", "}", '"', "'", "=", ",", ".", "#", "\n", "\\", "\0", "é", "1e999", "-", "inf", "nan", "true", '""',
    "[[", "]]", "{}", "[]", "''", "0", "1.5", "-1", '"x"', "kind", "format = 2\n", "[model]\n", '"A.angle"',
    '"1/0"', '"2 furlongs"', '"sin("', '"((((((((((((("', '"a.b.c.d"', "[1, 2, 3, 4, 5]", "[bodies.x]\n", "\r\n", "\t",
    '"t"', '"p.x"', '"ground"', "1979-05-27", '{ python = "os:system" }', "include = ['../x']\n", '"{i}"',
)  # fmt: skip
WORDS = ("mass", "kind", "between", "revolute", "body", "at", "law", "on", "end", "of", "crank", "A", "start", "format")


def damaged(text: str, chance: random.Random) -> str:
    """A text with one to four faults."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(text) + 1)
        fault = chance.randrange(9)
        if fault == 0:
            text = text[:at] + text[at + chance.choice((1, 1, 2, 10)) :]
        elif fault == 1:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif fault == 2:
            text = text[:at]
        elif fault == 3:
            lines = text.split("\n")
            a, b = (chance.randrange(len(lines)) for _ in range(2))
            lines[a], lines[b] = lines[b], lines[a]
            text = "\n".join(lines)
        elif fault == 4:
            word = chance.choice(WORDS)
            text = text.replace(word, chance.choice((*WORDS, word[::-1], "")), chance.choice((1, 1, -1)))
        elif fault == 5:
            lines = text.split("\n")
            k = chance.randrange(len(lines))
            key, sign, _ = lines[k].partition("=")
            lines[k] = f"{key}= {chance.choice(PIECES)}" if sign else lines[k]
            text = "\n".join(lines)
        elif fault == 6:
            lines = text.split("\n")
            del lines[chance.randrange(len(lines))]
            text = "\n".join(lines) or "x"
        elif fault == 7:
            lines = text.split("\n")
            k = chance.randrange(len(lines))
            lines.insert(chance.randrange(len(lines)), lines[k])
            text = "\n".join(lines)
        else:
            digits = [k for k, c in enumerate(text) if c.isdigit()]
            if digits:
                k = chance.choice(digits)
                text = text[:k] + chance.choice(PIECES) + text[k + 1 :]
    return text


def case(number: int, seed: int) -> str:
    """The text of one case."""
    chance = random.Random(f"{seed} {number}")
    small = [name for name in example_names() if len(example(name)) < 4000]
    return damaged(example(chance.choice(small)), chance)


def judged(text: str, further: bool = False) -> str:
    """How a text was taken: "read" or "refused", ``further`` also "useless" where no motion starts; anything else
    raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        try:
            file = parse_model(text, name="case.toml")
        except ModelFileError as error:
            lines = text.split("\n")
            assert 1 <= error.line <= len(lines) + 1 and error.column >= 1 and error.text, error
            return "refused"
        try:
            if further:
                file.start  # noqa: B018
        except DalembertError:
            return "useless"
    return "read"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", type=int)
    parser.add_argument("--further", action="store_true", help="also derive equations and look for a start")
    given = parser.parse_args()
    if given.one is not None:
        text = case(given.one, given.seed)
        print(text)
        print(judged(text))
        return 0
    counts = {"read": 0, "refused": 0, "useless": 0}
    slowest = 0.0
    for number in range(given.cases):
        began = time.process_time()
        try:
            counts[judged(case(number, given.seed), given.further)] += 1
        except Exception as error:
            print(f"case {number}, seed {given.seed}: {type(error).__name__}: {error}")
            counts["failed"] = counts.get("failed", 0) + 1
        slowest = max(slowest, time.process_time() - began)
    print(f"{counts}, slowest {slowest:.3f} s")
    return int("failed" in counts)


if __name__ == "__main__":
    sys.exit(main())
