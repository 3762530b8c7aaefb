"""Railway vehicles: J. Ros, A. Plaza, X. Iriarte, J. M. Pintor, Symbolic Multibody Methods for Real-Time Simulation of
Railway Vehicles, beside ours.

contact       Hertz, Kalker, creep laws and places of contact beside elliptic integrals and published outputs of CONTACT
model         the locomotive: time to build it, operations beside Table 2, equilibrium
physics       forms of the same equations beside each other; rest, Klingel's wave, critical speeds, balance of energy
methods       the locomotive with error control, surface parameters embedded and augmented
step          tasks of a step beside Table 1, spread of its times, projections; a model that is no train
pace          a minute of the locomotive at the pace of the clock
runs          scenarios of the locomotive that stay bounded; corrections; from standstill
limits        of the steps of explicit, implicit–explicit and linearly implicit methods; undamped modes
order         of the implicit–explicit method beside Radau's, on smooth rails and on those that undulate
overturning   where the curve of the paper ends, and what corrections it needs up to there
export        exported C: warnings, symbols, agreement, times

``paper`` is what the publication named in the section prints.

    python benchmarks/railway.py --json > build/railway.json
    python benchmarks/railway.py contact
"""

from __future__ import annotations

from collections.abc import Callable

from _common import Reporter, parser, pin_to_one_core


def contact(report: Reporter, quick: bool) -> None:
    import _railway_contact

    _railway_contact.tables(report)


def model(report: Reporter, quick: bool) -> None:
    import _railway_model

    _railway_model.tables(report)


def physics(report: Reporter, quick: bool) -> None:
    import _railway_physics

    _railway_physics.tables(report, quick)


def methods(report: Reporter, quick: bool) -> None:
    import _railway_physics

    _railway_physics.methods(report, quick)


def step(report: Reporter, quick: bool) -> None:
    import _railway_step

    _railway_step.tables(report, quick)


def pace(report: Reporter, quick: bool) -> None:
    import _railway_step

    _railway_step.pace(report, quick)


def runs(report: Reporter, quick: bool) -> None:
    import _railway_runs

    _railway_runs.tables(report, quick)


def limits(report: Reporter, quick: bool) -> None:
    import _railway_runs

    _railway_runs.limits(report, quick)


def order(report: Reporter, quick: bool) -> None:
    import _railway_runs

    if not quick:
        _railway_runs.order(report)


def overturning(report: Reporter, quick: bool) -> None:
    import _railway_runs

    if not quick:
        _railway_runs.overturning(report)


def export(report: Reporter, quick: bool) -> None:
    import _railway_export

    _railway_export.tables(report, 2_000 if quick else _railway_export.STEPS)


SECTIONS: dict[str, Callable[[Reporter, bool], None]] = {
    "contact": contact, "model": model, "physics": physics, "methods": methods, "step": step, "pace": pace,
    "runs": runs, "limits": limits,
    "order": order, "overturning": overturning, "export": export,
}  # fmt: skip


def main() -> None:
    made = parser(__doc__)
    made.add_argument("sections", nargs="*", help=f"which ones: {', '.join(SECTIONS)}; all by default")
    options = made.parse_args()
    pin_to_one_core()
    if unknown := [name for name in options.sections if name not in SECTIONS]:
        made.error(f"there is no section {unknown[0]}; choose from {', '.join(SECTIONS)}")
    with Reporter(json=options.json, title="Railway vehicles") as report:
        for name in options.sections or SECTIONS:
            SECTIONS[name](report, options.quick)


if __name__ == "__main__":
    main()
