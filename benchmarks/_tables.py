"""Scripts that make several tables of a publication: which ones, pictures, and pages that are written from results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from _common import Reporter, parser, pin_to_one_core

Table = Callable[[Reporter, bool], None]


def run_tables(doc: str | None, title: str, tables: Mapping[str, Table], page: str, plots: str) -> None:
    """The ``main`` of such a script: arguments, and what they ask for.

    :param page: module whose ``fill_in`` writes the tables of the documentation from a file of results
    :param plots: module whose ``draw`` makes its pictures
    """
    made = parser(doc)
    made.add_argument("tables", nargs="*", help=f"which ones: {', '.join(tables)}; all by default")
    made.add_argument("--plots", type=Path, metavar="DIRECTORY", help="draw the pictures of the documentation there")
    made.add_argument("--page", type=Path, metavar="FILE", help="write what was printed with --json into the page")
    arguments = made.parse_args()
    if arguments.page:
        import_module(page).fill_in(arguments.page)
        return
    pin_to_one_core()
    if arguments.plots:
        import_module(plots).draw(arguments.plots)
        return
    if unknown := [name for name in arguments.tables if name not in tables]:
        made.error(f"there is no table {unknown[0]}; choose from {', '.join(tables)}")
    with Reporter(json=arguments.json, title=title) as report:
        for name in arguments.tables or tables:
            tables[name](report, arguments.quick)
