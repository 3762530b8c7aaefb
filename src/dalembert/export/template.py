"""Texts with holes: ``@key@`` is filled in, lines between ``%if key`` and ``%end`` stand where key is not empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

_HOLE = re.compile(r"@([A-Za-z_]+)@")


def filled(template: str, values: Mapping[str, object]) -> str:
    """A text of the folder ``templates`` with its holes filled."""
    text = files("dalembert.export").joinpath("templates", template).read_text(encoding="utf-8")
    lines: list[str] = []
    shown = [True]
    for line in text.splitlines():
        if line.startswith("%if "):
            shown.append(shown[-1] and bool(values[line.removeprefix("%if ")]))
        elif line == "%else":
            shown[-1] = shown[-2] and not shown[-1]
        elif line == "%end":
            shown.pop()
        elif shown[-1]:
            lines.append(_HOLE.sub(lambda hole: str(values[hole[1]]), line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"
