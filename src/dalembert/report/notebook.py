"""The page inside of a notebook: an iframe that holds all of it, so that it lives on in exported files."""

from __future__ import annotations

from html import escape

from dalembert.arguments import flag, instance, whole
from dalembert.errors import DalembertError
from dalembert.report.page import page_of
from dalembert.report.quantities import Plots
from dalembert.solution import Solution

#: Sizes of a page that is stored in a notebook, and of one that holds everything, in 10⁶ bytes.
SMALL, FULL = 1.9, 100.0


class View:
    """What a notebook shows of a run; ``html`` is the page itself."""

    def __init__(self, html: str, height: int) -> None:
        self.html, self.height = html, height

    def _repr_html_(self) -> str:
        # In a sandbox: the page needs scripts of its own and nothing of the notebook.
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" title="Report of a run" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<View of a run, {len(self.html) / 1e6:.1f} MB; shown in notebooks>"


def view(
    solution: Solution,
    *,
    plots: Plots | None = None,
    time: float | None = None,
    height: int = 560,
    full: bool = False,
) -> View:
    """The report for a notebook, as the last line of a cell.

    The cell is stored with the notebook, so that the page takes at most 2 MB unless ``full``: fewer frames, and fewer
    curves, of which it tells.  ``plots`` and ``time`` are those of :func:`dalembert.report.report`.
    """
    instance(solution, Solution, "view: solution", DalembertError)
    whole(height, "view: height", DalembertError, least=200, most=5000)
    size = FULL if flag(full, "view: full", DalembertError) else SMALL
    return View(page_of(solution, size, plots=plots, time=time), height)
