"""The tables of a paper on cheap Jacobians beside ours: M. Arnold, A. Fuchs, C. Führer, Efficient corrector iteration
for DAE time integration in multibody dynamics, Computer Methods in Applied Mechanics and Engineering 195 (2006).

structure   the Newton matrix of the carriage: entries, groups of columns, evaluations for one Jacobian (4.1, Figs. 3
            to 5)
carriage    Table 1: dense and grouped differences, with and without partitioned updates (24), (25)
chain       Table 2 and Fig. 7: Jacobians that a chain of pendulums needs, with and without updates
rig         a rear axle on a stamp (3.3, Fig. 1): the extended update (26) beside (24)
car         Table 3: a passenger car with driven steering
black_boxes Jacobians of models whose forces are functions in Python: evaluations and time by strategy
seven_body  BDF of ours beside IDA from C: CPU time and residuals for as many digits
long_chain  the same on 1000 bars

The method is "bdf": fixed leading coefficients, orders and steps after DASSL, which the paper used, on the stabilised
index-2 form.  What is counted is said in benchmarks/_corrector_runs.py.  ``paper`` is what the paper prints; its models
were not published, ours have the same dimensions and data from elsewhere, so that bars are on quotients of counts.
Percentages of its Table 1 are of CPU times, those of Table 3 of #Je.  Its CPU times are of 2004, and of models whose
evaluation takes all of the time; ours are compiled, and linear algebra counts as much.  With --quick, fewer first steps
are tried and the long chain has 200 bars.

    python benchmarks/corrector_tables.py --json > build/corrector.json
    python benchmarks/corrector_tables.py --page build/corrector.json
    python benchmarks/corrector_tables.py structure carriage
    python benchmarks/corrector_tables.py --plots docs/figures
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from _common import Reporter, parser, pin_to_one_core


def structure(report: Reporter, quick: bool) -> None:
    import _corrector_structure

    _corrector_structure.table(report, quick)


def carriage(report: Reporter, quick: bool) -> None:
    import _corrector_carriage

    _corrector_carriage.table(report, quick)


def chain(report: Reporter, quick: bool) -> None:
    import _corrector_chain

    _corrector_chain.table(report, quick)


def rig(report: Reporter, quick: bool) -> None:
    import _corrector_vehicles

    _corrector_vehicles.rig(report, quick)


def car(report: Reporter, quick: bool) -> None:
    import _corrector_vehicles

    _corrector_vehicles.car(report, quick)


def black_boxes(report: Reporter, quick: bool) -> None:
    import _corrector_black_boxes

    _corrector_black_boxes.table(report, quick)


def seven_body(report: Reporter, quick: bool) -> None:
    import _corrector_peers

    _corrector_peers.seven_body(report, quick)


def long_chain(report: Reporter, quick: bool) -> None:
    import _corrector_peers

    _corrector_peers.long_chain(report, quick)


TABLES: dict[str, Callable[[Reporter, bool], None]] = {
    function.__name__: function
    for function in (structure, carriage, chain, rig, car, black_boxes, seven_body, long_chain)
}


def main() -> None:
    made = parser(__doc__)
    made.add_argument("tables", nargs="*", help=f"which ones: {', '.join(TABLES)}; all by default")
    made.add_argument("--plots", type=Path, metavar="DIRECTORY", help="draw the pictures of the documentation there")
    made.add_argument("--page", type=Path, metavar="FILE", help="write what was printed with --json into the page")
    arguments = made.parse_args()
    if arguments.page:
        from _corrector_page import fill_in

        fill_in(arguments.page)
        return
    pin_to_one_core()
    if arguments.plots:
        from _corrector_plots import draw

        draw(arguments.plots)
        return
    if unknown := [name for name in arguments.tables if name not in TABLES]:
        made.error(f"there is no table {unknown[0]}; choose from {', '.join(TABLES)}")
    with Reporter(json=arguments.json, title="Tables of corrector iterations") as report:
        for name in arguments.tables or TABLES:
            TABLES[name](report, arguments.quick)


if __name__ == "__main__":
    main()
