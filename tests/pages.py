"""The code of pages of the documentation."""

import re
from typing import NamedTuple

FENCE = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<info>.*)")


class Block(NamedTuple):
    line: int  # of its first line of code, counted from 1
    code: str


def python_blocks(text: str) -> list[Block]:
    """The fenced blocks marked ``python``; a fence inside another block is text."""
    blocks: list[Block] = []
    opening, language, start, code = None, "", 0, []
    for number, line in enumerate(text.splitlines(), start=1):
        fence = FENCE.fullmatch(line)
        if opening is None:
            if fence:
                opening, start, code = fence, number + 1, []
                language = (fence["info"].split() or [""])[0]
        elif fence and fence["marks"].startswith(opening["marks"]) and not fence["info"].strip():
            if language == "python":
                blocks.append(Block(start, "\n".join(code) + "\n"))
            opening = None
        else:
            indent = len(opening["indent"])
            code.append(line[indent:] if line[:indent].isspace() else line)
    assert opening is None, f"the block that starts in line {start - 1} is not closed"
    return blocks
