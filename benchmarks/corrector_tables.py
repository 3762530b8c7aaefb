"""The tables of a paper on cheap Jacobians beside ours: M. Arnold, A. Fuchs, C. Führer, Efficient corrector iteration
for DAE time integration in multibody dynamics, Computer Methods in Applied Mechanics and Engineering 195 (2006).

structure   the Newton matrix of the carriage: entries, groups of columns, evaluations for one Jacobian (4.1, Figs. 3
            to 5)
carriage    Table 1: dense and grouped differences, with and without partitioned updates (24), (25)
chain       Table 2 and Fig. 7: Jacobians that a chain of pendulums needs, with and without updates
rig         a rear axle on a stamp (3.3, Fig. 1): the extended update (26) beside (24)
car         Table 3: a passenger car with driven steering
black_boxes Jacobians of models whose forces are functions in Python: evaluations and time by strategy
forms       options of BDF: forms of the equations, starts, errors of positions alone, orders
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

from _common import Reporter
from _tables import Table, run_tables


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


def forms(report: Reporter, quick: bool) -> None:
    import _corrector_forms

    _corrector_forms.table(report)


def seven_body(report: Reporter, quick: bool) -> None:
    import _corrector_peers

    _corrector_peers.seven_body(report, quick)


def long_chain(report: Reporter, quick: bool) -> None:
    import _corrector_peers

    _corrector_peers.long_chain(report, quick)


TABLES: dict[str, Table] = {
    function.__name__: function
    for function in (structure, carriage, chain, rig, car, black_boxes, forms, seven_body, long_chain)
}


if __name__ == "__main__":
    run_tables(__doc__, "Tables of corrector iterations", TABLES, page="_corrector_page", plots="_corrector_plots")
