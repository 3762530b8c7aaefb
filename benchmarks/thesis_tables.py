"""The tables of a thesis beside ours: D. Negrut, On the implicit integration of differential-algebraic equations of
multibody dynamics, PhD thesis, The University of Iowa, 1998.

coefficients  order conditions, stability and stiff orders of its methods (4.2, 4.4, 4.5)
jacobians     derivatives of the reduced equations by three strategies (3.43–3.45, Appendix A, differences), Proposition
              1 and the motion in both charts, on all mechanisms of the library that have constraints
pendulum      Tables 20 to 23: errors on the stiff double pendulum, and the values of its reference that they imply
linalg        Tables 2 to 10: topology-based linear algebra (benchmarks/thesis_linalg.py has more of it)
vehicle       Tables 24 to 30: the stiff vehicle on the bump, explicit and implicit; quotients that the thesis draws its
              conclusions from; single numbers of the text; why its Rosenbrock method loses at tight tolerances
crank         a crank through 1000 turns, with partitions that change
charts        entries of q against the tangent plane, for every method on all mechanisms with constraints
resume        runs that are stopped and go on, bit for bit
pieces        what a step on the vehicle is made of, in microseconds
peers         time for accuracy beside IDA, CVODE and Exudyn (benchmarks/_thesis_peers.py)

Names of the thesis: ForSDIRK is our "sdirk4" with the coefficient 4/15, ForRosen "rosenbrock4", SspTrap "trapezoidal",
InflSDIRK "descriptor_sdirk4", InflTrap "descriptor_trapezoidal"; the explicit one (DEABM) "adams".

``paper`` is what the thesis prints, or the quotient of what it prints.  Its seconds are of 1998, so that bars are on
quotients of times of one run.  Times are CPU times of the integration alone.  With --quick, explicit runs on the
vehicle are short and extrapolated in proportion, as their rows say, and fewer mechanisms are tried.

    python benchmarks/thesis_tables.py --json > build/thesis.json
    python benchmarks/thesis_tables.py --page build/thesis.json     # tables of docs/which_implicit.md
    python benchmarks/thesis_tables.py --plots docs/figures         # its pictures
"""

from __future__ import annotations

from _common import Reporter
from _tables import Table, run_tables


def coefficients(report: Reporter, quick: bool) -> None:
    import _thesis_coefficients

    _thesis_coefficients.tables(report)


def jacobians(report: Reporter, quick: bool) -> None:
    import _thesis_jacobians

    _thesis_jacobians.comparison(report, quick)


def pendulum(report: Reporter, quick: bool) -> None:
    import _thesis_pendulum

    _thesis_pendulum.tables(report)


def linalg(report: Reporter, quick: bool) -> None:
    import thesis_linalg

    thesis_linalg.tables(report, quick)


def vehicle(report: Reporter, quick: bool) -> None:
    import _thesis_facts
    import _thesis_rosenbrock
    import _thesis_vehicle

    vehicles = {kind: _thesis_vehicle.Vehicle.built(kind) for kind in ("absolute", "relative")}
    for one in list(vehicles.values())[: 1 if quick else 2]:
        _thesis_vehicle.tables(report, one, quick)
    _thesis_facts.facts(report, vehicles, quick)
    _thesis_rosenbrock.experiment(report)


def crank(report: Reporter, quick: bool) -> None:
    import _thesis_crank

    _thesis_crank.turns(report, quick)


def charts(report: Reporter, quick: bool) -> None:
    import _thesis_charts

    _thesis_charts.comparison(report, quick)


def resume(report: Reporter, quick: bool) -> None:
    import _thesis_charts

    _thesis_charts.resumed(report)


def pieces(report: Reporter, quick: bool) -> None:
    import _thesis_pieces

    _thesis_pieces.pieces(report, quick)


def peers(report: Reporter, quick: bool) -> None:
    import _thesis_peers

    for found in _thesis_peers.comparisons(quick):
        _thesis_peers.report_on(report, found, quick)


TABLES: dict[str, Table] = {
    function.__name__: function
    for function in (coefficients, jacobians, pendulum, linalg, vehicle, crank, charts, resume, pieces, peers)
}


if __name__ == "__main__":
    run_tables(__doc__, "Tables of the thesis", TABLES, page="_thesis_page", plots="_stiff_plots")
