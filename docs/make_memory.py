"""Writes docs/memory.md: all slots of the memory of runs and all legends of kernels, from their declarations.

Run it after a change of either:  python docs/make_memory.py
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

import dalembert
from dalembert.native.legend import Legend, legends
from dalembert.native.slots import Run, kinds

PAGE = Path(__file__).with_name("memory.md")
HEAD = """# Memory and codes of kernels

<!-- made by docs/make_memory.py from the declarations in the code -->

Kernels see a run as three arrays ([](architecture.md)). Each of its slots is declared once, with its size and meaning,
in a class that extends `dalembert.native.slots.Run`; a method that needs slots of its own extends `Memory` or
`ImplicitMemory`. Places of plans, request bits and codes are declared in legends. This page is made from these
declarations.
"""


def _load_all() -> None:
    for module in pkgutil.walk_packages(dalembert.__path__, "dalembert."):
        # which need Numba, or are the command
        if not module.name.endswith(("native.pointers", "solver_calls", "row_sums", "__main__")):
            importlib.import_module(module.name)


def _slots(kind: type[Run]) -> list[str]:
    base = kind.__mro__[1]
    lines = [
        f"### `{kind.__name__}`",
        "",
        f"`{kind.__module__}`" + (f", extends `{base.__name__}`" if base is not Run else ""),
    ]
    lines += ["", "| slot | kind | size | meaning |", "|---|---|---|---|"]
    for name, slot in kind.slots.items():
        if name in base.slots:
            continue
        vector = slot.kind in ("reals", "integers", "complexes")
        size = f"`{slot.size}`" if slot.size else ("told by the run" if vector else "")
        kind_told = slot.kind if slot.part_of is None else f"part of `{slot.part_of[0]}`"
        lines.append(f"| `{name}` | {kind_told} | {size} | {_cell(slot.meaning)} |")
    return [*lines, ""]


def _legend(legend: Legend) -> list[str]:
    module, name = _home(legend)
    lines = [f"### {legend.title[0].upper()}{legend.title[1:]}", "", f"`{name}`, `{module}`", ""]
    lines += ["| name | value | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {legend.values[name]} | {_cell(meaning)} |" for name, meaning in legend.meanings.items()]
    return [*lines, ""]


def _home(legend: Legend) -> tuple[str, str]:
    """Module in which a legend is declared, and its name there: the shortest of those that know it."""
    found = [
        (name, key)
        for name, module in sys.modules.items()
        if name.startswith("dalembert.") and module is not None
        for key, value in vars(module).items()
        if value is legend
    ]
    # It is declared in the module that all others import it from.
    declared = [(name, key) for name, key in found if f"{key} = Legend(" in _source(name)]
    return min(declared or found)


def _source(module: str) -> str:
    path = getattr(sys.modules[module], "__file__", None)
    return Path(path).read_text(encoding="utf-8") if path else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page() -> str:
    """The text of the page."""
    _load_all()
    known = [kind for kind in kinds() if kind.__module__.startswith("dalembert.")]
    lines = [HEAD, "## Slots of the memory of a run", ""]
    for kind in sorted(known, key=lambda kind: (len(kind.__mro__), kind.__name__)):
        lines += _slots(kind)
    lines += ["## Legends", ""]
    for title in sorted(legends()):
        lines += _legend(legends()[title])
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
