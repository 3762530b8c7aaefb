"""Redundant constraints whose rows have to be left out by turns, and multipliers that they share."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import dalembert as da
from dalembert.equations import Equations
from dalembert.integrate.run import task
from dalembert.problems.mechanisms import bricard

SPAN, STEPS = (0.0, 10.0), 2000
METHODS = ("dop853", "mexx", "radau")


@cache
def linkage(coordinates):
    example = bricard()
    builder = "elements" if coordinates == "absolute" else "symbolic"
    equations = example.model.equations(coordinates=coordinates, builder=builder)
    return equations, example.assemble(equations)


@pytest.fixture
def choose(monkeypatch):
    """Make checks leave out a certain row, as another order of rows or other rounding might."""
    found = Equations.check

    def leave_out(row):
        def check(self, *arguments, **options):
            made = found(self, *arguments, **options)
            rows = tuple(i for i in range(self.sizes.lam) if i != row)
            return replace(made, rows=rows, dependent=(row,))

        monkeypatch.setattr(Equations, "check", check)

    return leave_out


def simulate(coordinates, method="dop853", span=SPAN, rtol=1e-6, **options):
    equations, start = linkage(coordinates)
    return da.simulate(
        equations, span, start, method=method, rtol=rtol, atol=1e-2 * rtol, redundant="accept", solver="dense",
        **{"max_steps": STEPS, **options},
    )  # fmt: skip


def possible(coordinates):
    """Rows that may be left out at the start: those that take part in the dependency."""
    equations, start = linkage(coordinates)
    G = equations.evaluate("G", t=0.0, q=start.q)
    G = G / np.linalg.norm(G, axis=1)[:, None]
    return np.flatnonzero(np.abs(np.linalg.svd(G)[0][:, -1]) > 1e-3).tolist()


def closure(coordinates, run):
    """The largest residual of all constraints, those left out too."""
    equations, _ = linkage(coordinates)
    return max(np.abs(equations.evaluate("g", t=t, q=q)).max() for t, q in zip(run.t, run.q.T, strict=True))


def check_multipliers(coordinates, t, q, lam):
    """Multipliers have no part along the dependency of the rows."""
    equations, _ = linkage(coordinates)
    for instant, place, found in zip(t, q.T, lam.T, strict=True):
        G = equations.evaluate("G", t=instant, q=place)
        dependency = np.linalg.svd(G)[0][:, -1]
        assert abs(dependency @ found) < 1e-7 * np.linalg.norm(found)


@pytest.mark.parametrize(("first", "every", "rtol"), [(0, 4, 1e-6), (1, 8, 1e-4), (2, 8, 1e-9)])
def test_a_run_passes_whatever_row_it_begins_without(choose, first, every, rtol):
    steps = []
    for row in possible("absolute")[first::every]:
        choose(row)
        run = simulate("absolute", rtol=rtol)
        assert run.success and run.t[-1] == SPAN[1], run.message
        assert closure("absolute", run) < 1e-7
        steps.append(run.statistics.steps)
    # With rows that are never exchanged most of these runs creep or fail after a tenth of the span.
    assert max(steps) < 4 * min(steps) and len(steps) > 3


@cache
def exact(times):
    """Places of a joint at some instants, in the coordinates with the fewest constraints."""
    run = simulate("relative", rtol=1e-11, t_eval=np.array(times))
    return np.array([run[f"P3 position.{axis}"] for axis in "xyz"])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_all_methods_exchange_rows_and_say_so(choose, coordinates, method):
    equations, _ = linkage(coordinates)
    times = tuple(np.linspace(*SPAN, 41).tolist())
    places = exact(times)
    row = equations.index("lam", "P5.xz" if coordinates == "relative" else "P2.xz")
    choose(row)
    run = simulate(coordinates, method, rtol=1e-8, t_eval=np.array(times))
    assert run.success and run.t[-1] == SPAN[1]
    assert "Redundant constraints were left out by turns" in run.message
    assert f"instead of {equations.names['lam'][row]} from t = " in run.message
    assert closure(coordinates, run) < 1e-7
    check_multipliers(coordinates, run.t, run.q, run.lam)
    # The motion is that of the linkage, whatever the coordinates and rows.
    assert np.abs(np.array([run[f"P3 position.{axis}"] for axis in "xyz"]) - places).max() < 1e-3


def test_multipliers_are_continuous_where_rows_are_exchanged(choose):
    choose(linkage("absolute")[0].index("lam", "P2.xz"))
    run = simulate("absolute", rtol=1e-8, span=(0.0, 3.0))
    at = float(run.message.split("from t = ")[1].split(" ")[0])
    k = int(np.argmin(np.abs(run.t - at)))
    before, after = run.sol(run.t[k] - 1e-9).lam, run.sol(run.t[k] + 1e-9).lam
    assert np.abs(after - before).max() < 1e-4 * np.abs(before).max()
    times = np.linspace(0.0, 3.0, 31)
    point = run.sol(times)
    check_multipliers("absolute", times, point.q, point.lam)
    asked = simulate("absolute", rtol=1e-8, span=(0.0, 3.0), t_eval=times)
    assert asked.lam == pytest.approx(point.lam, rel=1e-6, abs=1e-6 * np.abs(point.lam).max())


@pytest.mark.parametrize("method", METHODS)
def test_resumed_runs_exchange_the_same_rows(choose, method):
    choose(linkage("absolute")[0].index("lam", "P2.xz"))
    equations, span = linkage("absolute")[0], (0.0, 1.6)
    whole = simulate("absolute", method, span)
    at = float(whole.message.split("from t = ")[1].split(" ")[0])
    k = int(np.argmin(np.abs(whole.t - at)))
    for steps in (k - 1, k, k + 1):
        part = da.resume(simulate("absolute", method, span, max_steps=steps), equations, max_steps=2)
        run = da.resume(part, equations)
        assert run.message == whole.message
        for name in ("t", "q", "v", "lam"):
            assert np.array_equal(getattr(run, name), getattr(whole, name))


def test_events_see_shared_multipliers_and_go_on_where_rows_are_exchanged(choose):
    equations, _ = linkage("absolute")
    row = equations.index("lam", "P2.xz")
    velocity = da.Event(lambda v: v[0], name="turns")
    force = da.Event(lambda lam: lam[row] + 10.0, name="force")
    free = simulate("absolute", rtol=1e-8, events=[force, velocity], span=(0.0, 3.0))
    choose(row)
    run = simulate("absolute", rtol=1e-8, events=[force, velocity], span=(0.0, 3.0))
    assert "instead of P2.xz" in run.message
    for found, expected in zip(run.t_events, free.t_events, strict=True):
        assert len(found) == len(expected) > 0
        assert found == pytest.approx(expected, abs=1e-4)


def test_rows_that_cannot_be_judged_are_not_looked_at_in_every_step(choose, monkeypatch):
    asked = []
    monkeypatch.setattr(task, "best_rows", lambda *arguments: asked.append(arguments))
    choose(linkage("absolute")[0].index("lam", "P2.xz"))
    run = simulate("absolute", span=(0.0, 3.0), max_steps=400)
    assert run.statistics.steps > 100 and 0 < len(asked) < 0.25 * run.statistics.steps
