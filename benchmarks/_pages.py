"""Tables of pages of the documentation from the rows of a benchmark.

A table stands between ``<!-- table NAME -->`` and ``<!-- end -->``; what is between them is written anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from _common import Row

DOCS = Path(__file__).parents[1] / "docs"
_BLOCK = re.compile(r"(<!-- table ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
Rows = Sequence[Row]
Tables = Mapping[str, Callable[[Rows], str]]


def fill(page: Path, tables: Tables, rows: Rows) -> None:
    """Write all tables of a page, as far as rows are there for them."""

    def written(block: re.Match[str]) -> str:
        made = tables[block[2]](rows)
        return f"{block[1]}\n{made}\n\n{block[3]}" if made else block[0]

    page.write_text(_BLOCK.sub(written, page.read_text(encoding="utf-8")), encoding="utf-8")


def cell(rows: Rows, case: str, quantity: str) -> Row | None:
    """The row of a case whose quantity begins so."""
    return next((row for row in rows if row.case == case and row.quantity.startswith(quantity)), None)


def number(row: Row | None, paper: bool = True, digits: int = 3) -> str:
    """Ours, and in brackets what was published."""
    if row is None:
        return "–"
    printed = "" if row.paper is None or not paper else f" ({row.paper:.{digits}g})"
    return f"{row.ours:.{digits}g}{printed}"


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Markdown; empty without lines."""
    if not any(cell != "–" for line in lines for cell in line[1:]):
        return ""
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *lines))


def lines_of(page: Path, name: str) -> list[list[str]]:
    """Cells of a table of a page as it is, without its head."""
    blocks = (block for block in _BLOCK.finditer(page.read_text(encoding="utf-8")) if block[2] == name)
    text = next(blocks, [""])[0]
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def missed(rows: Rows, published: str, before: Sequence[Sequence[str]] = ()) -> str:
    """Bars that are not reached, beside what was published, under that heading; after lines of ``before`` whose cases
    were not measured again."""
    measured = {row.case for row in rows}
    lines = [list(line) for line in before if line[0] not in measured]
    for row in rows:
        if row.reached is False:
            value = row.ours if row.ratio is None else row.ratio
            paper = "" if row.paper is None else f"{row.paper:.4g}"
            lines.append([row.case, row.quantity, f"{value:.3g}", f"{row.bound} {row.limit:.4g}", paper])
    return table(("case", "quantity", "ours", "bar", published), lines)
